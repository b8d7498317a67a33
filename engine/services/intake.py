"""What every kind of arrival shares: who it is from, which conversation it belongs to, and what was recorded."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import StaleConversation
from engine.core.events import Event, Snapshot
from engine.core.flow import Flow, Millis, Value
from engine.core.inbound import Person
from engine.core.interpreter import opening
from engine.runtime import Flows
from engine.store import contacts, conversations, journal
from engine.store.connection import Tx
from engine.store.contacts import Resolved
from engine.store.conversations import Conversation
from engine.store.journal import About, Record


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where and when a body came in. `channel_id` or `source_id` is set; `flow` is where newcomers enter."""

    now: Millis
    flows: Flows
    webhook_id: str
    flow: str
    channel_id: int | None = None
    source_id: int | None = None

    def about(self, contact_id: int | None = None, conversation_id: int | None = None) -> About:
        """For the log."""
        return About(conversation_id=conversation_id, contact_id=contact_id, channel_id=self.channel_id)


def note(
    tx: Tx,
    arrival: Arrival,
    outcome: str,
    reason: str | None = None,
    *,
    contact_id: int | None = None,
    conversation_id: int | None = None,
    facts: Mapping[str, object] | None = None,
    **told: object,
) -> None:
    """Record what became of an arrival that moved nothing; `facts` and `told` explain it."""
    about = arrival.about(contact_id, conversation_id)
    journal.record(tx, arrival.now, about, Record(outcome=outcome, reason=reason, facts={**(facts or {}), **told}))


def whose(
    tx: Tx, arrival: Arrival, person: Person, *, known: int | None = None, via: str | None = None
) -> Resolved | None:
    """The contact that the names mean; links and collisions between names are recorded (R70)."""
    found = contacts.resolve(tx, person, arrival.now, known=known)
    if found is None:
        return None
    if found.linked and (via or "lid" in dict(found.linked) or person.lid):
        facts: dict[str, object] = {
            name: value for name, value in (("lid", person.lid), ("phone", person.phone)) if value
        }
        if via:
            facts["via"] = via
        note(tx, arrival, "identity_linked", contact_id=found.contact_id, facts=facts)
    if found.others:
        wanted = person.phone or person.lid or person.bsuid
        note(tx, arrival, "identity_conflict", contact_id=found.contact_id, wanted=wanted, others=list(found.others))
    return found


def cycle(tx: Tx, arrival: Arrival, found: Resolved) -> tuple[Conversation, Flow] | None:
    """The contact's conversation in the arrival's flow, opened if there is none; None when nothing is published.

    A contact that was made in this transaction has none, and nobody else can see it yet.
    """
    contact_id = found.contact_id
    current = None if found.created else conversations.newest(tx, contact_id, arrival.flow)
    if current is not None:
        return current, arrival.flows.within(tx, current.flow, current.flow_version)
    number = conversations.live_version(tx, arrival.flow)
    if number is None:
        return None
    if not found.created:
        contacts.hold(tx, contact_id)
        if conversations.newest(tx, contact_id, arrival.flow) is not None:
            raise StaleConversation  # somebody opened it a moment ago
    flow = arrival.flows.within(tx, arrival.flow, number)
    begun: Snapshot = opening(flow, arrival.now, f"open:{contact_id}:{arrival.flow}")
    return (
        conversations.open_cycle(
            tx, contact_id, arrival.channel_id, arrival.flow, number, begun, arrival.now, hidden=flow.hidden
        ),
        flow,
    )


def declared(flow: Flow, event_type: str, given: dict[str, Value]) -> dict[str, Value]:
    """Of the data that came with an event, what the flow declares, or what the event that it falls back to declares."""
    names: set[str] = set()
    for name in flow.fallbacks(event_type):
        if (kind := flow.events.get(name)) is not None:
            names |= set(kind.data)
    return {name: value for name, value in given.items() if name in names and value is not None}


def derived(kind: str, *parts: object) -> str:
    """An event id that depends only on its origin, so that a second delivery has the same (R25)."""
    return ":".join([kind, *map(str, parts)])


__all__ = ["Arrival", "Event", "cycle", "declared", "derived", "note", "whose"]
