"""A recorded decision made again by another version of the flow, and what would be different (R62).

Each decision is judged by itself, from the snapshot that the conversation really had: what customers would have said
after another answer nobody knows.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.adapting import adapting
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import Flow, Millis, Value
from engine.core.interpreter import step

__all__ = ["GONE", "Decision", "as_known_to", "decision", "different"]

GONE = "gone"
"""The outcome where the version has no such state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a version makes of an event: `event` as it understood it, where it leads, what is done, how long it waits.

    `outcome` is one of `Outcome`, or GONE. `written` are the fields that it writes.
    """

    event: str
    outcome: str
    to: str | None = None
    actions: tuple[str, ...] = ()
    wait: Millis | None = None
    written: Mapping[str, Value] | None = None


def decision(flow: Flow, snapshot: Snapshot, event: Event, now: Millis, contact: Mapping[str, Value]) -> Decision:
    """What the flow makes of it, then and there."""
    if snapshot.state not in flow.states:
        return Decision(event=event.type, outcome=GONE)
    taken = step(flow, snapshot, event, now, contact)
    if taken.outcome is not Outcome.MOVED or taken.taken is None:
        return Decision(event=event.type, outcome=taken.outcome.value)
    deadline = None if taken.taken.keep_deadline else taken.snapshot.deadline_at
    return Decision(
        event=event.type,
        outcome=Outcome.MOVED.value,
        to=taken.snapshot.state,
        actions=taken.actions,
        wait=None if deadline is None else deadline - now,
        written=taken.changed,
    )


def different(one: Decision, other: Decision, known: frozenset[str]) -> tuple[str, ...]:
    """In what two decisions differ: outcome, to, actions, wait, written (of the fields `known` to both versions).

    How the event was understood is no difference while the same comes of it.
    """
    names = tuple(name for name in ("outcome", "to", "actions", "wait") if getattr(one, name) != getattr(other, name))
    wrote = [{n: v for n, v in (d.written or {}).items() if n in known} for d in (one, other)]
    return names if wrote[0] == wrote[1] or one.outcome != other.outcome else (*names, "written")


def as_known_to(old: Flow, new: Flow, snapshot: Snapshot) -> Snapshot:
    """The snapshot with its fields as the other version has them."""
    adapted = adapting(old, new)
    if adapted is None:
        return snapshot
    plain = {name: getattr(snapshot, name) for name in Snapshot.__slots__}
    return Snapshot(**{**plain, "context": adapted(snapshot.context)})
