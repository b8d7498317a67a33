"""Copying a drawing of Graphviz element by element, from short lists of what may be there; links become the page's own."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from engine.core.diagram.cells import ICON_NAMES, icon_code
from engine.core.diagram.labels import NOTE, clean
from engine.core.diagram.palette import PLACEHOLDERS, TOKENS

__all__ = ["ANCHORS", "SVG", "Finisher"]

SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}"
ANCHORS = "#"
"""In the place of an editor's address: a page that says each thing of the drawing in words, at `#c-s-NOVO`, `#c-t-t1`."""
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


class Finisher:
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
