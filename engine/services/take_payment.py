"""A payment platform's notice becomes one event of the flow's vocabulary, once, for the right person (R34)."""

from collections.abc import Mapping
from dataclasses import replace

from engine.core.errors import StaleConversation
from engine.core.events import Event
from engine.core.flow import Source, Value
from engine.core.inbound import Payment
from engine.services.intake import Arrival, cycle, declared, derived, note, whose
from engine.services.take_inquiry import inquiry
from engine.store import marks, queue
from engine.store.connection import Tx

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
        _settled(tx, arrival, event, "ignored", "order_already_refunded", key=key)
        return
    before = queue.of_purchase(tx, item.platform, item.transaction) if item.transaction else None
    if before is not None:
        arrival = replace(arrival, flow=before.flow)
    found = whose(tx, arrival, item.person, known=None if before is None else before.contact_id)
    if found is None and item.ask is not None:
        inquiry(tx, arrival, item.event_id, item.ask)
        return
    standing = None if found is None else cycle(tx, arrival, found)
    if found is None or standing is None:
        reason = "no_person" if found is None else "no_live_flow"
        held = None if was_orphan else key
        _settled(tx, arrival, event, "orphan", reason, business_key=held, platform=item.platform)
        return
    if was_orphan and key is not None:
        queue.adopt(tx, key)
    conversation, flow = standing
    facts = {**event.facts, **({"matched_by": found.matched_by} if found.matched_by else {})}
    ready = replace(event, data=declared(flow, event.type, _data(item)), facts=facts)
    stored = queue.put(
        tx,
        ready,
        arrival.now,
        conversation_id=conversation.id,
        contact_id=found.contact_id,
        source_id=arrival.source_id,
        webhook_id=arrival.webhook_id,
        business_key=key,
    )
    if not stored:
        # The same news under another id was stored a moment ago, by somebody whose work was not visible yet.
        raise StaleConversation
    marks.set_touched(tx, conversation.id)


def _settled(
    tx: Tx,
    arrival: Arrival,
    event: Event,
    outcome: str,
    reason: str | None,
    *,
    business_key: str | None = None,
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


def _facts(item: Payment) -> dict[str, object]:
    told = {"platform": item.platform, "transaction": item.transaction, "notice": item.event_id}
    return {name: value for name, value in told.items() if value is not None}
