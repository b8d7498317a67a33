"""The front doors, of the product and of its settings: everybody lands where their work is."""

from litestar import get
from litestar.response import Redirect

from web.pages import go
from web.permissions import Door, Permission
from web.visitor import AppRequest, visitor


@get("/", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def home(request: AppRequest) -> Redirect:
    """Who edits goes to the flows, who only looks after conversations goes to them."""
    return go("/flows" if visitor(request).may(Permission.EDIT) else "/live")


@get("/settings", permission=Permission.VIEW, include_in_schema=False, status_code=303)
async def settings(request: AppRequest) -> Redirect:
    """Who administers goes to the channels, everybody else to what the bot understands."""
    return go("/settings/channels" if visitor(request).may(Permission.ADMINISTER) else "/settings/understanding")
