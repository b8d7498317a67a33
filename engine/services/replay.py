"""Last week's conversations decided again by another version: each decision that would differ (R62). Nothing is sent.

A decision is believed to be repeatable when the version that made it makes the same one again from what was kept; where
it does not (a contact changed since, a value that no log keeps), it is counted as unclear and never listed. So the same
version gives an empty list.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import DAY, Flow, Millis, Source
from engine.core.history import rebuild
from engine.core.replaying import Decision, as_known_to, decision, different
from engine.runtime import Runtime
from engine.services import contact_values
from engine.services.batch import gather
from engine.store import contacts, conversations, replays
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.inbox import Waiting

__all__ = ["WEEK", "Difference", "Replayed", "replayed"]

WEEK = 7 * DAY
CHUNK = 10
"""Conversations of one read: whoever else reads does not wait long."""
MOST_LISTED = 500
MOVED = {"transition": Outcome.MOVED.value, "alert": Outcome.AMBIGUOUS.value}
"""Outcomes of decisions in the log where they are called otherwise than by the interpreter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A decision that would differ, in `what`: when, of which conversation, in which state, what it was, what it would be."""

    conversation: int
    at: Millis
    state: str
    version: int
    what: tuple[str, ...]
    was: Decision
    now: Decision


@dataclass(slots=True)
class Replayed:
    """What a replay found: how many conversations and decisions, how many are `unclear`, those that differ (the first 500,
    `differing` counts all), and in how many conversations those are.
    """

    conversations: int = 0
    decisions: int = 0
    unclear: int = 0
    differing: int = 0
    people: int = 0
    differences: list[Difference] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """In JSON types."""
        return asdict(self)


async def replayed(
    runtime: Runtime,
    slug: str,
    flow: Flow,
    since: Millis,
    told: Callable[[int, int], Awaitable[None]] | None = None,
) -> Replayed:
    """Decide again what was decided in the flow's conversations since a moment; `told` hears how far it is."""
    talks, found = await runtime.store.read(lambda tx: replays.talks(tx, slug, since)), Replayed()
    for begin in range(0, len(talks), CHUNK):
        chunk = talks[begin : begin + CHUNK]
        for part in await runtime.store.read(partial(_talks, runtime, chunk, flow, since)):
            _add(found, part)
        if told is not None:
            await told(min(begin + CHUNK, len(talks)), len(talks))
    return found


def _add(found: Replayed, part: Replayed) -> None:
    found.conversations += part.decisions > 0
    found.people += part.differing > 0
    found.decisions += part.decisions
    found.unclear += part.unclear
    found.differing += part.differing
    found.differences += part.differences[: MOST_LISTED - len(found.differences)]


def _talks(runtime: Runtime, ids: Sequence[int], flow: Flow, since: Millis, tx: Tx) -> list[Replayed]:
    return [_talk(tx, runtime, one, flow, since) for one in ids]


def _talk(tx: Tx, runtime: Runtime, conversation_id: int, flow: Flow, since: Millis) -> Replayed:
    talk, found = conversations.load(tx, conversation_id, lock=False), Replayed()
    if talk is None:
        return found
    rows = [{**row, "facts": json.loads(row["facts"])} for row in replays.rows(tx, conversation_id)]
    decided = [row for row in rows if row["event_id"] and "after" in row["facts"] and row["at"] >= since]
    bursts = replays.messages(tx, [row["event_id"] for row in decided])
    contact = contact_values.values(contacts.row(tx, talk.contact_id))
    moment: dict[str, Any] = {}
    version = talk.flow_version
    for row in rows:
        facts = row["facts"]
        version = facts.get("flow_version", version)
        if row["event_id"] and "after" in facts and row["at"] >= since and moment:
            before = rebuild([{"after": {**moment, "last_inbound_at": facts["after"].get("last_inbound_at", 0)}}])
            again = _Again(tx, runtime, talk, row, before, bursts.get(row["event_id"], []), contact)
            _compared(found, again, version, flow)
        moment |= facts.get("after") or {}
    return found


@dataclass(frozen=True, slots=True)
class _Again:
    """One recorded decision with all that it was made from."""

    tx: Tx
    runtime: Runtime
    talk: Conversation
    row: Mapping[str, Any]
    before: Snapshot
    burst: list[Waiting]
    contact: Mapping[str, Any]

    def by(self, flow: Flow, snapshot: Snapshot) -> Decision:
        """What a version makes of it, the words of a burst understood as that version does."""
        return decision(flow, snapshot, self._event(flow, snapshot), self.row["at"], self.contact)

    def _event(self, flow: Flow, snapshot: Snapshot) -> Event:
        if self.burst:
            return gather(self.tx, flow, replace(self.talk, snapshot=snapshot), self.burst).event
        data = json.loads(self.row["event_data"] or "{}")
        return Event(
            id=self.row["event_id"],
            type=self.row["event_type"] or self.row["event"],
            source=Source(self.row["event_source"]),
            at=self.row["event_at"],
            data={name: tuple(v) if isinstance(v, list) else v for name, v in data.items()},
        )

    def is_what_happened(self, made: Decision) -> bool:
        """Whether a decision made again is the recorded one."""
        outcome = MOVED.get(self.row["outcome"], self.row["outcome"])
        to = self.row["to"] if outcome == Outcome.MOVED.value else None
        return (made.event, made.outcome, made.to) == (self.row["event"], outcome, to)


def _compared(found: Replayed, again: _Again, version: int, flow: Flow) -> None:
    if again.row["event_source"] is None:
        return  # its event is not kept: nothing to decide about
    found.decisions += 1
    made = _as_it_was(again, version)
    if made is None:
        found.unclear += 1
        return
    number, was = made
    old = again.runtime.flows.within(again.tx, again.talk.flow, number)
    now = again.by(flow, as_known_to(old, flow, again.before))
    what = different(was, now, frozenset(old.context) & frozenset(flow.context))
    if what:
        found.differing += 1
        found.differences.append(
            Difference(
                conversation=again.talk.id,
                at=again.row["at"],
                state=again.before.state,
                version=number,
                what=what,
                was=was,
                now=now,
            )
        )


def _as_it_was(again: _Again, version: int) -> tuple[int, Decision] | None:
    """The decision, made again by the version that made it: following another one leaves no row, so of those between the
    last that the log names and the present one the first that fits.
    """
    for number in range(version, again.talk.flow_version + 1):
        old = again.runtime.flows.within(again.tx, again.talk.flow, number)
        if again.before.state in old.states:
            made = again.by(old, again.before)
            if again.is_what_happened(made):
                return number, made
    return None
