"""The search of the editor, and the list of the shortcuts: fragments for a box over the page, and pages of their own."""

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Response

from engine.services import edit
from web import i18n
from web.pages import page, wants_fragment
from web.permissions import Door, Permission
from web.search_view import found
from web.visitor import AppRequest, visitor

LONGEST = 200


@get("/flows/{slug:str}/draft/search", permission=Permission.VIEW, include_in_schema=False)
async def search(request: AppRequest, slug: FromPath[str], q: FromQuery[str] = "") -> Response[str]:
    """What a draft has of the words `q`, and the commands of that name. Raises NotFound."""
    opened = await edit.opened(request.app.state.runtime, slug)
    results = found(opened.flow, q[:LONGEST], visitor(request))
    template = "draft/_search.html" if wants_fragment(request) else "draft/search.html"
    return page(request, template, found=results, slug=slug, title=opened.flow.title.within(i18n.current()))


@get("/shortcuts", permission=Door.SIGNED_IN, include_in_schema=False)
async def shortcuts(request: AppRequest) -> Response[str]:
    """Every key that does something, and the switch that turns the letters off."""
    return page(request, "keys/_list.html" if wants_fragment(request) else "keys/page.html")
