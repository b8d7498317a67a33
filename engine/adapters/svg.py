"""A drawing that Graphviz made, finished for a page or a file: only known elements, classes for colours, real links.

Everything is copied into a new tree from short lists of elements and attributes, so whatever else a drawing might hold
(scripts, styles, foreign objects, addresses) is simply not there. A strict content policy forbids `style` attributes,
so on the web every colour is a class (`df-ink` fills, `ds-ink` strokes, `dc-ink` colours) of static/diagram.css.
Exports keep their real colours.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from engine.adapters.legend import Legend
from engine.core.diagram.cells import ICON_NAMES, icon_code
from engine.core.diagram.icons import ICONS, STROKE
from engine.core.diagram.labels import NOTE, clean
from engine.core.diagram.palette import PLACEHOLDERS, TOKENS, Theme, colours
from engine.core.errors import DrawingFailed

SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}"
ANCHORS = "#"
"""In the place of an editor's address: a page that says each thing of the drawing in words, at `#c-s-NOVO`, `#c-t-t1`."""
FONTS = 'Arimo, Arial, "Liberation Sans", Helvetica, sans-serif'
LABELS = {
    "pt": "Diagrama do fluxo. Use as setas para andar entre estados e Enter para abrir.",
    "en": "Diagram of the flow. Use the arrow keys to walk between states and Enter to open.",
}
_SHAPE = ("fill", "stroke", "stroke-width", "stroke-dasharray")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "g": ("id", "class", "transform"),
    "path": ("d", *_SHAPE),
    "polygon": ("points", *_SHAPE),
    "polyline": ("points", *_SHAPE),
    "text": ("x", "y", "text-anchor", "font-weight", "font-size", "text-decoration", "fill"),
}
_TOKEN_OF = {colour: token for token, colour in PLACEHOLDERS.items()}
_REFERENCE = re.compile(r"#([stp]):([A-Za-z0-9_.~%-]+)")
_CODED = {icon_code(name, token): (name, token) for name in ICON_NAMES for token in TOKENS}
_RAISED, _SMALL = 0.08, 12
"""The large text of headers sits a little above the middle of its cell; its icon follows it."""
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
    finisher = _Finisher(links, None if theme == "web" else colours(theme))
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


class _Finisher:
    """Copies a tree, remembering which icons it met."""

    def __init__(self, links: str | None, colours: Mapping[str, str] | None) -> None:
        self._links = links
        self._colours = colours
        self.icons: set[str] = set()

    def copies(self, element: ET.Element, line_of: str | None = None) -> Iterator[ET.Element]:
        """The element's copy, none if it may not be there, or its children's where only the wrapping goes.

        `line_of` is the id of the edge that the element belongs to.
        """
        name = element.tag.removeprefix(f"{{{SVG}}}")
        if name == "a":
            yield from self._link(element, line_of)
        elif name == "polygon" and (code := _CODED.get(element.get("fill", ""))):
            yield from self._icon(element, *code)
        elif name in _ALLOWED:
            yield self._plain(element, name, line_of)

    def _plain(self, element: ET.Element, name: str, line_of: str | None) -> ET.Element:
        copy = ET.Element(name, {key: element.attrib[key] for key in _ALLOWED[name] if key in element.attrib})
        _coloured(copy)
        if name == "text":
            copy.text = element.text or ""
            return copy
        if "edge" in element.get("class", "").split():
            line_of = element.get("id", "")
            if self._links is not None:
                copy.attrib |= _ends(element)
        elif name == "g" and (own := element.get("id")) is not None and line_of is not None:
            line_of = line_of if own == f"a_{line_of}" else None
        if name == "g" and element.get("id", "").startswith("a_"):
            copy.attrib.pop("id")  # Graphviz's wrappings of links; their ids mean nothing to a page
        for child in element:
            copy.extend(self.copies(child, line_of))
        return copy

    def _link(self, element: ET.Element, line_of: str | None) -> Iterator[ET.Element]:
        children = [copy for child in element for copy in self.copies(child)]
        target = _REFERENCE.fullmatch(element.get(f"{_XLINK}href", ""))
        if self._links is None or target is None:
            yield from children
            return
        kind, spelled = target.groups()
        if self._links == ANCHORS:
            link = ET.Element("a", {"href": f"#c-{kind}-{spelled}"})
            if line_of is None:
                link.set("id", f"d-{kind}-{spelled}")
            yield self._finished(link, element, children, line_of)
            return
        base, _, kept = self._links.partition("?")
        folder = "states" if kind == "s" else "transitions"
        query = (f"?phase={spelled}" if kind == "p" else f"?sel={kind}:{spelled}") + (f"&{kept}" if kept else "")
        link = ET.Element("a", {"href": query, "data-sel": f"{kind}:{_typed(spelled)}"})
        if kind != "p":  # another phase is another page
            link.attrib |= {"hx-get": f"{base}/{folder}/{spelled}", "hx-target": "#panel", "hx-push-url": query}
        yield self._finished(link, element, children, line_of)

    def _finished(
        self, link: ET.Element, element: ET.Element, children: list[ET.Element], line_of: str | None
    ) -> ET.Element:
        """The link with its name and what is drawn in it."""
        if line_of is None:
            said = element.get(f"{_XLINK}title", "")
            link.set("aria-label", said)
            if NOTE in said:  # what the team wrote is read with the mouse as well
                title = ET.SubElement(link, "title")
                title.text = said
        else:  # the line itself is for the mouse: its label row is the link of the keyboard
            link.attrib |= {"tabindex": "-1", "aria-hidden": "true"}
            drawn = next((child for child in children if child.tag == "path"), None)
            if drawn is not None:
                link.append(ET.Element("path", {"d": drawn.get("d", ""), "class": "hit"}))
        link.extend(children)
        return link

    def _icon(self, cell: ET.Element, name: str, token: str) -> Iterator[ET.Element]:
        """The icon in the middle of its cell."""
        corners = [tuple(map(float, pair.split(","))) for pair in cell.get("points", "").split()]
        if not corners:
            return
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        wide, high = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
        size = min(wide, high)
        x, y = left + (wide - size) / 2, top + (high - size) / 2 - (size * _RAISED if size > _SMALL else 0)
        place = {"x": f"{x:.2f}", "y": f"{y:.2f}", "width": f"{size:.2f}", "height": f"{size:.2f}"}
        paint = {"class": f"dc-{token}"} if self._colours is None else {"color": self._colours[token]}
        self.icons.add(name)
        yield ET.Element("use", {"href": f"#di-{name}", **place, **paint})


def _ends(line: ET.Element) -> dict[str, str]:
    """The boxes at both ends of a line, as their links are called: Graphviz says them in the line's title."""
    start, arrow, end = (line.findtext(f"{{{SVG}}}title") or "").partition("->")
    return {"data-from": f"s:{_typed(start)}", "data-to": f"s:{_typed(end)}"} if arrow else {}


def _typed(spelled: str) -> str:
    """The name as it was typed, or as it is spelled when it holds what a page may not."""
    name = unquote(spelled)
    return name if clean(name, len(name) + 1) == name else spelled


def _coloured(copy: ET.Element) -> None:
    """Placeholder colours become classes; other colours stay."""
    names = [copy.get("class", "")]
    for attribute, prefix in (("fill", "df"), ("stroke", "ds")):
        token = _TOKEN_OF.get(copy.get(attribute, "").lower())
        if token is not None:
            del copy.attrib[attribute]
            names.append(f"{prefix}-{token}")
    if any(names):
        copy.set("class", " ".join(filter(None, names)))
