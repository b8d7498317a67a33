"""Edits that settle findings about conditions. Every one is proved before it is offered."""

from collections.abc import Iterator, Sequence
from itertools import islice

from engine.core.checks.findings import Fix, Where
from engine.core.checks.lookups import Lookups, guard_of
from engine.core.errors import GuardError
from engine.core.flow import Transition
from engine.core.guards.evaluate import UNDEFINED
from engine.core.guards.language import Expr, parse_guard, to_text
from engine.core.guards.printing import node_text
from engine.core.guards.prove import Sat, Unsat
from engine.core.guards.syntax import Compare, Literal

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def delete(arrow: Transition) -> Fix:
    """Taking the arrow away, with all branches where it is one of a split."""
    if arrow.share is not None:
        return Fix("delete_split", {"op": "delete_split", "id": arrow.id})
    return Fix("delete_transition", {"op": "delete_transition", "id": arrow.id})


def exclude(lookups: Lookups, event: str, first: Transition, second: Transition) -> Iterator[Fix]:
    """One or two ways to keep two arrows apart: the opposite condition where that is enough, else `… && !(…)`."""
    yield from islice(_exclusions(lookups, event, first, second), 2)


def _exclusions(lookups: Lookups, event: str, first: Transition, second: Transition) -> Iterator[Fix]:
    for kept, changed in ((first, second), (second, first)):
        guard, other = guard_of(kept), guard_of(changed)
        for text in _apart(guard, other):
            fixed = _read(lookups, event, text)
            if fixed is None:
                continue
            separate = isinstance(lookups.ask(event, [(guard, True), (fixed, True)]), Unsat)
            if separate and isinstance(lookups.ask(event, [(fixed, True)]), Sat):
                yield _change("change_condition", changed, fixed)
                break


def _apart(guard: Expr, other: Expr) -> Iterator[str]:
    opposite = _opposite(guard)
    if opposite is not None and _left(guard) == _left(other):
        yield opposite
    yield f"({to_text(other)}) && !({to_text(guard)})" if other.names else f"!({to_text(guard)})"


def fill(lookups: Lookups, where: Where, arrows: Sequence[Transition]) -> Iterator[Fix]:
    """Ways to close a gap: the opposite of the one other condition, or ignoring the event there on purpose."""
    event = where.event or ""
    if len(arrows) == 2:
        for kept, changed in ((arrows[0], arrows[1]), (arrows[1], arrows[0])):
            opposite = _opposite(guard_of(kept))
            same = _left(guard_of(kept)) == _left(guard_of(changed))
            # The opposite of one value is not what somebody meant who wrote another value.
            if opposite is None or not same or {_op(guard_of(kept)), _op(guard_of(changed))} & {"==", "!="}:
                continue
            fixed = _read(lookups, event, opposite)
            if fixed and isinstance(lookups.ask(event, lookups.none_of([guard_of(kept), fixed])), Unsat):
                yield _change("change_condition", changed, fixed)
                break
    if len(arrows) > 1:
        edit = {"op": "set_transition", "id": arrows[-1].id, "field": "when", "value": "otherwise"}
        yield Fix("make_otherwise", edit)
    elif where.state is not None:
        yield Fix("ignore", {"op": "ignore", "state": where.state, "event": event})


def with_has(lookups: Lookups, event: str, arrow: Transition) -> Iterator[Fix]:
    """The condition behind `has(…)` of each optional name that it reads, if that gives it an answer always."""
    guard, scope = guard_of(arrow), lookups.scope(event)
    unset = [name for name in sorted(guard.names) if scope[name].optional]
    if not unset:
        return
    asked = " && ".join(f"has({name})" for name in unset)
    whole = node_text(guard.root)
    fixed = _read(lookups, event, f"{asked} && ({whole})")
    if fixed is not None and isinstance(lookups.ask(event, [(fixed, UNDEFINED)]), Unsat):
        yield _change("guard_with_has", arrow, fixed)


def _opposite(guard: Expr) -> str | None:
    """The opposite of a comparison with a constant, which is true exactly where the guard is false."""
    root = guard.root
    if not isinstance(root, Compare) or not isinstance(root.right, Literal):
        return None
    return node_text(Compare(_OPPOSITE[root.op], root.left, root.right))


def _left(guard: Expr) -> object:
    return guard.root.left if isinstance(guard.root, Compare) else None


def _op(guard: Expr) -> str | None:
    return guard.root.op if isinstance(guard.root, Compare) else None


def _read(lookups: Lookups, event: str, text: str) -> Expr | None:
    try:
        return parse_guard(text, lookups.scope(event))
    except GuardError:
        return None  # past the language's limits


def _change(label: str, arrow: Transition, guard: Expr) -> Fix:
    return Fix(label, {"op": "set_transition", "id": arrow.id, "field": "when", "value": to_text(guard)})
