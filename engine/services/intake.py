"""What every kind of arrival shares: who it is from, which conversation it belongs to, and what was recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.core.errors import StaleConversation
from engine.core.events import Event, Snapshot
from engine.core.flow import Flow, Millis, Value
from engine.core.inbound import Person
from engine.core.interpreter import opening
from engine.runtime import Flows
from engine.services.erase import resist
from engine.services.merge import BY_PROOF, merge
from engine.store import channels, collisions, contacts, conversations, journal
from engine.store.connection import Tx
from engine.store.contacts import Resolved
from engine.store.conversations import Conversation
from engine.store.cycles import succeed
from engine.store.erasures import Marks
from engine.store.journal import About, Record

PROOFS = frozenset({"message", "echo", "consent"})
"""Where a channel itself names one person: what arrives there proves that all the names are one's."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where and when a body came in. `channel_id` or `source_id` is set; `flow` is where newcomers enter."""

    now: Millis
    flows: Flows
    webhook_id: str
    flow: str
    channel_id: int | None = None
    source_id: int | None = None
    marks: Marks = field(default=lambda text: (text,))
    """What stands for a name that must not be kept."""

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
    tx: Tx,
    arrival: Arrival,
    person: Person,
    *,
    known: int | None = None,
    via: str | None = None,
    claim: str = "message",
) -> Resolved | None:
    """The contact that the names mean; links and collisions between names are recorded (R70).

    `claim` is what names the person. When the names are several contacts', `same` says what becomes of them.
    """
    found = contacts.resolve(tx, person, arrival.now, known=known)
    if found is None:
        return None
    if found.created:
        resist(tx, arrival.marks, found.contact_id, arrival.about(found.contact_id), arrival.now)
    facts: dict[str, object] = {name: value for name, value in (("lid", person.lid), ("phone", person.phone)) if value}
    if via:
        facts["via"] = via
    if found.linked and (via or "lid" in dict(found.linked) or person.lid):
        note(tx, arrival, "identity_linked", contact_id=found.contact_id, facts=facts)
    for other in found.others:
        merged = same(tx, arrival, found.contact_id, other, person, claim, facts)
        found = replace(found, contact_id=found.contact_id if merged is None else merged)
    return found


def same(
    tx: Tx, arrival: Arrival, one: int, other: int, person: Person, claim: str, facts: Mapping[str, object]
) -> int | None:
    """One contact of two that share the names of a person, or None while they stay two (R70).

    A channel that gives several names to one sender proves that they are one person: then they are merged, if one of
    them is nothing but such a name. Else a person is asked, once; who was told apart stays apart.
    """
    asked = collisions.known(tx, one, other)
    if asked is not None and asked.decision == collisions.DIFFERENT:
        return None
    if claim in PROOFS and (contacts.only_known_as(tx, one, person) or contacts.only_known_as(tx, other, person)):
        return merge(tx, arrival.flows, arrival.now, one, other, BY_PROOF, claim, facts)
    ask(tx, arrival, one, other, claim, person.phone or person.lid or person.bsuid or "")
    return None


def ask(tx: Tx, arrival: Arrival, one: int, other: int, claim: str, wanted: str) -> None:
    """Put the pair before a person and say so in the log, the first time."""
    if collisions.put(tx, one, other, claim, wanted, arrival.now):
        note(tx, arrival, "identity_conflict", contact_id=one, wanted=wanted, others=[other], claim=claim)


def cycle(tx: Tx, arrival: Arrival, found: Resolved) -> tuple[Conversation, Flow] | None:
    """The contact's current cycle in the arrival's flow, opened if there is none; None when nothing is published.

    A contact that was made in this transaction has none, and nobody else can see it yet.
    """
    current = None if found.created else conversations.newest(tx, found.contact_id, arrival.flow)
    if current is not None:
        return current, arrival.flows.within(tx, current.flow, current.flow_version)
    return begin(tx, arrival, found, arrival.flow)


def begin(
    tx: Tx,
    arrival: Arrival,
    found: Resolved,
    slug: str,
    *,
    number: int | None = None,
    after: Conversation | None = None,
    why: Mapping[str, object] | None = None,
) -> tuple[Conversation, Flow] | None:
    """Open a cycle of a flow (R71); None when nothing of it is published. `number` is its live version where that is
    known, `after` the finished cycle whose place it takes; `why` is told in the log.
    """
    contact_id = found.contact_id
    number = conversations.live_version(tx, slug) if number is None else number
    if number is None:
        return None
    if not found.created:
        contacts.hold(tx, contact_id)
        current = conversations.newest(tx, contact_id, slug)
        if (None if current is None else current.id) != (None if after is None else after.id):
            raise StaleConversation  # somebody opened it a moment ago
    flow = arrival.flows.within(tx, slug, number)
    begun: Snapshot = opening(flow, arrival.now, f"open:{contact_id}:{slug}")
    channel_id = arrival.channel_id
    if channel_id is None and (channel_id := channels.of_contact(tx, contact_id)) is None:
        channel_id = channels.of_flow(tx, slug)
    told = {**(why or {}), **({} if after is None else {"goes_on_from": after.id})}
    opened = conversations.open_cycle(
        tx, contact_id, channel_id, slug, number, begun, arrival.now, hidden=flow.hidden, why=told
    )
    if after is not None:
        succeed(tx, after.id, opened.id)
    return opened, flow


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


__all__ = ["Arrival", "Event", "ask", "begin", "cycle", "declared", "derived", "note", "same", "whose"]
