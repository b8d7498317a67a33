"""What becomes of every event in every state: answered, taken as a more general one, ignored on purpose, or lost."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from engine.core.checks.graph import graph_of, sourceless
from engine.core.checks.lookups import Group, Lookups, guard_of
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Source
from engine.core.guards.prove import Unsat

__all__ = ["Cover", "coverage"]


class Cover(StrEnum):
    """The verdict on one event in one state, over every context and every contact.

    - HANDLED: an arrow for the event itself, the state's own or one from any state, can be taken, and in no context
      `step` says no transition.
    - FALLS_BACK: the same, but only arrows of an event that this one falls back to can be taken (R2).
    - PARTLY: some arrow can be taken, but it is not proved that `step` finds one in every context (G2, G6).
    - IGNORED: no arrow can be taken and `ignore` says so: `step` says ignored in every context.
    - LOST: no arrow can be taken: `step` says no transition in every context. Only for a message that somebody can
      send in a state that is reached (S4).
    - NOTHING: no arrow can be taken either, but no words are lost: the event is no message or never happens, or the
      state is not reached.
    """

    HANDLED = "handled"
    FALLS_BACK = "falls_back"
    PARTLY = "partly"
    IGNORED = "ignored"
    LOST = "lost"
    NOTHING = "nothing"


def coverage(flow: Flow, unreached: Collection[str] | None = None) -> Mapping[tuple[str, str], Cover]:
    """The verdict by (state, event), for every state and every event, those of the clock included.

    `unreached` are the states that no run gets to, where the checks have told them (S1).
    """
    lookups, never = Lookups(flow), frozenset(sourceless(flow))
    reached = set(graph_of(lookups).reachable if unreached is None else flow.states) - set(unreached or ())
    said = {e.name for e in flow.events.values() if e.source is Source.MESSAGE and e.name not in never}
    return {
        (state, event): _cover(lookups, state, event, matters=event in said and state in reached)
        for state in flow.states
        for event in dict.fromkeys((*flow.events, TIMEOUT, EXHAUSTED))
    }


def _cover(lookups: Lookups, state: str, event: str, *, matters: bool) -> Cover:
    flow = lookups.flow
    groups = lookups.groups(state, event)
    on_purpose = any((state, name) in flow.ignored for name in flow.fallbacks(event))
    possible = [group for group in groups if _possible(lookups, event, group)]
    if not possible:
        if on_purpose:
            return Cover.IGNORED
        return Cover.LOST if matters else Cover.NOTHING
    if not on_purpose and not any(group.is_closed for group in groups) and not _complete(lookups, event, possible):
        return Cover.PARTLY
    return Cover.HANDLED if any(group.event == event for group in possible) else Cover.FALLS_BACK


def _possible(lookups: Lookups, event: str, group: Group) -> bool:
    """Whether some context enables an arrow of the group."""
    if group.is_closed:
        return True
    guards = [guard_of(arrow) for arrow in group.guarded]
    return any(
        not lookups.readable(guard, event) or not isinstance(lookups.ask(event, [(guard, True)]), Unsat)
        for guard in guards
    )


def _complete(lookups: Lookups, event: str, groups: list[Group]) -> bool:
    """Whether it is proved that every context enables one."""
    guards = [guard for group in groups for t in group.guarded if lookups.readable(guard := guard_of(t), event)]
    return isinstance(lookups.ask(event, lookups.none_of(guards)), Unsat)
