"""Turning a template and its values into a response: the shell around every page, fragments, redirects."""

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Request
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_303_SEE_OTHER

from engine.core import splitting
from engine.core.diagram.icons import EVENT_ICONS, STATE_ICONS
from engine.core.diagram.palette import KINDS
from web import assets, i18n, undo_words, words
from web.packing import HEADERS, LEAST, PackedPage, may_pack
from web.settings_places import settings_groups
from web.visitor import AppRequest, visitor

TEMPLATES = Path(__file__).parent.parent / "templates"
HTML = "text/html"


@cache
def environment() -> Environment:
    """The one template environment: everything is escaped, and a name that is not given is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_callables(i18n.gettext, i18n.ngettext, newstyle=True)  # type: ignore[attr-defined] # by the extension
    made.globals.update(
        initials=words.initials,
        breakable=words.breakable,
        asset=assets.address,
        icon_of=STATE_ICONS.__getitem__,
        kind_of=KINDS.__getitem__,
        event_icon=EVENT_ICONS.__getitem__,
        languages=i18n.LANGUAGES,
        number=words.number,
        duration=words.duration,
        moment=words.moment,
        settings_groups=settings_groups,
        units=splitting.units,
        change_told=undo_words.told,
        proof_words=words.proof,
        verdict_words=words.verdict,
    )
    return made


def render(request: Request[Any, Any, Any], template: str, **values: Any) -> str:
    """The template's text for this visitor."""
    here, query = request.url.path, request.url.query
    shell = {"here": here, "back": f"{here}?{query}" if query else here, "language": i18n.current()}
    return environment().get_template(template).render(visitor=visitor(request), **shell, **values)


def page(request: Request[Any, Any, Any], template: str, status: int = 200, **values: Any) -> Response[str]:
    """A page, or a fragment of one; a large one travels compressed where that tells nobody anything."""
    text = render(request, template, **values)
    if len(text) >= LEAST and may_pack(request):
        return PackedPage(text, status_code=status, media_type=HTML, headers=HEADERS)
    return Response(text, status_code=status, media_type=HTML)


def go(path: str, **query: str) -> Redirect:
    """To another page of ours after a change; never to an address that somebody typed."""
    return Redirect(f"{path}?{urlencode(query)}" if query else path, status_code=HTTP_303_SEE_OTHER)


def wants_fragment(request: AppRequest) -> bool:
    """Whether htmx asks, and not for a whole page."""
    return bool(request.htmx) and not request.htmx.boosted


def local_path(path: str | None, otherwise: str = "/") -> str:
    """A path of this site to return to; anything that could lead elsewhere becomes `otherwise`."""
    # Browsers take a backslash for a slash and leave out tabs and line ends, wherever in an address they stand.
    if path and path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable():
        return path
    return otherwise
