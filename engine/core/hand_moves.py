"""A person puts a conversation into another state: without a word, or as if an arrow had been taken."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.core.events import Event, Snapshot, Step
from engine.core.flow import APPROVED, REJECTED, Flow, Millis, Transition, Value
from engine.core.interpreter import armed, environment, take

__all__ = ["along", "put_into", "ways"]


def put_into(flow: Flow, snapshot: Snapshot, to: str, now: Millis, event_id: str) -> Snapshot:
    """The snapshot in another state, entered now: its silence is counted from now (R10), what is known stays."""
    deadline, rung = armed(flow, to, 0, now, event_id)
    return replace(snapshot, state=to, previous=snapshot.state, entered_at=now, deadline_at=deadline, rung=rung)


def along(
    flow: Flow, snapshot: Snapshot, arrow: Transition, event: Event, now: Millis, contact: Mapping[str, Value]
) -> Step:
    """The arrow taken as if its event had come: its values, its actions. What the event would have told is not set (R3)."""
    return take(flow, snapshot, event, arrow, now, environment(snapshot, event, now, contact), [], arrow.on)


def ways(flow: Flow, state: str) -> Iterator[Transition]:
    """The arrows that lead from a state to another one and do something on the way. What only an approval may say is
    not to be had by moving somebody.
    """
    for arrow in flow.arrows.values():
        leaves = arrow.frm == state or (arrow.is_global and state not in arrow.excepting)
        decided = flow.decides and arrow.on in (APPROVED, REJECTED)
        if leaves and not decided and arrow.do and arrow.to in flow.states and arrow.to != state:
            yield arrow
