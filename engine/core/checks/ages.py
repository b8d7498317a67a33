"""How old a customer's last message can be when a silence runs out in a state, by the longest way that leads there.

Context is not tracked from step to step, so an age may be one that no run reaches, never less than one that some run
does. Ages are counted up to `WINDOW`, after which it makes no difference.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core.checks.graph import Graph
from engine.core.checks.lookups import Group, Lookups
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Flow, Millis, Source, State, Transition
from engine.core.sentences import source
from engine.core.windows import WINDOW

__all__ = ["ages"]

_PATIENCE = 200
"""A node whose age grew so often stands in a circle that nothing limits."""

_Node = tuple[str, int]
"""A state, and the rung of its ladder that is armed."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """The arrows of each state in use, with the event that takes them."""

    flow: Flow
    arrows: Mapping[str, tuple[tuple[str, Transition, Group], ...]]
    before: Mapping[str, frozenset[str]]


def ages(lookups: Lookups, graph: Graph) -> Mapping[tuple[str, str], Millis]:
    """(state, timeout or exhausted): the largest age at which it can happen there."""
    steps = _steps(lookups, graph)
    flow, entered, kept = lookups.flow, {(lookups.flow.initial, 0): 0}, dict[str, Millis]()
    grown: dict[_Node, int] = {}
    waiting = [(flow.initial, 0)]
    while waiting:
        node = waiting.pop(0)
        for following, age, keeps in _following(steps, node, entered[node]):
            if keeps:
                kept[following[0]] = max(kept.get(following[0], 0), age)
            elif age > entered.get(following, -1):
                grown[following] = grown.get(following, 0) + 1
                entered[following] = WINDOW if grown[following] > _PATIENCE else age
                waiting.append(following)
    found: dict[tuple[str, str], Millis] = {(state, TIMEOUT): age for state, age in kept.items()}
    for (name, rung), age in entered.items():
        if (state := flow.states[name]).deadline:
            key = name, EXHAUSTED if rung == len(state.deadline) else TIMEOUT
            found[key] = max(found.get(key, 0), _fired(steps, state, rung, age))
    return found


def _steps(lookups: Lookups, graph: Graph) -> _Steps:
    flow = lookups.flow
    events = list(dict.fromkeys((*flow.events, TIMEOUT, EXHAUSTED)))
    arrows = {
        state: tuple(
            (event, arrow, group)
            for event in events
            for group in lookups.groups(state, event)
            for arrow in group.arrows
            if arrow.id in graph.taken
        )
        for state in graph.reachable
    }
    before = {name: frozenset(s for s, after in graph.following.items() if name in after) for name in graph.reachable}
    return _Steps(flow, arrows, before)


def _following(steps: _Steps, node: _Node, entered: Millis) -> Iterator[tuple[_Node, Millis, bool]]:
    """What comes after a node: the next one, the age on entering it, and whether the old deadline goes on there."""
    flow, (name, rung) = steps.flow, node
    state = flow.states[name]
    fired = _fired(steps, state, rung, entered) if state.deadline else WINDOW
    for event, arrow, group in steps.arrows[name]:
        clock = event in (TIMEOUT, EXHAUSTED)
        if clock and (not state.deadline or (event == EXHAUSTED) != (rung == len(state.deadline))):
            continue
        inbound = source(flow, event) is Source.MESSAGE
        for target in sorted(steps.before[name]) if arrow.to == PREVIOUS else [arrow.to]:
            if arrow.keep_deadline:
                yield (target, 0), min(WINDOW, _wait(state, rung)) if inbound else fired, True
            elif inbound:
                yield (target, 0), flow.debounce_in(name).ceiling, False
            elif not clock:
                # Who only paid never wrote; a cycle begins in the initial state for them too.
                yield (target, 0), WINDOW if name == flow.initial else fired, False
            elif target != name:
                yield (target, 0), fired, False
            elif rung < len(state.deadline) or not _turns(flow, arrow, group):
                yield (target, min(rung + 1, len(state.deadline))), fired, False


def _fired(steps: _Steps, state: State, rung: int, entered: Millis) -> Millis:
    """The age when the rung runs out; at the end of the ladder after as many turns as its counters allow."""
    turns = 0
    if rung == len(state.deadline):
        mine = [(t, g) for event, t, g in steps.arrows[state.name] if event == EXHAUSTED and t.to == state.name]
        turns = max((_turns(steps.flow, arrow, group) for arrow, group in mine), default=0)
    return min(WINDOW, entered + _wait(state, rung) * (1 + turns))


def _wait(state: State, rung: int) -> Millis:
    return state.deadline[min(rung, len(state.deadline) - 1)] + state.jitter if state.deadline else WINDOW


def _turns(flow: Flow, arrow: Transition, group: Group) -> int:
    """How often a bounded counter lets an arrow come round; 0 where nothing that it changes is asked for again."""
    asked = {name for other in group.guarded if other.when is not None for name in other.when.names}
    spans = [
        int(field.max - field.min)
        for change in arrow.set
        if change.field in asked
        and (field := flow.context[change.field]).min is not None
        and field.max is not None
        and field.min is not None
    ]
    return min(spans, default=0)
