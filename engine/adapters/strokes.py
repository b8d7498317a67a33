"""The data of an SVG path taken apart, for the formats that need lines instead of a path.

Knows what icons and Graphviz use: M L H V C S A Z, absolute and relative, arcs of circles only.
"""

import math
import re
from collections.abc import Iterator
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Curve: TypeAlias = tuple[Point, Point, Point]
"""A cubic curve from where one is: two handles and an end."""

_TOKEN = re.compile(r"[a-zA-Z]|-?(?:\d+\.\d+|\.\d+|\d+)")
_QUARTER = math.pi / 2


def strokes(path: str) -> list[tuple[Point, list[Curve]]]:
    """Each stroke as its start and the curves that follow; straight lines are curves too. ValueError if unreadable."""
    found: list[tuple[Point, list[Curve]]] = []
    tokens = _TOKEN.findall(path)
    at, handle, command, position = (0.0, 0.0), (0.0, 0.0), "", 0

    def take(count: int) -> list[float]:
        nonlocal position
        position += count
        return [float(token) for token in tokens[position - count : position]]

    while position < len(tokens):
        if tokens[position].isalpha():
            command, position = tokens[position], position + 1
        ox, oy = at if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "M":
            x, y = take(2)
            at = handle = (ox + x, oy + y)
            found.append((at, []))
            command = "l" if command.islower() else "L"
            continue
        start, curves = found[-1]
        match kind:
            case "Z":
                added = [_line(at, start)]
            case "L":
                x, y = take(2)
                added = [_line(at, (ox + x, oy + y))]
            case "H":
                added = [_line(at, (ox + take(1)[0], at[1]))]
            case "V":
                added = [_line(at, (at[0], oy + take(1)[0]))]
            case "C":
                x1, y1, x2, y2, x, y = take(6)
                added = [((ox + x1, oy + y1), (ox + x2, oy + y2), (ox + x, oy + y))]
            case "S":
                x2, y2, x, y = take(4)
                mirrored = (2 * at[0] - handle[0], 2 * at[1] - handle[1])
                added = [(mirrored, (ox + x2, oy + y2), (ox + x, oy + y))]
            case "A":
                radius, _, _, large, sweep, x, y = take(7)
                added = list(_arc(at, (ox + x, oy + y), radius, large=large != 0, sweep=sweep != 0))
            case _:
                raise ValueError(command)
        curves += added
        handle, at = added[-1][1:] if added else (at, at)
    return found


def _line(start: Point, end: Point) -> Curve:
    return start, end, end


def _arc(start: Point, end: Point, radius: float, *, large: bool, sweep: bool) -> Iterator[Curve]:
    """A circle's arc as curves of at most a quarter turn; the flags say on which side its centre lies."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = x2 - x1, y2 - y1
    distance = math.hypot(dx, dy) or 1.0
    radius = max(radius, distance / 2)
    offset = math.sqrt(max(0.0, radius * radius - distance * distance / 4)) * (-1 if large == sweep else 1)
    cx, cy = (x1 + x2) / 2 - offset * dy / distance, (y1 + y2) / 2 + offset * dx / distance
    begin, finish = math.atan2(y1 - cy, x1 - cx), math.atan2(y2 - cy, x2 - cx)
    turn = (finish - begin) % math.tau if sweep else -((begin - finish) % math.tau)
    pieces = max(1, math.ceil(abs(turn) / _QUARTER - 1e-9))
    step = turn / pieces
    reach = 4 / 3 * math.tan(step / 4) * radius
    for piece in range(pieces):
        one, other = begin + piece * step, begin + (piece + 1) * step
        p1 = (cx + radius * math.cos(one), cy + radius * math.sin(one))
        p2 = (cx + radius * math.cos(other), cy + radius * math.sin(other))
        yield (
            (p1[0] - reach * math.sin(one), p1[1] + reach * math.cos(one)),
            (p2[0] + reach * math.sin(other), p2[1] - reach * math.cos(other)),
            p2,
        )
