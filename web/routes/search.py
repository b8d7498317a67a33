"""The search of every page and that of the editor, and the list of the shortcuts: fragments for a box over the page, and pages of their own."""

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Response

from engine.services import edit
from web import i18n
from web.i18n import gettext
from web.pages import page, wants_fragment
from web.permissions import Door, Permission
from web.search_everywhere import everywhere
from web.search_view import found
from web.visitor import AppRequest, visitor

LONGEST = 200


@get("/flows/{slug:str}/draft/search", permission=Permission.VIEW, include_in_schema=False)
async def search(request: AppRequest, slug: FromPath[str], q: FromQuery[str] = "") -> Response[str]:
    """What a draft has of the words `q`, and the commands of that name. Raises NotFound."""
    opened = await edit.opened(request.app.state.runtime, slug)
    results = found(opened.flow, q[:LONGEST], visitor(request))
    template = "search/_box.html" if wants_fragment(request) else "search/page.html"
    title = opened.flow.title.within(i18n.current())
    return page(request, template, found=results, search_at=f"/flows/{slug}/draft/search", slug=slug, title=title)


@get("/search", permission=Permission.VIEW, include_in_schema=False)
async def search_all(request: AppRequest, q: FromQuery[str] = "") -> Response[str]:
    """What the installation has of the words `q`: flows, conversations, places."""
    words = q.replace("\0", "").strip()[:LONGEST]
    results = await everywhere(request.app.state.runtime, words, visitor(request))
    template = "search/_box.html" if wants_fragment(request) else "search/page.html"
    return page(request, template, found=results, search_at="/search", slug="", title=gettext("Everything"))


@get("/shortcuts", permission=Door.SIGNED_IN, include_in_schema=False)
async def shortcuts(request: AppRequest) -> Response[str]:
    """Every key that does something, and the switch that turns the letters off."""
    return page(request, "keys/_list.html" if wants_fragment(request) else "keys/page.html")
