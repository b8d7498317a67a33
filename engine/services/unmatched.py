"""Payments that nobody could be tied to: a person ties them to a contact, and they go on through the same door (R34)."""

from dataclasses import dataclass

from engine.core.errors import NotFound, Refused
from engine.core.flow import Value
from engine.core.inbound import Person, purchase_keys
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.intake import Arrival, cycle, declared, note
from engine.store import audit, contacts, finding, marks, orphans, sources
from engine.store.connection import Tx
from engine.store.contacts import Resolved
from engine.store.finding import Found
from engine.store.orphans import Orphan

__all__ = ["Queue", "Stray", "people", "queue", "set_aside", "tie"]

MOST = 100
CANDIDATES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """One payment without a person: what the platform said of it, and who pays in its words."""

    id: str
    type: str
    at: int
    platform: str
    name: str | None
    email: str | None
    reference: str | None
    transaction: str | None
    product: str | None
    cents: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Queue:
    """The payments that wait, and how many there are in all."""

    strays: tuple[Stray, ...]
    waiting: int


async def queue(runtime: Runtime) -> Queue:
    """The newest of the payments that wait for a person."""
    return await runtime.store.read(
        lambda tx: Queue(tuple(_stray(each) for each in orphans.listed(tx, MOST)), orphans.waiting(tx))
    )


async def people(runtime: Runtime, words: str, *, by_phone: bool) -> list[Found]:
    """Whom somebody looks for: by name or e-mail, and by phone for those who may see phones."""
    return await runtime.store.read(lambda tx: finding.found(tx, words, CANDIDATES, by_phone=by_phone))


async def tie(runtime: Runtime, event_id: str, contact_id: int, actor: Actor) -> int:
    """Tie a payment to a contact, with everything else that waits of the same purchase; the conversation that takes it.

    Raises NotFound for nobody, Refused("payment_settled") when somebody was first, Refused("no_live_flow").
    """

    def unit(tx: Tx) -> int:
        orphan = orphans.get(tx, event_id)
        if orphan is None:
            raise Refused("payment_settled")
        person = contacts.present(tx, contact_id)
        if person is None:
            raise NotFound("contact", contact_id)
        contacts.hold(tx, person)
        arrival = Arrival(
            marks=runtime.vault.marks,
            now=runtime.clock.now(),
            flows=runtime.flows,
            webhook_id=orphan.webhook_id or "",
            flow=sources.flow_of(tx, orphan.source_id) or "",
            source_id=orphan.source_id,
        )
        _learn(tx, arrival, person, orphan)
        standing = cycle(tx, arrival, Resolved(person))
        if standing is None:
            raise Refused("no_live_flow")
        conversation, flow = standing
        together = (
            [orphan] if orphan.business_key is None else orphans.of_purchase(tx, purchase_keys(orphan.business_key))
        )
        for each in together:
            data = declared(flow, each.type, dict(each.data))
            if not orphans.tie(tx, each.id, conversation.id, person, data, arrival.now):
                raise Refused("payment_settled")
            note(
                tx,
                arrival,
                "note",
                "tied_by_person",
                contact_id=person,
                conversation_id=conversation.id,
                event=each.type,
                by=actor.who,
            )
            facts = {"event": each.id, "conversation": conversation.id}
            audit.note(tx, arrival.now, actor, "payment.tied", subject=str(person), facts=facts)
        marks.set_touched(tx, conversation.id)
        return conversation.id

    return await runtime.store.write(f"payment:{event_id}", unit)


async def set_aside(runtime: Runtime, event_id: str, actor: Actor) -> None:
    """Nobody is looked for any more. Raises Refused("payment_settled") when somebody was first."""

    def unit(tx: Tx) -> None:
        if not orphans.set_aside(tx, event_id):
            raise Refused("payment_settled")
        audit.note(tx, runtime.clock.now(), actor, "payment.set_aside", subject=event_id)

    await runtime.store.write(f"payment:{event_id}", unit)


def _learn(tx: Tx, arrival: Arrival, contact_id: int, orphan: Orphan) -> None:
    """What the platform knows and we did not: never the code, which may be a campaign's that many people share."""
    person = Person(name=_text(orphan.data.get("@name")), email=_text(orphan.data.get("@email")))
    contacts.resolve(tx, person, arrival.now, known=contact_id)


def _stray(orphan: Orphan) -> Stray:
    data = orphan.data
    cents = data.get("valor")
    return Stray(
        id=orphan.id,
        type=orphan.type,
        at=orphan.at,
        platform=str(orphan.facts.get("platform") or ""),
        name=_text(data.get("@name")),
        email=_text(data.get("@email")),
        reference=_text(data.get("@reference")),
        transaction=_text(data.get("transacao")),
        product=_text(data.get("produto")),
        cents=cents if isinstance(cents, int) else None,
        reason=orphan.reason,
    )


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) else None
