"""Who else is editing a draft: the page says now and then that it is open, and when it is left."""

from urllib.parse import parse_qs, urlsplit

from litestar import post
from litestar.params import FromPath
from litestar.response import Response

from engine.services import edit, presence
from web.pages import page
from web.permissions import Permission
from web.presence_words import presences
from web.visitor import AppRequest, visitor


@post("/flows/{slug:str}/draft/presence", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def look(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """The reader has the draft open; who else has."""
    runtime, account = request.app.state.runtime, visitor(request).account
    await edit.opened(runtime, slug)
    sel = parse_qs(urlsplit(request.htmx.current_url or "").query).get("sel", [""])[-1] if request.htmx else ""
    there = await presence.look(runtime, slug, account.id, sel) if account is not None else ()
    return page(request, "draft/_presence.html", people=presences(there), base=f"/flows/{slug}/draft")


@post("/flows/{slug:str}/draft/presence/leave", permission=Permission.EDIT, include_in_schema=False, status_code=204)
async def leave(request: AppRequest, slug: FromPath[str]) -> None:
    """The reader closed it."""
    if (account := visitor(request).account) is not None:
        await presence.leave(request.app.state.runtime, slug, account.id)
