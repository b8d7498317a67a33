"""Pictures of a flow by their addresses, in every format, for whoever may see flows; nothing of a customer is in them."""

from hashlib import sha256

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

from engine.core.diagram.dot import MOST_STATES
from engine.core.diagram.graph import Drawing
from engine.core.diagram.phases import phases
from engine.core.errors import DrawingFailed, NotFound
from engine.core.flow import Flow
from engine.services import draw, draw_phases, edit, publish
from web import i18n
from web.desk import people_by_state
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.picture_choices import DRAFT, FILES, FORMATS, LIVE, Choices, WrongChoice, choices, drawn_phase
from web.visitor import AppRequest
from web.words import day

SVG = "image/svg+xml"
SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'"
"""A picture that somebody opens by itself runs nothing, whatever it may hold."""
MEDIA = {
    "svg": SVG, "png": "image/png", "pdf": "application/pdf", "json": "application/json",
    "mmd": "text/plain", "dot": "text/plain",
}  # fmt: skip
ASK_AGAIN = "private, no-cache"
"""Kept by the browser, and asked about each time: who may not see flows any more gets nothing."""


@get([f"/flows/{{slug:str}}/diagram.{name}" for name in FORMATS], permission=Permission.VIEW, include_in_schema=False)
async def picture(request: AppRequest, slug: FromPath[str]) -> Response[bytes] | Response[str]:
    """The picture, or 304 when it is the one that the browser has; 400 with words for a value that means nothing."""
    kind = request.url.path.rpartition(".")[2]
    try:
        chosen = choices(request.query_params)
    except WrongChoice as wrong:
        return page(request, "errors/error.html", 400, title=gettext("This is no picture"), advice=wrong.words, code="")
    shown, flow, subtitle = await _meant(request, slug, chosen.version)
    phase, shown_part = drawn_phase(flow, chosen, kind), ""
    if phase is not None and kind != "json":
        every = phases(flow)
        if phase > len(every):
            words = gettext("This flow has no phase %(n)s.") % {"n": phase}
            return page(request, "errors/error.html", 400, title=gettext("This is no picture"), advice=words, code="")
        part = gettext("phase %(name)s") % {"name": draw_phases.named(every, phase)} if phase else gettext("the phases")
        subtitle, shown_part = f"{subtitle} · {part}", f"-{phase or 'overview'}"
    look = await _look(request, slug, flow, chosen, subtitle)
    try:
        content = await _content(slug, shown, flow, look, kind, request, phase)
    except DrawingFailed as failure:
        return _undrawn(request, failure)
    drawn = content.encode() if isinstance(content, str) else content
    headers = {"ETag": f'"{sha256(drawn).hexdigest()[:32]}"', "Cache-Control": ASK_AGAIN}
    if headers["ETag"] in [each.strip() for each in request.headers.get("if-none-match", "").split(",")]:
        return Response(b"", status_code=304, headers=headers)
    # A picture that is text could be made to run where it is opened by itself; in a page it is shown all the same.
    manner = "inline" if kind in ("png", "pdf") else "attachment"
    headers["Content-Disposition"] = f'{manner}; filename="{slug}-{shown}{shown_part}.{kind}"'
    if kind == "svg":
        headers["Content-Security-Policy"] = SANDBOX
    return Response(drawn, media_type=MEDIA[kind], headers=headers)


async def _meant(request: AppRequest, slug: str, version: str) -> tuple[str, Flow, str]:
    """The version's word for a file's name, the flow, and a line that says which it is. Raises NotFound."""
    runtime = request.app.state.runtime
    there = await edit.opened(runtime, slug)
    live = there.draft.live
    number = live if version == LIVE or (not version and live) else int(version) if version.isdecimal() else None
    if number is None:
        if version == LIVE:
            raise NotFoundException(detail="nothing of this flow is live")
        return DRAFT, there.flow, gettext("draft, %(day)s") % {"day": day(there.draft.edited_at)}
    found = next((one for one in await publish.publications(runtime, slug) if one.number == number), None)
    if found is None:
        raise NotFound("version", f"{slug}@{number}")
    facts = {"n": number, "day": day(found.published_at)}
    line = gettext("v%(n)s, live since %(day)s") if number == live else gettext("v%(n)s of %(day)s")
    return f"v{number}", await runtime.flow(slug, number), line % facts


async def _look(request: AppRequest, slug: str, flow: Flow, chosen: Choices, subtitle: str) -> Drawing:
    counts = None
    if chosen.counts:
        counts = people_by_state(await publish.review(request.app.state.runtime, slug, in_haste=True))
    return Drawing(
        theme="dark" if chosen.theme == "dark" else "light",
        counts=counts,
        actions=chosen.actions,
        language=i18n.current(),
        title=flow.title.within(i18n.current()) if chosen.title else None,
        subtitle=subtitle if chosen.title else None,
        legend=chosen.legend,
        ids=chosen.ids,
        ratio=None if chosen.ratio == "free" else chosen.ratio,
    )


async def _content(
    slug: str, shown: str, flow: Flow, look: Drawing, kind: str, request: AppRequest, phase: int | None
) -> bytes | str:
    if kind == "json":
        number = None if shown == DRAFT else int(shown[1:])
        return await publish.shown(request.app.state.runtime, slug, number)
    if phase is not None:
        return await draw_phases.of_phases(flow, look, phase, FILES[kind])
    return await draw.picture(flow, look, FILES[kind])


def _undrawn(request: AppRequest, failure: DrawingFailed) -> Response[str]:
    """Why there is no picture, and what there is instead."""
    advice = gettext("The flow is saved. As text there is more room: take Mermaid or JSON instead.")
    title = gettext("The drawing failed")
    if failure.reason == "too_large":
        title = gettext("This flow is too large for one picture")
        values = {"most": MOST_STATES}
        advice = gettext(
            "One picture holds %(most)s states. Take it by phase (phase=0 is the overview), or whole as Mermaid or JSON."
        )
        advice %= values
    return page(
        request, "errors/error.html", 422 if failure.reason == "too_large" else 503, title=title, advice=advice, code=""
    )
