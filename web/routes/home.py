"""The front door: everybody lands where their work is."""

from litestar import get
from litestar.response import Redirect

from web.pages import go
from web.permissions import Door, Permission
from web.visitor import AppRequest, visitor


@get("/", permission=Door.SIGNED_IN, include_in_schema=False, status_code=303)
async def home(request: AppRequest) -> Redirect:
    """Who edits goes to the flows, who only looks after conversations goes to them."""
    return go("/flows" if visitor(request).may(Permission.EDIT) else "/live")
