"""A finding about conditions on one whole number as a line of its values, each with the arrows that it enables."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.checks.cases import enabled
from engine.core.checks.findings import Finding
from engine.core.flow import Field, FieldType, Flow, Transition
from engine.core.guards.syntax import Literal, walk
from engine.core.splits import heads

__all__ = ["Line", "Point", "number_line"]

CODES = ("G1", "G2")
MOST = 8
"""Values on one line: what a person takes in at a glance."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the number: the ids of the arrows that it enables, and whether it is the finding's example."""

    value: int
    arrows: tuple[str, ...]
    example: bool


@dataclass(frozen=True, slots=True)
class Line:
    """The points in order. `whole`: they are all the values that the number can have."""

    name: str
    points: tuple[Point, ...]
    whole: bool


def number_line(flow: Flow, finding: Finding) -> Line | None:
    """The line, or None where the arrows read anything but one whole number of the context."""
    witness = finding.witness or {}
    arrows = heads(flow.arrows[name] for name in finding.where.transitions if name in flow.arrows)
    if finding.code not in CODES or len(witness) != 1 or not arrows:
        return None
    (name, example), *_ = witness.items()
    declared = flow.context.get(name)
    read = {other for arrow in arrows if arrow.when is not None for other in arrow.when.names}
    if declared is None or declared.type is not FieldType.INT or read != {name} or not isinstance(example, int):
        return None
    values, whole = _values(declared, arrows, example)
    points = tuple(Point(value, enabled(arrows, {name: value}), value == example) for value in values)
    return Line(name, points, whole)


def _values(declared: Field, arrows: Iterable[Transition], example: int) -> tuple[list[int], bool]:
    """All values of a small range; of a large one those around the constants of the conditions and the example."""
    low, high = declared.min, declared.max
    if isinstance(low, int) and isinstance(high, int) and high - low < MOST:
        return list(range(low, high + 1)), True
    constants = {
        node.value
        for arrow in arrows
        if arrow.when is not None
        for node, _ in walk(arrow.when.root)
        if isinstance(node, Literal) and isinstance(node.value, int) and not isinstance(node.value, bool)
    }
    near = {value + step for value in constants | {example} for step in (-1, 0, 1)}
    inside = [v for v in near if (low is None or v >= low) and (high is None or v <= high)]
    nearest = sorted(inside, key=lambda value: (abs(value - example), value))[:MOST]
    return sorted(nearest), False
