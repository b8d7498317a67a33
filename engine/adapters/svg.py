"""A drawing that Graphviz made, finished for a page or a file: only known elements, classes for colours, real links.

Everything is copied into a new tree from short lists of elements and attributes, so whatever else a drawing might hold
(scripts, styles, foreign objects, addresses) is simply not there. A strict content policy forbids `style` attributes,
so on the web every colour is a class (`df-ink` fills, `ds-ink` strokes, `dc-ink` colours) of static/diagram.css.
Exports keep their real colours.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from engine.adapters.legend import Legend
from engine.adapters.svg_copy import SVG, Finisher
from engine.core.diagram.icons import ICONS, STROKE
from engine.core.diagram.palette import Theme, colours
from engine.core.errors import DrawingFailed

FONTS = 'Arimo, Arial, "Liberation Sans", Helvetica, sans-serif'
LABELS = {
    "pt": "Diagrama do fluxo. Use as setas para andar entre estados e Enter para abrir.",
    "en": "Diagram of the flow. Use the arrow keys to walk between states and Enter to open.",
}
READABLE = 9 / 11
"""Pixels a point at which a label of 11 points is 9 pixels high: words are not drawn smaller."""
_DECLARATION = re.compile(r"<!(?:DOCTYPE|ENTITY)[^>]*>")


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawing's size in points."""

    width: float
    height: float


def frame(svg: str) -> Frame:
    """The size of a drawing as Graphviz says it."""
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg)
    if box is None:
        raise DrawingFailed("engine", "o desenho não diz seu tamanho")
    return Frame(float(box[1]), float(box[2]))


def overlapping(svg: str) -> bool:
    """Whether the labels of two lines lie on each other, which Graphviz does to lines between boxes side by side."""
    labels = []
    for rest in svg.split('class="edge')[1:]:
        group = rest.split('class="node', 1)[0]
        papers = re.findall(r'<polygon fill="[^"]+" stroke="none" points="([^"]+)"', group)
        corners = [tuple(map(float, pair.split(","))) for paper in papers for pair in paper.split()]
        if corners:
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            labels.append((min(xs), min(ys), max(xs), max(ys)))
    return any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
        for number, one in enumerate(labels)
        for other in labels[:number]
    )


def themed(
    svg: str,
    language: str = "pt-BR",
    links: str | None = None,
    *,
    theme: Theme = "web",
    quiet: bool = False,
    legend: Legend | None = None,
) -> str:
    """The drawing without prolog, with role, label, classes, icons, hit areas and links.

    For a page its size is the smallest at which its words can be read; style sheets may fit it to a window.

    `links` is the address of the flow's editor (`/flows/venda/draft`): links are then `?sel=s:NOVO`, and htmx gets
    `{links}/states/NOVO` or `{links}/transitions/t1` into `#panel`; a query in it (`…/draft?show=none`) stays in every
    link, and a phase is `?phase=2`. Each line then says its two boxes in `data-from` and `data-to`. `ANCHORS` links to
    places of the same page, and can be linked to there as `#d-s-NOVO`, `#d-t-t1`. None leaves no link at all, for
    exports. `quiet` greys what is neither selected, wrong nor different. `theme` is the one the drawing was made in. A
    `legend` makes the drawing of a file higher by as much as it needs.
    """
    try:
        found = ET.fromstring(_DECLARATION.sub("", svg))  # noqa: S314 - our own drawing, its declarations removed
    except ET.ParseError as problem:
        raise DrawingFailed("engine", "o desenho não é um SVG bem formado") from problem
    finisher = Finisher(links, None if theme == "web" else colours(theme))
    root = ET.Element("svg", {"xmlns": SVG, "viewBox": found.get("viewBox", "0 0 1 1")})
    root.attrib |= {"class": "fluxo quiet" if quiet else "fluxo", "role": "group" if links is not None else "img"}
    root.set("aria-label", LABELS["en" if language.startswith("en") else "pt"] if links else _plain_label(language))
    if theme != "web":
        root.set("font-family", FONTS)
    else:
        size = frame(svg)
        root.attrib |= {"width": f"{size.width * READABLE:.0f}", "height": f"{size.height * READABLE:.0f}"}
    inside = [copy for child in found for copy in finisher.copies(child)]
    for drawing in inside:
        _words_on_top(drawing)
    if legend is not None and theme != "web":
        inside = [*_below(root, frame(svg), legend, colours(theme)), *inside]
        finisher.icons |= legend.icons
    if finisher.icons:
        root.append(_symbols(sorted(finisher.icons)))
    root.extend(inside)
    return ET.tostring(root, encoding="unicode")


def _below(root: ET.Element, size: Frame, legend: Legend, paint: Mapping[str, str]) -> Iterator[ET.Element]:
    """Paper for all of it, and the legend; the drawing's own frame grows."""
    high = size.height + legend.height(size.width)
    root.set("viewBox", f"0.00 0.00 {size.width:.2f} {high:.2f}")
    corners = f"0,0 {size.width:.2f},0 {size.width:.2f},{high:.2f} 0,{high:.2f} 0,0"
    yield ET.Element("polygon", {"points": corners, "fill": paint["canvas"], "stroke": "none"})
    yield from legend.elements(size.width, size.height, paint)


def _words_on_top(drawing: ET.Element) -> None:
    """The labels of lines after all lines, so that no line crosses the words of another."""
    lines = [child for child in drawing if "edge" in child.get("class", "").split()]
    labels = []
    for line in lines:
        kept = ("class", "data-from", "data-to")
        label = ET.Element("g", {name: line.get(name, "") for name in kept if name in line.attrib})
        label.extend(line[1:])
        del line[1:]
        labels.append(label)
    after = list(drawing).index(lines[-1]) + 1 if lines else 0
    drawing[after:after] = [label for label in labels if len(label)]


def _plain_label(language: str) -> str:
    return "Diagram of the flow." if language.startswith("en") else "Diagrama do fluxo."


def _symbols(names: list[str]) -> ET.Element:
    """The icons that the drawing uses, inside it, so that it stands alone."""
    defs = ET.Element("defs")
    for name in names:
        symbol = ET.SubElement(defs, "symbol", {"id": f"di-{name}", "viewBox": "0 0 24 24"})
        ET.SubElement(symbol, "path", {"d": ICONS[name], **STROKE})
    return defs
