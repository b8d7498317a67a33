"""What comes into a decision and what comes out of it, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.flow import Millis, Source, Transition, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. `id` is derived from its origin, so that it can only be applied once (R25).

    `at` is the source's own time (R13). `facts` are remarks for the log; no decision reads them.
    """

    id: str
    type: str
    source: Source
    at: Millis
    data: Mapping[str, Value] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Where a conversation stands. `previous` is the state that this one was entered from (R5).

    `rung` is the step of the deadline's ladder that is armed; equal to the ladder's length it means that the
    next expiry emits `exhausted` (R11). `last_inbound_at` is 0 before the first message.
    """

    state: str
    previous: str | None
    context: Mapping[str, Value]
    deadline_at: Millis | None
    rung: int
    entered_at: Millis
    last_inbound_at: Millis


class Outcome(StrEnum):
    """What an event did to a snapshot."""

    MOVED = "moved"
    NO_TRANSITION = "no_transition"
    IGNORED = "ignored"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The decision on one event: the snapshot after it and what the flow asks for.

    `candidates` are the ids of all enabled arrows: one when moved, two or more when ambiguous (R1).
    `undefined` are the ids whose guard, or `field` names whose assignment, had no value (R3).
    `event_type` is the event that was looked up in the end, after falling back (R2).
    """

    outcome: Outcome
    snapshot: Snapshot
    event_type: str
    taken: Transition | None = None
    candidates: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    changed: Mapping[str, Value] = field(default_factory=dict)
    opts_out: bool = False
