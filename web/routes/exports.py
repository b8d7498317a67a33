"""Exporting the diagram of a flow: choosing what it shows, seeing it, taking it along."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Response

from engine.core.diagram.dot import MOST_STATES
from engine.core.diagram.phases import phases
from engine.services import draw, draw_phases, edit, publish
from web import i18n
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.picture_choices import DRAFT, FILES, FORMATS, LIVE, WHOLE, Choices, WrongChoice, choices, drawn_phase
from web.visitor import AppRequest, site_of

USUAL = Choices(ratio="16x9", legend=True)


@get("/flows/{slug:str}/export", permission=Permission.VIEW, include_in_schema=False)
async def export(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """The choices, the picture as it will be, and its address; a wrong value is told and counts as the usual one."""
    runtime = request.app.state.runtime
    there = await edit.opened(runtime, slug)
    listed = await publish.publications(runtime, slug)
    problem, chosen = "", USUAL
    try:
        chosen = choices(request.query_params, USUAL)
    except WrongChoice as wrong:
        problem = wrong.words
    known = {LIVE, DRAFT, *(str(one.number) for one in listed)} - ({LIVE} if there.draft.live is None else set())
    version = chosen.version if chosen.version in known else LIVE if LIVE in known else DRAFT
    kind = str(request.query_params.get("format", ""))
    kind = kind if kind in FORMATS else "png"
    shown = there.flow if version == DRAFT else await runtime.flow(slug, _number(version, there.draft.live))
    every, whole_fits = phases(shown), len(shown.states) <= MOST_STATES
    phase = drawn_phase(shown, chosen, kind)
    if (phase or 0) > len(every):
        phase = draw_phases.usual(shown, FILES.get(kind, "svg"))
    if phase is None and every and not whole_fits and kind not in ("mmd", "json"):
        phase = draw_phases.OVERVIEW
    query = chosen.query(version=version, phase=WHOLE if phase is None and every else phase)
    seen = chosen.query(version=version, phase=draw_phases.OVERVIEW) if phase is None and not whole_fits else query
    base = f"/flows/{slug}/diagram"
    return page(
        request,
        "flows/export.html",
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        versions=listed,
        live=there.draft.live,
        version=version,
        formats=[(name, {"mmd": "Mermaid"}.get(name, name.upper())) for name in FORMATS],
        format=kind,
        chosen=chosen,
        ratios=[
            ("16x9", gettext("Slide 16:9")),
            ("4x3", "4:3"),
            ("1x1", "1:1"),
            ("a4", "A4"),
            ("free", gettext("Free")),
        ],
        shows=[
            ("title", gettext("Title and date")),
            ("legend", gettext("Legend")),
            ("actions", gettext("What the bot does")),
            ("counts", gettext("Conversations now")),
            ("ids", gettext("Technical ids")),
        ],
        picture=f"{base}.{kind}?{query}",
        preview=f"{base}.svg?{seen}",
        phases=[(one.number, draw_phases.named(every, one.number)) for one in every],
        phase=phase,
        whole=whole_fits or kind in ("mmd", "json"),
        states=len(shown.states),
        most=MOST_STATES,
        link=f"{site_of(request)}{base}.{kind}?{query}",
        crowded=len(shown.states) > draw.MOST_WITH_ACTIONS,
        problem=problem,
    )


def _number(version: str, live: int | None) -> int:
    return int(version) if version.isdecimal() else live or 0
