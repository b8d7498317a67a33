"""A payment platform's notice becomes one event of the flow's vocabulary, once, for the right person (R34)."""

from collections.abc import Mapping
from dataclasses import replace

from engine.core.errors import StaleConversation
from engine.core.events import Event
from engine.core.flow import Flow, Source, Value
from engine.core.inbound import Payment
from engine.core.routing import ended
from engine.services.intake import Arrival, cycle, declared, derived, note, whose
from engine.services.source_events import NOTHING
from engine.services.take_inquiry import inquiry
from engine.store import conversations, cycles, marks, queue
from engine.store.connection import Tx
from engine.store.contacts import Resolved
from engine.store.conversations import Conversation

UNDONE = ("refunded", "charged_back")


def payment(tx: Tx, arrival: Arrival, item: Payment, names: Mapping[str, str]) -> None:
    """Queue the event for its conversation. `names` maps every outcome to the event of the source's flow.

    A notice that names nobody belongs to whom an earlier notice of the same purchase was about.
    """
    event_id = derived("pay", item.platform, item.event_id)
    if queue.exists(tx, event_id):
        note(tx, arrival, "duplicate", id=item.event_id, key=item.business_key)
        return
    event = Event(
        id=event_id,
        type=names[item.outcome],
        source=Source.PAYMENT,
        at=item.at,
        data={},
        facts=_facts(item),
    )
    key = item.business_key
    was_orphan = key is not None and queue.is_orphan(tx, key)
    if key is not None and not was_orphan and queue.with_key(tx, key):
        _settled(tx, arrival, event, "duplicate", None, key=key)
        return
    if item.outcome == "approved" and _undone(tx, item):
        _settled(tx, arrival, event, "ignored", "order_already_refunded", notice=item.outcome, key=key)
        return
    if event.type == NOTHING:
        held = None if was_orphan else key
        _settled(tx, arrival, event, "ignored", "by_source", business_key=held, notice=item.outcome)
        return
    bought = cycles.of_purchase(tx, item.purchase_keys)
    buyer = None if bought is None else bought.contact_id
    found = whose(tx, arrival, item.person, known=buyer, claim="payment")
    if found is None and item.ask is not None:
        inquiry(tx, arrival, item.event_id, item.ask)
        return
    standing = None if found is None else _standing(tx, arrival, bought, found)
    if found is None or standing is None:
        if was_orphan:
            _settled(tx, arrival, event, "duplicate", None, key=key)
            return
        reason = "no_person" if found is None else "no_live_flow"
        kept = replace(event, data={**_data(item), **_told(item)})
        _settled(tx, arrival, kept, "orphan", reason, business_key=key, notice=item.outcome, platform=item.platform)
        return
    if was_orphan and key is not None:
        queue.adopt(tx, key, arrival.now)
    conversation, flow = standing
    facts = {**event.facts, **({"matched_by": found.matched_by} if found.matched_by else {})}
    ready = replace(event, data=declared(flow, event.type, _data(item)), facts=facts)
    stored = queue.put(
        tx,
        ready,
        arrival.now,
        conversation_id=conversation.id,
        contact_id=conversation.contact_id,
        source_id=arrival.source_id,
        webhook_id=arrival.webhook_id,
        business_key=key,
        notice=item.outcome,
    )
    if not stored:
        # The same news under another id was stored a moment ago, by somebody whose work was not visible yet.
        raise StaleConversation
    marks.set_touched(tx, conversation.id)


def _standing(
    tx: Tx, arrival: Arrival, bought: Conversation | None, found: Resolved
) -> tuple[Conversation, Flow] | None:
    """News of a purchase go where the purchase was made; to the talk that took its place, unless it ended there."""
    if bought is None:
        return cycle(tx, arrival, found)
    flow = arrival.flows.within(tx, bought.flow, bought.flow_version)
    if bought.followed_by is None or ended(flow.states.get(bought.snapshot.state))[0]:
        return bought, flow
    following = conversations.load(tx, bought.followed_by)
    if following is None:
        raise StaleConversation
    return following, arrival.flows.within(tx, following.flow, following.flow_version)


def _settled(
    tx: Tx,
    arrival: Arrival,
    event: Event,
    outcome: str,
    reason: str | None,
    *,
    business_key: str | None = None,
    notice: str | None = None,
    **facts: object,
) -> None:
    queue.put(
        tx,
        event,
        arrival.now,
        conversation_id=None,
        contact_id=None,
        source_id=arrival.source_id,
        webhook_id=arrival.webhook_id,
        business_key=business_key,
        notice=notice,
        outcome=outcome,
        reason=reason,
    )
    note(tx, arrival, outcome, reason, event=event.type, facts=facts)


def _undone(tx: Tx, item: Payment) -> bool:
    """Whether this order's money went back already: a late approval must not deliver again."""
    return any(queue.with_key(tx, f"{item.platform}:{item.transaction}:{outcome}") for outcome in UNDONE)


def _data(item: Payment) -> dict[str, Value]:
    """The notice in the words that a flow may declare."""
    return {
        "transacao": item.transaction,
        "plataforma": item.platform,
        "produto": item.product,
        "valor": item.amount_cents,
        **{name: value for name, value in item.data.items() if isinstance(value, bool | int | float | str)},
    }


def _told(item: Payment) -> dict[str, Value]:
    """Who paid, in the platform's words, for whoever looks for the person by hand; under names that no flow can have."""
    person = item.person
    told = {"@name": person.name, "@email": person.email, "@reference": person.reference, "@outcome": item.outcome}
    return {name: value for name, value in told.items() if value is not None}


def _facts(item: Payment) -> dict[str, object]:
    told = {"platform": item.platform, "transaction": item.transaction, "notice": item.event_id}
    return {name: value for name, value in told.items() if value is not None}
