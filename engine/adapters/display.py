"""A finished export drawing as a flat list of shapes and words, bottom to top, for formats other than SVG.

Lengths are points, the origin is the top left corner, y grows downwards.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias
from xml.etree import ElementTree as ET

from engine.adapters.strokes import Curve, Point, strokes
from engine.adapters.svg import Frame, frame
from engine.adapters.svg_copy import SVG
from engine.core.diagram.icons import ICONS, STROKE

_GRID = 24
_MOVED = re.compile(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)")


@dataclass(frozen=True, slots=True)
class Shape:
    """One outline: filled, stroked or both; colours are `#rrggbb` or None."""

    start: Point
    curves: tuple[Curve, ...]
    fill: str | None
    stroke: str | None
    width: float = 1.0
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text from its left end on the base line."""

    at: Point
    text: str
    size: float
    colour: str
    bold: bool = False


Item: TypeAlias = Shape | Words


def display(svg: str) -> tuple[Frame, list[Item]]:
    """What an export drawing of `svg.themed` shows."""
    root = ET.fromstring(svg)  # noqa: S314 - made by svg.themed, which copies from a list of known elements
    return frame(svg), [item for child in root for item in _items(child, 0.0, 0.0)]


def placed(size: Frame, items: list[Item], page: Frame, paper: str) -> list[Item]:
    """The same on a page of this colour: as large as it can be, in the middle, a point away from the edges, because
    Graphviz draws a little beyond its own frame.
    """
    scale = min((page.width - 2) / size.width, (page.height - 2) / size.height)
    left, top = (page.width - size.width * scale) / 2, (page.height - size.height * scale) / 2
    corners = [(page.width, 0.0), (page.width, page.height), (0.0, page.height), (0.0, 0.0)]
    sheet = Shape((0.0, 0.0), tuple((corner, corner, corner) for corner in corners), paper, None)
    return [sheet, *(_on_page(item, scale, left, top) for item in items)]


def _on_page(item: Item, scale: float, left: float, top: float) -> Item:
    if isinstance(item, Words):
        return replace(item, at=_put(item.at, scale, left, top), size=item.size * scale)
    return replace(
        item,
        start=_put(item.start, scale, left, top),
        curves=tuple(_moved(curve, scale, left, top) for curve in item.curves),
        width=item.width * scale,
        dashes=tuple(dash * scale for dash in item.dashes),
    )


def _items(element: ET.Element, dx: float, dy: float) -> Iterator[Item]:
    match element.tag.removeprefix(f"{{{SVG}}}"):
        case "g":
            moved = _MOVED.search(element.get("transform", ""))
            if moved is not None:
                dx, dy = dx + float(moved[1]), dy + float(moved[2])
            for child in element:
                yield from _items(child, dx, dy)
        case "path":
            for start, curves in strokes(element.get("d", "")):
                yield _shape(element, start, curves, dx, dy)
        case "polygon" | "polyline":
            points = [_point(pair) for pair in element.get("points", "").split()]
            yield _shape(element, points[0], [(a, b, b) for a, b in pairwise(points)], dx, dy)
        case "text":
            at = (float(element.get("x", 0)) + dx, float(element.get("y", 0)) + dy)
            bold, size = element.get("font-weight") == "bold", float(element.get("font-size", 12))
            yield Words(at, element.text or "", size, _colour(element.get("fill")) or "#000000", bold)
        case "use":
            yield from _icon(element, dx, dy)
        case _:
            return


def _icon(element: ET.Element, dx: float, dy: float) -> Iterator[Shape]:
    scale = float(element.get("width", 0)) / _GRID
    left, top = float(element.get("x", 0)) + dx, float(element.get("y", 0)) + dy
    width = float(STROKE["stroke-width"]) * scale
    for start, curves in strokes(ICONS[element.get("href", "").removeprefix("#di-")]):
        placed = [_moved(curve, scale, left, top) for curve in curves]
        yield Shape(_put(start, scale, left, top), tuple(placed), None, element.get("color"), width)


def _shape(element: ET.Element, start: Point, curves: list[Curve], dx: float, dy: float) -> Shape:
    return Shape(
        _put(start, 1, dx, dy),
        tuple(_moved(curve, 1, dx, dy) for curve in curves),
        _colour(element.get("fill")),
        _colour(element.get("stroke")),
        float(element.get("stroke-width", 1)),
        tuple(float(part) for part in element.get("stroke-dasharray", "").split(",") if part),
    )


def _put(point: Point, scale: float, dx: float, dy: float) -> Point:
    return point[0] * scale + dx, point[1] * scale + dy


def _moved(curve: Curve, scale: float, dx: float, dy: float) -> Curve:
    one, two, end = curve
    return _put(one, scale, dx, dy), _put(two, scale, dx, dy), _put(end, scale, dx, dy)


def _point(pair: str) -> Point:
    x, y = pair.split(",")
    return float(x), float(y)


def _colour(value: str | None) -> str | None:
    named = {"black": "#000000", "white": "#ffffff"}
    return named.get(value or "none", value if value and value.startswith("#") else None)
