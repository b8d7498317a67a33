"""How long content is kept: the days of each class, what would go now, and the last time something went."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import retention
from web import forms
from web.pages import go, page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.retention_words import classes
from web.visitor import AppRequest, visitor

PLACE = "/settings/retention"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def shown(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """What is set, and what would go."""
    return await _page(request, done=done)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def change(request: AppRequest) -> Response[str] | Redirect:
    """Set the days; the next run goes by them."""
    form = await forms.fields(request)
    typed = {kind: form[kind] for kind in retention.CLASSES if kind in form}
    try:
        # What is no whole number is out of every bound.
        wanted = {kind: forms.whole(text.strip()) or 0 for kind, text in typed.items()}
        await retention.change(request.app.state.runtime, visitor(request).actor, wanted)
    except Refused as refused:
        return await _page(request, 422, typed=typed, problem=sentence(refused))
    return go(PLACE, done="changed")


async def _page(
    request: AppRequest, status: int = 200, *, typed: Mapping[str, str] | None = None, problem: str = "", done: str = ""
) -> Response[str]:
    standing = await retention.show(request.app.state.runtime)
    rows = classes(standing, typed or {})
    return page(
        request,
        "settings/retention.html",
        status,
        rows=rows,
        ran_at=standing.ran_at,
        problem=problem,
        done=done == "changed",
    )
