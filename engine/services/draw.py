"""The picture of a flow in any format: DOT or Mermaid text, SVG for a page or a file, PNG, PDF.

A picture of a ratio is a page: margins make up what the drawing lacks, never a stretched layout, and a PDF has the size
of that page. The first layout puts recovery states beside the road. If labels lie on each other there, or it is too wide for a screen,
two others are drawn, with recovery below, and the one that reads best is taken.
"""

import math
from asyncio import gather
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from engine.adapters.canvas import canvas
from engine.adapters.display import display, placed
from engine.adapters.graphviz import render
from engine.adapters.legend import Legend
from engine.adapters.pdf import pdf
from engine.adapters.svg import Frame, frame, overlapping, themed
from engine.core.diagram.dot import dot
from engine.core.diagram.graph import Drawing, Recovery
from engine.core.diagram.legend import Entry, legend
from engine.core.diagram.palette import colours
from engine.core.errors import DrawingFailed
from engine.core.flow import Flow
from engine.core.mermaid import mermaid

PAGES: Mapping[str, tuple[float, float]] = {
    "16x9": (960, 540),
    "4x3": (720, 540),
    "1x1": (540, 540),
    "a4": (842, 595),
}
"""Whole points of a page of each ratio, as the programs that show slides have them."""
Format: TypeAlias = Literal["svg", "png", "pdf", "dot", "mmd"]
PNG_DPI = 150
MOST_PIXELS = 16_000_000
WIDE_PIXELS = 1920
"""How wide a PNG of a given ratio is."""
OTHERS: tuple[Recovery, ...] = ("below", "last")
MOST_WITH_ACTIONS = 25
"""A flow of more states is drawn without actions; the sentences still say them."""
MOST_STATES_TRIED = 20
"""A flow of more states gets two layouts tried instead of three, to stay quick."""
EASY_WIDTH = 1600
"""Points that a wide screen shows without making the text small."""
CROWDED = 10.0
MARGIN = 0.25
_POINTS = 72
STRUCTURES_KEPT = 256
_chosen: dict[tuple[object, ...], Recovery] = {}
"""A memory of pure results, like that of the drawings: forgetting it changes nothing but time."""


async def picture(flow: Flow, drawing: Drawing, format: Format, links: str | None = None) -> bytes | str:  # noqa: A002 - users' word
    """The picture: text for svg, dot and mmd, bytes for png and pdf.

    `links` is the editor's address for the svg of a page. DrawingFailed tells why there is no picture.
    """
    if format == "mmd":
        return mermaid(flow, drawing)
    if format != "svg" and drawing.theme == "web":
        drawing = replace(drawing, theme="light")
    if len(flow.states) > MOST_WITH_ACTIONS:
        drawing = replace(drawing, actions=False)
    look, svg = await _laid_out(flow, drawing)
    if format == "dot":
        return dot(flow, replace(look, icons=False))
    below = Legend(legend(flow, look.language), look.pad[0] * _POINTS) if look.legend else None
    finished = themed(svg, look.language, links, theme=look.theme, quiet=look.quiet, legend=below)
    return await written(finished, look, format, flow)


async def written(finished: str, look: Drawing, format: Format, flow: Flow) -> bytes | str:  # noqa: A002 - users' word
    """A finished SVG in the format that is wanted."""
    if format == "svg":
        return finished
    size, items = display(finished)
    if look.ratio is not None:
        page = Frame(*PAGES[look.ratio])
        size, items = page, placed(size, items, page, colours(look.theme)["canvas"])
    if format == "pdf":
        return pdf(size, items, look.title or flow.title.within(look.language))
    if format == "png":
        return await render(canvas(size, items, colours(look.theme)["canvas"]), "png", _dpi(size, look))
    raise DrawingFailed("unsupported", f"o formato {format} não existe")


async def _laid_out(flow: Flow, drawing: Drawing) -> tuple[Drawing, str]:
    """The look in the layout that reads best, and its SVG."""
    look = replace(drawing, recovery=await _layout(flow, drawing))
    svg = await _svg(flow, look)
    if look.ratio is None:
        return look, svg
    look = fitting(look, svg, legend(flow, look.language) if look.legend else ())
    return look, await _svg(flow, look)


def fitting(look: Drawing, svg: str, entries: Sequence[Entry] = ()) -> Drawing:
    """The look with the margins that give this drawing, and a legend below it, its ratio."""
    return look if look.ratio is None else replace(look, pad=_padding(frame(svg), look.ratio, entries))


