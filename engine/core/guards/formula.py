"""Boolean formulas over numbered atoms, in negation normal form, and their clauses.

A formula is True, False, a literal (an atom's number, negative when denied), All or Some. Numbers start at 1.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one part holds."""

    parts: tuple["Formula", ...]


Formula: TypeAlias = bool | int | All | Some
Clause: TypeAlias = tuple[int, ...]

_SMALL = 4
"""Up to so many clauses a disjunction is multiplied out; a larger one gets names for its parts."""


def every(*parts: Formula) -> Formula:
    """The conjunction, constants gone."""
    kept: list[Formula] = []
    for part in parts:
        if part is False:
            return False
        if isinstance(part, All):
            kept.extend(part.parts)
        elif part is not True:
            kept.append(part)
    if not kept:
        return True
    return kept[0] if len(kept) == 1 else All(tuple(dict.fromkeys(kept)))


def some(*parts: Formula) -> Formula:
    """The disjunction, constants gone."""
    kept: list[Formula] = []
    for part in parts:
        if part is True:
            return True
        if isinstance(part, Some):
            kept.extend(part.parts)
        elif part is not False:
            kept.append(part)
    if not kept:
        return False
    return kept[0] if len(kept) == 1 else Some(tuple(dict.fromkeys(kept)))


def deny(formula: Formula) -> Formula:
    """The negation, pushed down to the literals."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, int):
        return -formula
    parts = tuple(deny(part) for part in formula.parts)
    return some(*parts) if isinstance(formula, All) else every(*parts)


def clauses(formula: Formula, fresh: Callable[[], int]) -> tuple[Clause, ...]:
    """Clauses that can be satisfied exactly when the formula can; `fresh` numbers the names of parts."""
    return tuple(dict.fromkeys(_clauses(formula, fresh)))


def _clauses(formula: Formula, fresh: Callable[[], int]) -> list[Clause]:
    if isinstance(formula, bool):
        return [] if formula else [()]
    if isinstance(formula, int):
        return [(formula,)]
    if isinstance(formula, All):
        return [clause for part in formula.parts for clause in _clauses(part, fresh)]
    return _disjunction([_clauses(part, fresh) for part in formula.parts], fresh)


def _disjunction(options: list[list[Clause]], fresh: Callable[[], int]) -> list[Clause]:
    size = 1
    for option in options:
        size *= len(option)
    if size <= _SMALL:
        product: list[Clause] = [()]
        for option in options:
            product = [_joined(left, right) for left in product for right in option]
        return [clause for clause in product if not _trivial(clause)]
    heads: list[int] = []
    below: list[Clause] = []
    for option in options:
        if len(option) == 1 and len(option[0]) == 1:
            heads.append(option[0][0])
        else:
            # One direction is enough: where the name is true the part holds.
            name = fresh()
            heads.append(name)
            below.extend((-name, *clause) for clause in option)
    return [_joined(tuple(heads), ()), *below]


def _joined(left: Clause, right: Iterable[int]) -> Clause:
    return tuple(dict.fromkeys((*left, *right)))


def _trivial(clause: Clause) -> bool:
    return any(-literal in clause for literal in clause)
