"""What the business is called. For administrators alone."""

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import business
from web import forms
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/settings/business"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def shown(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """The name as it is."""
    return page(request, "settings/business.html", name=visitor(request).business, problem="", done=done == "changed")


@post(PLACE, permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def change(request: AppRequest) -> Response[str] | Redirect:
    """Another name, or none."""
    name = (await forms.fields(request)).get("name", "")
    try:
        await business.call(request.app.state.runtime, visitor(request).actor, name)
    except Refused as refused:
        return page(request, "settings/business.html", 422, name=name, problem=sentence(refused), done=False)
    return go(PLACE, done="changed")
