"""G1 to G6: in every context exactly one arrow of a lookup is enabled, and every condition has an answer.

The branches of a split have one condition, which is judged once; what is found is told of all of them.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.core.checks.findings import Finding, Where
from engine.core.checks.fixes import delete, exclude, fill, with_has
from engine.core.checks.lookups import Group, Lookups, guard_of, shown
from engine.core.checks.sentences import finding
from engine.core.flow import Transition
from engine.core.guards.evaluate import UNDEFINED
from engine.core.guards.language import to_text
from engine.core.guards.prove import Sat, Unknown, Unsat
from engine.core.splits import heads, same_split

SUGGESTED = 10
"""Overlaps of one group that get fixes: each fix is proved, and nobody reads the hundredth."""


def check_determinism(lookups: Lookups) -> Iterator[Finding]:
    """All findings about conditions, each group judged once however many states share it."""
    flow = lookups.flow
    seen: set[tuple[str, ...]] = set()
    events = list(dict.fromkeys((*flow.events, *(t.on for t in flow.arrows.values()))))
    for event in events:
        for state in flow.states:
            for arrows, is_global in ((flow.global_group(state, event), True), (flow.own_group(state, event), False)):
                ids = tuple(t.id for t in arrows)
                if arrows and ids not in seen:
                    seen.add(ids)
                    yield from _group(lookups, None if is_global else state, Group(event, is_global, arrows))
        yield from _gaps(lookups, event)
        yield from _shadowed(lookups, event)


def _group(lookups: Lookups, state: str | None, group: Group) -> Iterator[Finding]:
    event, guarded = group.event, heads(group.guarded)
    for arrow in guarded:
        yield from _alone(lookups, state, event, arrow)
    overlaps = 0
    for first, second in combinations(guarded, 2):
        for found in _pair(lookups, state, event, first, second, suggest=overlaps < SUGGESTED):
            overlaps += 1
            yield found
    rest = [t for t in heads(group.arrows) if t.otherwise]
    if rest:
        guards = [guard_of(t) for t in guarded]
        answer = lookups.ask(event, lookups.none_of(guards))
        if isinstance(answer, Unsat):
            for arrow in rest:
                where = Where(state, event, _ids(lookups, arrow))
                yield finding("G3", where, fixes=(delete(arrow),), variant="otherwise")
        for first, second in combinations(rest, 2):
            where = Where(state, event, _ids(lookups, first, second))
            if isinstance(answer, Sat):
                yield finding("G1", where, witness=shown(answer, guards))
            elif isinstance(answer, Unknown):
                yield finding("G6", where)


def _ids(lookups: Lookups, *arrows: Transition) -> tuple[str, ...]:
    """The arrows, each with the other branches of its split: what is said of their condition is said of all."""
    every = lookups.flow.arrows.values()
    return tuple(t.id for arrow in arrows for t in every if t is arrow or same_split(arrow, t))


def _alone(lookups: Lookups, state: str | None, event: str, arrow: Transition) -> Iterator[Finding]:
    guard, where = guard_of(arrow), Where(state, event, _ids(lookups, arrow))
    if isinstance(lookups.ask(event, [(guard, True)]), Unsat):
        yield finding("G3", where, fixes=(delete(arrow),), guard=to_text(guard))
    undefined = lookups.ask(event, [(guard, UNDEFINED)])
    if isinstance(undefined, Sat):
        suggested = tuple(with_has(lookups, event, arrow))
        yield finding("G5", where, witness=shown(undefined, [guard]), fixes=suggested, guard=to_text(guard))
    elif isinstance(undefined, Unknown):
        yield finding("G6", where, variant="undefined", guard=to_text(guard))


def _pair(
    lookups: Lookups, state: str | None, event: str, first: Transition, second: Transition, *, suggest: bool
) -> Iterator[Finding]:
    guards = [guard_of(first), guard_of(second)]
    answer = lookups.ask(event, [(guard, True) for guard in guards])
    where = Where(state, event, _ids(lookups, first, second))
    if isinstance(answer, Unsat):
        return
    fixes = tuple(exclude(lookups, event, first, second)) if suggest else ()
    if isinstance(answer, Sat):
        yield finding("G1", where, witness=shown(answer, guards), fixes=fixes)
    else:
        yield finding("G6", where, fixes=fixes)


def _gaps(lookups: Lookups, event: str) -> Iterator[Finding]:
    """G2, told once for all states that have nothing but the same global arrows."""
    flow = lookups.flow
    open_in: dict[tuple[str | None, tuple[str, ...]], list[str]] = {}
    for state in flow.states:
        groups = lookups.groups(state, event)
        here = [g for g in groups if g.event == event]
        ignored = any((state, name) in flow.ignored for name in flow.fallbacks(event))
        if here and not ignored and not any(g.is_closed for g in groups):
            only_global = all(g.is_global for g in groups)
            arrows = tuple(t.id for g in groups for t in g.arrows)
            open_in.setdefault((None if only_global else state, arrows), []).append(state)
    for states in open_in.values():
        yield from _gap(lookups, states, event)


def _gap(lookups: Lookups, states: Sequence[str], event: str) -> Iterator[Finding]:
    groups = lookups.groups(states[0], event)
    arrows = [t for g in groups if g.event == event for t in g.arrows]
    every = [guard_of(t) for g in groups for t in g.arrows]
    guards = [guard for guard in every if lookups.readable(guard, event)]
    where = Where(states[0] if len(states) == 1 else None, event, tuple(t.id for t in arrows))
    answer = lookups.ask(event, lookups.none_of(guards))
    if isinstance(answer, Sat) and guards == every:
        fixes = tuple(fill(lookups, where, heads([t for t in arrows if not t.is_global] or arrows)))
        yield finding("G2", where, witness=shown(answer, guards), fixes=fixes, states=tuple(states))
    elif not isinstance(answer, Unsat):
        yield finding("G6", where, variant="gap")


def _shadowed(lookups: Lookups, event: str) -> Iterator[Finding]:
    """G4: own arrows that an earlier global one always takes the place of."""
    flow = lookups.flow
    for state in flow.states:
        first = flow.global_group(state, event)
        if not first:
            continue
        closed = Group(event, is_global=True, arrows=first).is_closed
        before = [guard_of(t) for t in first if not t.otherwise]
        own = Group(event, is_global=False, arrows=flow.own_group(state, event))
        guards = [guard_of(t) for t in own.guarded]
        for arrow in heads(own.arrows):
            claims = lookups.none_of(guards) if arrow.otherwise else [(guard_of(arrow), True)]
            if isinstance(lookups.ask(event, claims), Unsat):
                continue  # dead on its own, which is G3
            if closed or isinstance(lookups.ask(event, [*claims, *lookups.none_of(before)]), Unsat):
                where = Where(state, event, _ids(lookups, arrow))
                yield finding("G4", where, fixes=(delete(arrow),), by=tuple(t.id for t in first))
