"""Pictures of planted faults for docs/checks.md: of each flow the part that its finding is about, the fault marked.

`python -m tests.core.corpus.pictures` from the root writes them again; look at what changed.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from engine.core.checks.findings import Finding
from engine.core.checks.run import check
from engine.core.diagram.graph import Drawing
from engine.core.document import read
from engine.core.flow import PREVIOUS, Flow
from engine.services.draw import picture
from tests.core.corpus.planted import Planted, corpus

FOLDER = Path(__file__).parents[3] / "docs" / "pictures" / "checks"
SHOWN: Mapping[str, str] = {
    "G1": "two touches at exactly two",
    "G2": "exactly two is in neither",
    "G3": "more touches than the field can count",
    "G4": "a state that answers a stop itself",
    "G5": "an instant that nobody set",
    "G6": "half a mark",
    "S1": "an island",
    "S2": "a silence that nobody counts",
    "S3": "a clock that does not exist",
    "S4": "a customer who is not heard",
    "S5": "two reviews that send to each other",
    "S6": "a payment that is waited for without end",
    "S7": "a counter that nobody raises",
    "R1": "a payment that is forgotten",
    "R2": "a state that does not let go",
    "R3": "a goodbye after the last touch",
    "R4": "the luck of the clock",
    "R5": "goodbye twice",
    "R6": "the link before anybody wants it",
    "R7": "an answer that does not count itself",
    "R8": "a nudge after any word",
}
"""The entry of the corpus that stands for each code that has a picture."""


def shown() -> Mapping[str, Planted]:
    """Entries by code."""
    named = {entry.name: entry for entry in corpus()}
    return {code: named[name] for code, name in SHOWN.items()}


async def drawn(entry: Planted) -> str:
    """The picture of an entry, as SVG."""
    flow = read(entry.faulty)
    found = next(f for f in check(flow) if f.code == entry.code)
    wrong = {*found.where.transitions, *_states(found)}
    drawing = Drawing(theme="light", language="en", problems=frozenset(wrong), title=f"{entry.code}: {entry.name}")
    svg = await picture(_part(flow, found), drawing, "svg")
    assert isinstance(svg, str)
    return svg if svg.endswith("\n") else svg + "\n"


def _states(found: Finding) -> tuple[str, ...]:
    stated = found.facts.get("states")
    several = tuple(map(str, stated)) if isinstance(stated, tuple) else ()
    return several or ((found.where.state,) if found.where.state is not None else ())


def _part(flow: Flow, found: Finding) -> Flow:
    """The states and arrows that the finding speaks of; where it names no arrow, those around its states."""
    states = _states(found)
    wanted = {*found.where.transitions, *(str(step["transition"]) for step in found.path or ())}
    if found.where.state is not None and found.where.event is not None:
        groups = (flow.global_group, flow.own_group)
        wanted |= {t.id for group in groups for t in group(found.where.state, found.where.event)}
    if not wanted & flow.arrows.keys() or found.code == "S1":
        wanted |= {t.id for t in flow.transitions if {t.frm, t.to} & set(states)}
    arrows = [t for name, t in flow.arrows.items() if name in wanted]
    kept = {*states, *(s for t in arrows for s in (t.frm, t.to) if s is not None and s != PREVIOUS)}
    known = {name: state for name, state in flow.states.items() if name in kept}
    return replace(
        flow,
        states=known,
        initial=flow.initial if flow.initial in known else next(iter(known)),
        transitions=tuple(t for t in flow.transitions if t in arrows),
        globals=tuple(replace(t, excepting=t.excepting & known.keys()) for t in flow.globals if t in arrows),
    )


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for code, entry in shown().items():
        (FOLDER / f"{code}.svg").write_text(await drawn(entry), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
