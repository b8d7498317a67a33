"""Pictures of a large flow by phase, in any format: its overview, or one of its phases; a whole one where that is possible."""

from collections.abc import Sequence
from dataclasses import replace

from engine.adapters.graphviz import render
from engine.adapters.svg import themed
from engine.core.diagram.dot import MOST_STATES
from engine.core.diagram.graph import Drawing
from engine.core.diagram.overview import overview
from engine.core.diagram.phases import Phase, part, phases
from engine.core.flow import Flow
from engine.core.mermaid import mermaid_overview
from engine.services.draw import Format, fitting, picture, written

__all__ = ["OVERVIEW", "named", "of_phases", "usual"]

OVERVIEW = 0
"""The number of the drawing of all phases; theirs begin at 1."""


def usual(flow: Flow, format_: Format) -> int | None:
    """What is drawn when nobody chose: the whole flow (None), or the overview of one that no picture holds. As text of
    Mermaid there is no limit.
    """
    return OVERVIEW if len(flow.states) > MOST_STATES and format_ != "mmd" and phases(flow) else None


def named(every: Sequence[Phase], number: int) -> str:
    """A phase as a title says it: `2 · NOVO … FIM`."""
    return f"{number} · {every[number - 1].name}"


async def of_phases(
    flow: Flow, drawing: Drawing, number: int, format_: Format = "svg", links: str | None = None
) -> bytes | str:
    """One phase, or with OVERVIEW all of them; see `draw.picture`. A number has to be that of a phase."""
    every = phases(flow)
    if number:
        seen = part(flow, every, number)
        return await picture(seen.flow, replace(drawing, beyond=seen.beyond), format_, links)
    if format_ == "mmd":
        return mermaid_overview(flow, every, drawing)
    if format_ == "dot":
        return overview(
            flow, every, replace(drawing, icons=False, theme="light" if drawing.theme == "web" else drawing.theme)
        )
    svg = (await render(overview(flow, every, drawing), "svg")).decode()
    if drawing.ratio is not None:
        drawing = fitting(drawing, svg)
        svg = (await render(overview(flow, every, drawing), "svg")).decode()
    return await written(themed(svg, drawing.language, links, theme=drawing.theme), drawing, format_, flow)
