"""The drawing of a draft for its page: what is stressed, what is laid over it, and which phase of a large flow it shows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from engine.core.diagram.graph import Drawing
from engine.core.diagram.phases import Phase, phase_of, phases
from engine.core.errors import DrawingFailed
from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services import draw, draw_phases
from engine.services.passages import went
from web import i18n
from web.findings import Shown, sel_in
from web.lens import NONE, PROBLEMS, TRAFFIC, Lens

__all__ = ["Diagram", "diagram", "drawn", "phase_for"]


@dataclass(frozen=True, slots=True)
class Diagram:
    """The drawing, or why there is none; `phase` is the one of `phases` that it shows, 0 for all of them as boxes."""

    svg: Markup | None
    problem: str
    phases: tuple[Phase, ...] = ()
    phase: int = 0


async def diagram(
    runtime: Runtime,
    flow: Flow,
    base: str,
    sel: str,
    findings: Iterable[Shown],
    people: Mapping[str, int],
    lens: Lens,
) -> Diagram:
    """Draw a draft; `base` is the address of its editor."""
    told = tuple(findings)
    about = [finding for finding in told if sel_in(sel, finding) and (_is_one(sel) or finding.severity == "error")]
    marked = [finding for finding in told if finding.severity != "info"] if lens.show == PROBLEMS else about
    problems = frozenset(name for finding in marked for name in (*finding.transitions, *finding.states))
    every = phases(flow)
    counts = None if lens.show in (NONE, TRAFFIC) else dict(people) or None
    look = Drawing(
        counts=counts,
        traffic=await went(runtime, flow) if lens.show == TRAFFIC else None,
        selected=sel or None,
        problems=problems,
        quiet=bool(about) and bool(problems) and sel[:2] in ("t:", "p:"),
        notes=True,
        language=i18n.current(),
    )
    links = f"{base}?{lens.kept}" if lens.kept else base
    number = phase_for(flow, every, sel, told, lens)
    svg, problem = await drawn(flow, look, links, number if every else None)
    return Diagram(svg, problem, every, number)


def phase_for(flow: Flow, every: tuple[Phase, ...], sel: str, findings: Iterable[Shown], lens: Lens) -> int:
    """The phase of what is selected, else the one that was asked for, else the overview."""
    kind, _, name = sel.partition(":")
    found = 0
    if kind == "s":
        found = phase_of(every, name)
    elif kind == "t" and (arrow := flow.arrows.get(name)) is not None:
        found = phase_of(every, arrow.frm or arrow.to)
    elif kind == "p":
        places = [state for finding in findings if sel_in(sel, finding) for state in _places(flow, finding)]
        found = next((number for state in places if (number := phase_of(every, state))), 0)
    if found or not every:
        return found
    if lens.phase is not None:
        return lens.phase if lens.phase <= len(every) else 0
    return phase_for(flow, every, lens.before, findings, Lens()) if lens.before else 0


async def drawn(flow: Flow, look: Drawing, links: str | None, phase: int | None = None) -> tuple[Markup | None, str]:
    """The drawing for a page, or the reason why there is none: the flow itself is safe in any case."""
    try:
        if phase is not None and links is not None:
            svg: bytes | str = await draw_phases.of_phases(flow, replace(look, actions=False), phase, links=links)
        else:
            svg = await draw.picture(flow, look, "svg", links)
    except DrawingFailed as failure:
        return None, str(failure)
    # Made by our own builder from a short list of elements and attributes; every text in it is escaped.
    return Markup(svg), ""  # noqa: S704 - drawn by us


def _is_one(sel: str) -> bool:
    """Whether a finding itself is selected."""
    return sel.startswith("p:")


def _places(flow: Flow, finding: Shown) -> list[str]:
    arrows = [flow.arrows[name] for name in sorted(finding.transitions) if name in flow.arrows]
    return [*sorted(finding.states), *(arrow.frm or arrow.to for arrow in arrows)]
