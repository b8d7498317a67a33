"""Which state can follow which: arrows that some event and some context can take, conditions taken into account.

Context is not tracked from step to step, so this may keep an arrow that no run takes, never drop one that some run does.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core.checks.lookups import Lookups, guard_of
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Call, Flow, Send, Source, Transition
from engine.core.guards.language import Expr
from engine.core.guards.prove import Claim, Unsat


@dataclass(frozen=True, slots=True)
class Graph:
    """`reachable` in order of discovery; `following` the states after each; `taken` ids of arrows in use."""

    reachable: tuple[str, ...]
    following: Mapping[str, frozenset[str]]
    taken: frozenset[str]


def sourceless(flow: Flow) -> tuple[str, ...]:
    """Events that nothing emits (S3): messages without a rule, effects that no action names, unknown clocks."""
    sends = [action for action in flow.actions.values() if isinstance(action, Send)]
    understood = {rule.event for rule in flow.understanding}
    understood |= {button.id for send in sends for button in send.buttons}
    understood |= {row.id for send in sends if send.menu is not None for row in send.menu.rows}
    results = {
        name
        for action in flow.actions.values()
        if isinstance(action, Call)
        for name in (action.on_ok, action.on_error, action.on_timeout)
        if name is not None
    }
    general = flow.general_message
    without = []
    for event in flow.events.values():
        missing = {
            Source.MESSAGE: event.name != general and event.name not in understood,
            Source.EFFECT: event.name not in results,
            Source.CLOCK: event.name not in (TIMEOUT, EXHAUSTED),
        }
        if missing.get(event.source, False):
            without.append(event.name)
    return tuple(without)


def graph_of(lookups: Lookups) -> Graph:
    """The graph from the initial state over every event that can happen."""
    flow = lookups.flow
    happening = _happening(flow)
    steps: dict[str, list[Transition]] = {}
    entered: dict[str, set[str]] = {flow.initial: {flow.initial}}
    following: dict[str, set[str]] = {}
    waiting = [flow.initial]
    found = {flow.initial: None}
    while waiting:
        state = waiting.pop(0)
        if state not in steps:
            steps[state] = [t for event in happening[state] for t in _possible(lookups, state, event)]
        for arrow in steps[state]:
            for target in sorted(entered[state]) if arrow.to == PREVIOUS else [arrow.to]:
                following.setdefault(state, set()).add(target)
                before = entered.setdefault(target, set())
                # A state is looked at again when it can be entered from one more, for `@previous` leads back there.
                if target not in found or (target != state and state not in before):
                    before.update({state} - {target})
                    found[target] = None
                    waiting.append(target)
    return Graph(
        reachable=tuple(found),
        following={state: frozenset(following.get(state, ())) for state in found},
        taken=frozenset(t.id for arrows in steps.values() for t in arrows),
    )


def _happening(flow: Flow) -> Mapping[str, tuple[str, ...]]:
    """The events that can happen in each state: the clock only speaks where a deadline may be armed."""
    never = set(sourceless(flow))
    carried = any(t.keep_deadline for t in flow.arrows.values())
    names = [name for name in dict.fromkeys((*flow.events, TIMEOUT, EXHAUSTED)) if name not in never]
    return {
        state.name: tuple(
            n
            for n in names
            if flow.happens_in(state.name, n) and (n not in (TIMEOUT, EXHAUSTED) or state.deadline or carried)
        )
        for state in flow.states.values()
    }


def _possible(lookups: Lookups, state: str, event: str) -> Iterable[Transition]:
    """The arrows that the event can take in the state, in some context."""
    before: list[Expr] = []
    for group in lookups.groups(state, event):
        here = [guard_of(t) for t in group.guarded if lookups.readable(guard_of(t), event)]
        for arrow in group.arrows:
            if arrow.share == 0:
                continue
            claims: list[Claim] = lookups.none_of(before)
            if arrow.otherwise:
                claims += lookups.none_of(here)
            elif lookups.readable(guard_of(arrow), event):
                claims.append((guard_of(arrow), True))
            if not isinstance(lookups.ask(event, claims), Unsat):
                yield arrow
        if group.is_closed:
            return
        before += here
