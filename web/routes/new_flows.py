"""A new flow: out of a sample, out of nothing, or out of a file that somebody exported."""

from dataclasses import replace

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine import samples
from engine.adapters.documents import read_bytes
from engine.core.diagram.graph import Drawing
from engine.core.document import read
from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.services import draw, new_flow, restore
from web import forms, i18n
from web.flow_files import LARGEST, Chosen, chosen, mistakes
from web.i18n import gettext
from web.new_flow_pages import starts, usual_title
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.routes.pictures import SANDBOX, SVG
from web.visitor import AppRequest, visitor

BODY = 2 * LARGEST + 64 * 1024
"""Bytes of a form with a file in it, or with its text."""


@get("/flows/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest, start: FromQuery[str] = "") -> Response[str]:
    """Choose where to begin; `start` is a sample, the empty flow, or `file`."""
    return _page(request, 200, start or samples.names()[0])


def _page(
    request: AppRequest,
    status: int,
    start: str,
    *,
    title: str | None = None,
    problem: str = "",
    file: Chosen | None = None,
) -> Response[str]:
    offered = starts()
    known = start if start in {one.name for one in offered} or start == "file" else samples.names()[0]
    return page(
        request,
        "flows/new.html",
        status,
        starts=offered,
        start=known,
        title=usual_title(known) if title is None else title,
        problem=problem,
        file=file or Chosen(),
        limit=LARGEST // 1024 // 1024,
    )


@get("/flows/samples/{name:str}", permission=Permission.EDIT, include_in_schema=False)
async def picture(request: AppRequest, name: FromPath[str], theme: FromQuery[str] = "light") -> Response[str]:
    """What a start looks like. Raises NotFound, DrawingFailed."""
    _ = request
    if name not in (*samples.names(), samples.EMPTY):
        raise NotFound("sample", name)
    look = Drawing(theme="dark" if theme == "dark" else "light", language=i18n.current(), actions=False)
    svg = await draw.picture(read(samples.tree(name)), look, "svg")
    headers = {"Content-Security-Policy": SANDBOX, "Cache-Control": "private, max-age=3600"}
    return Response(str(svg), media_type=SVG, headers=headers)


@post("/flows/new", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def begin(request: AppRequest) -> Response[str] | Redirect:
    """Make the flow and open it; 422 with the title's problem, everything else kept."""
    form = await forms.fields(request)
    start, title = form.get("start", ""), form.get("title", "")
    if start == "file":
        return _page(request, 200, start)
    try:
        slug = await new_flow.begin(request.app.state.runtime, start, title, visitor(request).actor)
    except Refused as refusal:
        return _page(request, 422, start, title=title, problem=sentence(refusal))
    return go(f"/flows/{slug}/draft")


@post("/flows/import", permission=Permission.EDIT, include_in_schema=False, status_code=200, request_max_body_size=BODY)
async def take_in(request: AppRequest) -> Response[str] | Redirect:
    """A file of a flow, or its text: a new flow, or, where its name is taken, what `clash` says: another name, or the
    draft of the flow that is there. 422 with every mistake and with the text, to be put right on the page.
    """
    given = await chosen(request)
    runtime, actor = request.app.state.runtime, visitor(request).actor
    try:
        tree = read_bytes(given.content)
        flow = read(tree)
    except InvalidDocument as error:
        return _page(request, 422, "file", file=replace(given, mistakes=mistakes(error)))
    except Refused as refusal:
        return _page(request, 422, "file", file=replace(given, problem=sentence(refusal)))
    if given.problem:
        return _page(request, 422, "file", file=given)
    try:
        if given.clash == "replace" and isinstance(tree, dict):
            await restore.replace(runtime, flow.slug, tree, actor, None)
            return go(f"/flows/{flow.slug}/draft")
        wanted = await new_flow.free(runtime, flow.slug) if given.clash == "rename" else None
        slug = await new_flow.take_in(runtime, tree, actor, wanted)
    except Refused as refusal:
        problem = sentence(refusal)
        if refusal.code == "flow_exists":
            problem = gettext("There is a flow at /flows/%(slug)s already.") % {"slug": flow.slug}
        return _page(request, 422, "file", file=replace(given, problem=problem, taken=flow.slug))
    return go(f"/flows/{slug}/draft")
