"""What one change made of a document, place by place, small enough to keep and to take back.

A place is a way into the document: `("states", "NOVO", "deadline")`, `("transitions", "t19")`, `("title",)`. Arrows are
found by id. In lists whose order has a meaning (understanding, rules, `ignore`) a step replaces neighbouring rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.canonical import canonical, digest

__all__ = ["Clash", "Step", "applied", "as_data", "clashes", "from_data", "inverse", "patch", "witness"]

Tree = dict[str, object]
_BY_ID = ("transitions", "globals")
_DEEPEST = 3
"""Section, entry, field: what a field holds is one value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One place that changed. `was` and `now` hold the value, and nothing where there was none.

    With `at` they are rows of a list, standing from that place on.
    """

    place: tuple[str, ...]
    was: tuple[object, ...]
    now: tuple[object, ...]
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Clash:
    """A step that does not find what it would replace. `there` is what stands in its place.

    `lost` when there is no place any more: what held it was taken out.
    """

    step: Step
    there: tuple[object, ...]
    lost: bool = False


def patch(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[Step, ...]:
    """The steps from one document to another; both as JSON, so without tuples."""
    return tuple(_between(old, new, ()))


def _between(old: Mapping[str, object], new: Mapping[str, object], way: tuple[str, ...]) -> list[Step]:
    found: list[Step] = []
    for name in sorted({*old, *new}):
        one, other, place = old.get(name), new.get(name), (*way, name)
        if name in old and name in new and _same(one, other):
            continue
        if not way and isinstance(one, list) and isinstance(other, list):
            if name in _BY_ID:
                found += _between(_by_id(one), _by_id(other), place)
                continue
            found.append(_spliced(one, other, place))
        elif isinstance(one, Mapping) and isinstance(other, Mapping) and len(place) < _DEEPEST:
            found += _between(one, other, place)
        else:
            found.append(Step(place, _value(old, name), _value(new, name)))
    return found


def _spliced(old: list[object], new: list[object], place: tuple[str, ...]) -> Step:
    """The rows that differ, without those at both ends that are the same."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if not _same(old[at], new[at])), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if not _same(old[-1 - at], new[-1 - at])), rest)
    return Step(place, tuple(old[head : len(old) - tail]), tuple(new[head : len(new) - tail]), head)


def inverse(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that take them back."""
    return tuple(Step(step.place, step.now, step.was, step.at) for step in reversed(steps))


def clashes(tree: Mapping[str, object], steps: Sequence[Step]) -> tuple[Clash, ...]:
    """The steps that would replace something else than what they knew; what is already as they want it is none."""
    return tuple(clash for step in steps if (clash := _clash(tree, step)) is not None)


def _clash(tree: Mapping[str, object], step: Step) -> Clash | None:
    if step.at is not None:
        rows = _rows(tree, step.place[0])
        if _standing(rows, step) is not None or not step.was:
            return None
        found = rows[step.at : step.at + len(step.was)]
        return Clash(step, tuple(found), lost=len(found) < len(step.was))
    holder = _inside(tree, step.place[:-1])
    there = () if holder is None else _value(holder, step.place[-1])
    if _same(there, step.was) or _same(there, step.now):
        return None
    return Clash(step, there, lost=holder is None)


def witness(found: Sequence[Clash]) -> str:
    """A word for what stands in the way, so that "do it anyway" is said about that and nothing newer."""
    return digest([[list(clash.step.place), list(clash.there)] for clash in found]) if found else ""


def applied(tree: Mapping[str, object], steps: Sequence[Step]) -> Tree:
    """The document with the steps made, whatever stands there. A place that is lost is left alone."""
    made: Tree = dict(tree)
    for step in steps:
        made = _listed(made, step) if step.at is not None else _put(made, step.place, step.now)
    return made


def _listed(tree: Tree, step: Step) -> Tree:
    section, rows = step.place[0], _rows(tree, step.place[0])
    at = _standing(rows, step)
    at = min(step.at or 0, len(rows)) if at is None else at
    return {**tree, section: [*rows[:at], *step.now, *rows[at + len(step.was) :]]}


def _standing(rows: Sequence[object], step: Step) -> int | None:
    """Where the rows that a step replaces stand by now: the place nearest to where they stood."""
    long, wanted = len(step.was), step.at or 0
    if not long:
        return None
    found = [at for at in range(len(rows) - long + 1) if _same(list(rows[at : at + long]), list(step.was))]
    return min(found, key=lambda at: abs(at - wanted), default=None)


def _put(tree: Tree, place: tuple[str, ...], value: tuple[object, ...]) -> Tree:
    name, rest = place[0], place[1:]
    if not rest:
        return _with(tree, name, value)
    if name in _BY_ID:
        by_id = _by_id(tree.get(name))
        changed = _put(by_id, rest, value) if len(rest) == 1 or rest[0] in by_id else by_id
        return _with(tree, name, (list(changed.values()),))
    held = tree.get(name)
    if not isinstance(held, Mapping):
        return tree
    return {**tree, name: _put(dict(held), rest, value)}


def _with(tree: Tree, name: str, value: tuple[object, ...]) -> Tree:
    kept = {key: entry for key, entry in tree.items() if key != name}
    return {**kept, name: value[0]} if value else kept


def _inside(tree: Mapping[str, object], way: tuple[str, ...]) -> Mapping[str, object] | None:
    at: object = tree
    for depth, name in enumerate(way):
        if not isinstance(at, Mapping):
            return None
        at = _by_id(at.get(name)) if depth == 0 and name in _BY_ID else at.get(name)
    return at if isinstance(at, Mapping) else None


def _by_id(rows: object) -> Tree:
    found = rows if isinstance(rows, list | tuple) else ()
    return {str(row["id"]): row for row in found if isinstance(row, Mapping) and "id" in row}


def _rows(tree: Mapping[str, object], section: str) -> list[object]:
    found = tree.get(section)
    return list(found) if isinstance(found, list | tuple) else []


def _value(holder: Mapping[str, object], name: str) -> tuple[object, ...]:
    return (holder[name],) if name in holder else ()


def _same(one: object, other: object) -> bool:
    return one is other or canonical([one]) == canonical([other])


def as_data(steps: Sequence[Step]) -> list[object]:
    """The steps as JSON."""
    return [[list(step.place), step.at, list(step.was), list(step.now)] for step in steps]


def from_data(data: Sequence[Sequence[object]]) -> tuple[Step, ...]:
    """The steps of `as_data`."""
    return tuple(_read(*row) for row in data)


def _read(place: object, at: object, was: object, now: object) -> Step:
    names, before, after = (tuple(part) if isinstance(part, list) else () for part in (place, was, now))
    return Step(tuple(map(str, names)), before, after, at if isinstance(at, int) else None)
