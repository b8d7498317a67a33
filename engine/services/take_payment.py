"""A payment platform's notice becomes one event of the flow's vocabulary, once, for the right person (R34)."""

from collections.abc import Mapping

from engine.core.errors import StaleConversation
from engine.core.events import Event
from engine.core.flow import Source, Value
from engine.core.inbound import Payment
from engine.services.intake import Arrival, cycle, declared, derived, note, whose
from engine.services.source_events import NOTHING
from engine.store import marks, queue
from engine.store.connection import Tx

UNDONE = ("refunded", "charged_back")


def payment(tx: Tx, arrival: Arrival, item: Payment, names: Mapping[str, str]) -> None:
    """Queue the event for its conversation. `names` maps every outcome to the event of the source's flow."""
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
    if item.business_key is not None and queue.with_key(tx, item.business_key):
        _settled(tx, arrival, event, "duplicate", None, key=item.business_key)
        return
    if item.outcome == "approved" and _undone(tx, item):
        _settled(tx, arrival, event, "ignored", "order_already_refunded", notice=item.outcome, key=item.business_key)
        return
    if event.type == NOTHING:
        _settled(tx, arrival, event, "ignored", "by_source", business_key=item.business_key, notice=item.outcome)
        return
    found = whose(tx, arrival, item.person)
    standing = None if found is None else cycle(tx, arrival, found)
    if found is None or standing is None:
        reason = "no_person" if found is None else "no_live_flow"
        _settled(
            tx,
            arrival,
            event,
            "orphan",
            reason,
            business_key=item.business_key,
            notice=item.outcome,
            platform=item.platform,
        )
        return
    conversation, flow = standing
    facts = {**event.facts, **({"matched_by": found.matched_by} if found.matched_by else {})}
    ready = Event(
        id=event.id,
        type=event.type,
        source=event.source,
        at=event.at,
        data=declared(flow, event.type, _data(item)),
        facts=facts,
    )
    stored = queue.put(
        tx,
        ready,
        arrival.now,
        conversation_id=conversation.id,
        contact_id=found.contact_id,
        source_id=arrival.source_id,
        webhook_id=arrival.webhook_id,
        business_key=item.business_key,
        notice=item.outcome,
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


def _facts(item: Payment) -> dict[str, object]:
    told = {"platform": item.platform, "transaction": item.transaction, "notice": item.event_id}
    return {name: value for name, value in told.items() if value is not None}
