"""Which of several arrows fires in which case: the values of what their conditions read, and the arrows that they enable."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from engine.core.flow import MINUTE, Transition
from engine.core.guards.evaluate import evaluate
from engine.core.guards.kinds import Declared, Kind, Scope
from engine.core.guards.syntax import Compare, Has, ListLiteral, Literal, Logic, Member, Name, Node, Not, TextTest, walk
from engine.core.guards.three_valued import Held

__all__ = ["OTHER", "Case", "cases", "enabled"]

MOST = 8
"""Cases side by side: what a person takes in at a glance."""
_TRIED = 2_000
OTHER = "…"
"""Stands for any text that no condition names."""
_STEPS = {Kind.DURATION: MINUTE}
"""How far beside a constant it is looked, where one is too little to be told."""
_READABLE = (Literal, ListLiteral, Name, Has, TextTest, Member, Compare, Not, Logic)


@dataclass(frozen=True, slots=True)
class Case:
    """Values by field, None for what is not set; the ids of the arrows that fire. `onwards` (one number alone): and so on
    above it, `below`: and below it.
    """

    values: Mapping[str, Held | None]
    fires: tuple[str, ...]
    onwards: bool = False
    below: bool = False


def enabled(arrows: Iterable[Transition], values: Mapping[str, Held]) -> tuple[str, ...]:
    """The arrows that may fire, as the interpreter sees it: `otherwise` where no other condition holds (R3)."""
    every = tuple(arrows)
    found = tuple(a.id for a in every if not a.otherwise and (a.when is None or evaluate(a.when, values, 0) is True))
    return found or tuple(a.id for a in every if a.otherwise)


def cases(arrows: Sequence[Transition], scope: Scope) -> tuple[Case, ...] | None:
    """At most eight cases, among them one for each way in which the arrows fire; None where the conditions compare fields
    with each other, compute or read the clock, for then no short table is true.
    """
    roots = [arrow.when.root for arrow in arrows if arrow.when is not None]
    nodes = [node for root in roots for node, _ in walk(root)]
    if not nodes or not all(isinstance(node, _READABLE) and _is_plain(node) for node in nodes):
        return None
    tried = _tried(nodes, scope)
    if len(tried) == 1 and all(isinstance(value, int) for (value, *_) in tried.values()):
        (name, values), *_ = tried.items()
        if scope[name].kind is Kind.INT:
            return _line(arrows, name, [value for value in values if isinstance(value, int)], scope[name])
    every = [
        Case(dict(zip(tried, combined, strict=True)), _fires(arrows, dict(zip(tried, combined, strict=True))))
        for combined in islice(product(*tried.values()), _TRIED)
    ]
    return _telling(every)


def _is_plain(node: Node) -> bool:
    """Whether one field is compared with constants; a name elsewhere than in a test of its own is a truth value."""
    match node:
        case Compare(left=left, right=right):
            return isinstance(left, Name) and isinstance(right, Literal) and left.kind is not Kind.TIMESTAMP
        case TextTest(subject=subject, argument=argument):
            return isinstance(subject, Name) and isinstance(argument, Literal)
        case Member(needle=needle, haystack=haystack):
            return {type(needle), type(haystack)} in ({Name, ListLiteral}, {Literal, Name})
    return True


def _tried(nodes: Sequence[Node], scope: Scope) -> dict[str, tuple[Held | None, ...]]:
    """For each field the values around the constants that it is compared with, and nothing where it may be missing."""
    constants: dict[str, list[Held]] = {}
    for node in nodes:
        match node:
            case Compare(left=Name(name=name), right=Literal(value=value)) if value is not None:
                constants.setdefault(name, []).append(value)
            case TextTest(subject=Name(name=name), argument=Literal(value=value)) if value is not None:
                constants.setdefault(name, []).append(value)
            case Member(needle=Name(name=name), haystack=ListLiteral(items=items)):
                constants.setdefault(name, []).extend(item.value for item in items if item.value is not None)
            case Member(needle=Literal(value=value), haystack=Name(name=name)) if value is not None:
                constants.setdefault(name, []).append(value)
            case Name(name=name) | Has(name=name):
                constants.setdefault(name, [])
    return {name: _values(scope[name], found) for name, found in constants.items()}


def _values(declared: Declared, constants: Sequence[Held]) -> tuple[Held | None, ...]:
    missing: tuple[None, ...] = (None,) if declared.optional else ()
    if declared.kind is Kind.BOOL:
        return (True, False, *missing)
    if declared.kind is Kind.LIST:
        return (*((value,) for value in dict.fromkeys(constants) if isinstance(value, str)), (), *missing)
    if declared.kind is Kind.TEXT:
        named = dict.fromkeys(value for value in constants if isinstance(value, str))
        return (*(declared.values or (*named, OTHER)), *missing)
    numbers = {value for value in constants if isinstance(value, int | float)}
    step = _STEPS.get(declared.kind, 1)
    near = {value + beside for value in numbers or {0} for beside in (-step, 0, step)}
    low, high = declared.min, declared.max
    inside = [v for v in near if (low is None or v >= low) and (high is None or v <= high)]
    return (*sorted(inside), *missing)


def _fires(arrows: Sequence[Transition], values: Mapping[str, Held | None]) -> tuple[str, ...]:
    return enabled(arrows, {name: value for name, value in values.items() if value is not None})


def _line(arrows: Sequence[Transition], name: str, values: Sequence[int], declared: Declared) -> tuple[Case, ...]:
    """The values of one whole number in order; equal neighbours at both ends are one case each."""
    line = [Case({name: value}, _fires(arrows, {name: value})) for value in values]
    missing = [Case({name: None}, _fires(arrows, {}))] if declared.optional else []
    while len(line) > 2 and line[-1].fires == line[-2].fires:
        line.pop()
    while len(line) > 2 and line[0].fires == line[1].fires and (declared.min is None or len(line) > MOST):
        line.pop(0)
    first, last = line[0], line[-1]
    onwards = declared.max is None or next(iter(last.values.values())) != declared.max
    below = declared.min is None or next(iter(first.values.values())) != declared.min
    line[-1] = Case(last.values, last.fires, onwards=onwards)
    line[0] = Case(first.values, first.fires, onwards=line[0].onwards, below=below)
    return (*_shortened(line), *missing)


def _shortened(line: Sequence[Case]) -> Sequence[Case]:
    """Of too many cases those where something changes."""
    if len(line) <= MOST:
        return line
    turns = [n for n, case in enumerate(line) if n in (0, len(line) - 1) or case.fires != line[n - 1].fires]
    return [line[n] for n in turns[:MOST]]


def _telling(every: Sequence[Case]) -> tuple[Case, ...]:
    """One case for each way of firing, what clashes first, then more while there is room, in their order."""
    firsts = {case.fires: number for number, case in reversed(list(enumerate(every)))}
    ranked = sorted(firsts.values(), key=lambda n: (len(every[n].fires) < 2, n))[:MOST]
    rest = [n for n in range(len(every)) if n not in ranked][: MOST - len(ranked)]
    return tuple(every[n] for n in sorted((*ranked, *rest)))
