"""The front doors, of the product and of its settings: everybody lands where their work is."""

from litestar import get
from litestar.response import Redirect

from engine.services import first_steps
from web.pages import go
from web.permissions import Door, Permission
from web.visitor import AppRequest, visitor


@get("/", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def home(request: AppRequest) -> Redirect:
    """Who edits goes to the flows, the first time by way of the first steps; who looks after conversations to them."""
    person = visitor(request)
    if not person.may(Permission.EDIT) or person.account is None:
        return go("/live")
    found = await first_steps.progress(request.app.state.runtime, person.account.id)
    return go("/flows" if found.met or found.dismissed or found.complete else "/welcome")


@get("/settings", permission=Permission.VIEW, include_in_schema=False, status_code=303)
async def settings(request: AppRequest) -> Redirect:
    """Who administers goes to the channels, everybody else to what the bot understands."""
    return go("/settings/channels" if visitor(request).may(Permission.ADMINISTER) else "/settings/understanding")
