"""The switch that holds every send: turned on by whoever may write to customers, turned off by whoever may publish."""

from litestar import get, post
from litestar.response import Redirect, Response

from engine.services import emergency
from web import forms
from web.pages import go, local_path, page
from web.permissions import Permission
from web.visitor import AppRequest, visitor

PLACE = "/emergency"


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def shown(request: AppRequest) -> Response[str]:
    """What the switch does, and whether it is on."""
    return page(request, "emergency.html")


@post(f"{PLACE}/stop", permission=Permission.CONVERSE, include_in_schema=False, status_code=303)
async def stop(request: AppRequest) -> Redirect:
    """Hold everything, from the next attempt on."""
    form = await forms.fields(request)
    await emergency.stop(request.app.state.runtime, visitor(request).actor, form.get("reason", ""))
    return go(PLACE)


@post(f"{PLACE}/resume", permission=Permission.PUBLISH, include_in_schema=False, status_code=303)
async def resume(request: AppRequest) -> Redirect:
    """Let messages leave again."""
    form = await forms.fields(request)
    await emergency.resume(request.app.state.runtime, visitor(request).actor)
    return go(local_path(form.get("back"), PLACE))