async def _layout(flow: Flow, drawing: Drawing) -> Recovery:
    """The layout for a flow, whatever is selected, wrong or counted: boxes do not jump when somebody clicks.

    Chosen once for a structure: an edit of words or times neither moves the boxes nor pays for the choice again.
    """
    structure = _structure(flow, drawing)
    if (known := _chosen.get(structure)) is not None:
        return known
    best = await _best(flow, drawing)
    while len(_chosen) >= STRUCTURES_KEPT:
        _chosen.pop(next(iter(_chosen)), None)
    _chosen[structure] = best
    return best


def _structure(flow: Flow, drawing: Drawing) -> tuple[object, ...]:
    """What the choice of a layout depends on: boxes and arrows, and whether actions make the labels long."""
    boxes = tuple(sorted((state.name, state.look, state.kind) for state in flow.states.values()))
    arrows = tuple(sorted((t.frm or "", t.to, t.on) for t in (*flow.transitions, *flow.globals)))
    outlook = (drawing.counts is None, drawing.traffic is None, tuple(sorted(drawing.beyond.incoming.items())))
    words = (drawing.actions, drawing.language, drawing.title, drawing.ids)
    return boxes, arrows, tuple(sorted(drawing.marks.items())), words, outlook, drawing.ratio


async def _best(flow: Flow, drawing: Drawing) -> Recovery:
    bare = replace(
        drawing,
        selected=None,
        current=None,
        problems=frozenset(),
        walked=frozenset(),
        counts=None if drawing.counts is None else {},
        traffic=None if drawing.traffic is None else {},
    )
    first = await _svg(flow, bare)
    if _faults(first) == 0:
        return bare.recovery
    others = OTHERS[:1] if len(flow.states) > MOST_STATES_TRIED else OTHERS
    drawn = await gather(*(_svg(flow, replace(bare, recovery=other)) for other in others), return_exceptions=True)
    tried = {bare.recovery: first} | {o: svg for o, svg in zip(others, drawn, strict=True) if isinstance(svg, str)}
    return min(tried, key=lambda recovery: _faults(tried[recovery]))


def _faults(svg: str) -> float:
    """How badly a drawing reads: labels on each other count most, then how small it gets on a wide screen."""
    size = frame(svg)
    shrunk = max(size.width / EASY_WIDTH, size.height / EASY_WIDTH * 2 if size.width > EASY_WIDTH else 0, 1) - 1
    return shrunk + (CROWDED if overlapping(svg) else 0)


async def _svg(flow: Flow, drawing: Drawing) -> str:
    """The drawing, with wider gaps when Graphviz complains about the layout."""
    try:
        return (await render(dot(flow, drawing), "svg")).decode()
    except DrawingFailed as problem:
        if problem.reason != "engine":
            raise
        return (await render(dot(flow, replace(drawing, spread=drawing.spread * 2)), "svg")).decode()


def _padding(size: Frame, ratio: str, entries: Sequence[Entry]) -> tuple[float, float]:
    """Margins in inches that give the picture, with the legend below it, its ratio ("16x9") without stretching it.

    A wider margin leaves the legend more room and so may make it lower: a few rounds settle that.
    """
    across, down = _sides(ratio)
    wide, below = size.width, 0.0
    for _ in range(4):
        aside = MARGIN * _POINTS + (wide - size.width) / 2
        below = Legend(entries, aside).height(wide)
        wide = max(size.width, (size.height + below) * across / down, wide)
    high = max(size.height, wide * down / across - below)
    return MARGIN + (wide - size.width) / 2 / _POINTS, MARGIN + (high - size.height) / 2 / _POINTS


def _sides(ratio: str) -> tuple[float, float]:
    """Width and height of a ratio's page; a sheet of A4 lies on its side. Raises DrawingFailed."""
    if ratio not in PAGES:
        raise DrawingFailed("unsupported", f"a proporção {ratio[:20]} não existe")
    return PAGES[ratio]


def _dpi(size: Frame, look: Drawing) -> float:
    """Dots per inch: sharp, as wide as slides are for a ratio, and never more pixels than memory bears."""
    wanted = WIDE_PIXELS * _POINTS / size.width if look.ratio else PNG_DPI
    bearable = _POINTS * math.sqrt(MOST_PIXELS / (size.width * size.height))
    return max(24.0, min(wanted, bearable))
