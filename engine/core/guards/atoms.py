"""The vocabulary of one proof: which numbered atom says what, and which numeric variables there are.

A bound or weight is a pair (value, epsilon): (3, 0) is "at most 3", (3, -1) is "less than 3" on real numbers. Pairs
compare and add like numbers with an infinitesimal part, so strictness needs no special cases.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from engine.core.guards.kinds import FIELD_INSTANT_MAX, FIELD_RANGE, INT_MAX, NOW_MIN, Declared, Kind, Scope
from engine.core.guards.syntax import Node

Number: TypeAlias = int | Fraction
Weight: TypeAlias = tuple[Number, int]
Edge: TypeAlias = tuple[int, int, Weight]
"""left - right <= weight, between variables."""

ZERO = 0
"""The variable that is always 0; a bound is a difference to it."""
GREATEST_DOUBLE = Fraction(1.7976931348623157e308)
USUAL_NOW = 1_767_225_600_000
"""What a witness says of `now()` when nothing constrains it: 2026-01-01."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A numeric unknown. `of` says what it stands for; `usual` is the value that a witness takes if it may."""

    of: str
    name: str
    integral: bool
    low: Number
    high: Number
    usual: Number = 0


@dataclass(frozen=True, slots=True)
class AtMost:
    """left - right <= weight."""

    left: int
    right: int
    weight: Weight


@dataclass(frozen=True, slots=True)
class Flag:
    """`of` is has (set), value (of a bool), named (a part of a formula), finite or truth (of an opaque node)."""

    of: str
    name: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A text is in a list."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Equals:
    """A text is a constant."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Same:
    """Two texts are equal; the names are in order."""

    name: str
    other: str


@dataclass(frozen=True, slots=True)
class Tested:
    """A text starts with, ends with or contains a constant."""

    name: str
    test: str
    text: str


Atom: TypeAlias = AtMost | Flag | Listed | Equals | Same | Tested


class Vocabulary:
    """Numbers atoms and variables as they are first spoken of."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.atoms: list[Atom] = [Flag("named", "")]
        self.variables: list[Variable] = [Variable("zero", "", integral=True, low=0, high=0)]
        self.edges: list[tuple[Edge, Edge] | None] = [None]
        """For each atom that is a bound or a difference: what it says when true and when false."""
        self._numbers: dict[Atom, int] = {}
        self._variable_numbers: dict[tuple[str, str], int] = {}
        self._names = 0

    def atom(self, atom: Atom) -> int:
        number = self._numbers.get(atom)
        if number is None:
            number = self._numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
            self.edges.append(self._edges(atom) if isinstance(atom, AtMost) else None)
        return number

    def _edges(self, atom: AtMost) -> tuple[Edge, Edge]:
        left, right, weight = atom.left, atom.right, atom.weight
        return (left, right, weight), (right, left, self.opposite(left, right, weight))

    def fresh(self) -> int:
        """A new name for a part of a formula."""
        self._names += 1
        return self.atom(Flag("named", str(self._names)))

    def at_most(self, left: int, right: int, weight: Weight) -> int:
        """The literal for left - right <= weight; it and its opposite share one atom."""
        if right != ZERO and (left == ZERO or right < left):
            return -self.atom(AtMost(right, left, self.opposite(left, right, weight)))
        return self.atom(AtMost(left, right, weight))

    def opposite(self, left: int, right: int, weight: Weight) -> Weight:
        """The weight of right - left <= w that says exactly: not left - right <= weight."""
        value, epsilon = weight
        if self.variables[left].integral and self.variables[right].integral:
            return (-value - 1, 0)
        return (-value, -1 - epsilon)

    def of_name(self, name: str) -> int:
        declared = self.scope[name]
        low, high = _range(declared)
        usual = USUAL_NOW if declared.kind is Kind.TIMESTAMP else 0
        return self.variable(Variable("name", name, declared.kind is not Kind.DOUBLE, low, high, usual))

    def of_size(self, name: str) -> int:
        usual = 1 if self.scope[name].kind is Kind.TEXT else 0
        return self.variable(Variable("size", name, integral=True, low=0, high=INT_MAX, usual=usual))

    def now(self) -> int:
        return self.variable(Variable("now", "", integral=True, low=NOW_MIN, high=FIELD_INSTANT_MAX, usual=USUAL_NOW))

    def variable(self, variable: Variable) -> int:
        key = (variable.of, variable.name)
        number = self._variable_numbers.get(key)
        if number is None:
            number = self._variable_numbers[key] = len(self.variables)
            self.variables.append(variable)
        return number

    def size_of(self, name: str) -> int | None:
        """The variable of a size, if anybody spoke of it."""
        return self._variable_numbers.get(("size", name))


def _range(declared: Declared) -> tuple[Number, Number]:
    if declared.kind is Kind.DOUBLE:
        low = -GREATEST_DOUBLE if declared.min is None else Fraction(declared.min)
        high = GREATEST_DOUBLE if declared.max is None else Fraction(declared.max)
        return low, high
    low_int, high_int = FIELD_RANGE[declared.kind]
    if declared.min is not None:
        low_int = max(low_int, -int(-declared.min // 1))
    if declared.max is not None:
        high_int = min(high_int, int(declared.max // 1))
    return low_int, high_int
