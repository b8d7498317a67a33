"""An event from the customer's own systems becomes one event of its conversation, once (R25, R29)."""

from dataclasses import dataclass

from engine.adapters.bodies import decode
from engine.core.errors import NotFound, StaleConversation
from engine.core.events import Event
from engine.core.flow import Flow
from engine.core.identity import key
from engine.core.inbound import Person
from engine.runtime import Runtime
from engine.services.intake import Arrival, cycle, derived, note, whose
from engine.services.receive_event_body import Asked, data_of, known_event, read_body
from engine.store import contacts, conversations, flows, marks, queue
from engine.store.connection import Tx

__all__ = ["LIMIT", "Received", "receive"]

LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True)
class Received:
    """What is answered, the same to every delivery of one id."""

    id: str
    event: str
    conversation: int


async def receive(runtime: Runtime, raw: bytes) -> Received:
    """Take `{"id", "contact", "flow", "type", "data", "at"}`; a second delivery of an id changes nothing.

    The person is found or made by phone, their conversation in the flow opened if there is none. Only events that the
    flow declares with source api, payment or human are taken. Raises UnreadableBody, InvalidDocument (every mistake with
    its place), NotFound for a flow that is not there or not published, StoreUnavailable.
    """
    asked = read_body(decode(raw, LIMIT))
    arrival = Arrival(
        marks=runtime.vault.marks,
        now=runtime.clock.now(),
        flows=runtime.flows,
        webhook_id=derived("api", asked.id),
        flow=asked.flow,
    )
    # In the lane of the person, as webhooks are: two deliveries at once are taken one after the other.
    return await runtime.store.write(f"contact:{key(asked.phone)}", lambda tx: _taken(tx, arrival, asked))


def _taken(tx: Tx, arrival: Arrival, asked: Asked) -> Received:
    event_id = derived("api", asked.id)
    before = queue.conversation_of(tx, event_id)
    if before is not None:
        note(tx, arrival, "duplicate", conversation_id=before, id=event_id)
        return Received(asked.id, event_id, before)
    person = Person(phone=asked.phone)
    flow = _flow(tx, arrival, person)
    kind = known_event(flow, asked.type)
    data = data_of(flow, asked.type, asked.data)
    found = whose(tx, arrival, person, claim="api")
    standing = None if found is None else cycle(tx, arrival, found)
    if found is None or standing is None:
        raise NotFound("published flow", asked.flow)
    conversation, _ = standing
    event = Event(
        id=event_id,
        type=asked.type,
        source=kind.source,
        at=arrival.now if asked.at is None else asked.at,
        data=data,
        facts={"via": "api"},
    )
    if not queue.put(tx, event, arrival.now, conversation_id=conversation.id, contact_id=found.contact_id):
        raise StaleConversation  # the same id for another person, stored a moment ago: answer what was answered then
    marks.set_touched(tx, conversation.id)
    return Received(asked.id, event_id, conversation.id)


def _flow(tx: Tx, arrival: Arrival, person: Person) -> Flow:
    """The version that the event will meet: that of the person's conversation, else the live one. Writes nothing."""
    if flows.draft(tx, arrival.flow) is None:
        raise NotFound("flow", arrival.flow)
    contact_id = contacts.known(tx, person)
    current = None if contact_id is None else conversations.newest(tx, contact_id, arrival.flow)
    if current is not None:
        return arrival.flows.within(tx, current.flow, current.flow_version)
    number = conversations.live_version(tx, arrival.flow)
    if number is None:
        raise NotFound("published flow", arrival.flow)
    return arrival.flows.within(tx, arrival.flow, number)
