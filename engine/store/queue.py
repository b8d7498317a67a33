"""Events that wait for their conversation: payments, people, other systems. The id is the proof against doubles."""

import json
from collections.abc import Mapping
from typing import Any

from engine.core.canonical import canonical
from engine.core.events import Event
from engine.core.flow import Millis, Source
from engine.store.connection import Tx


def put(
    tx: Tx,
    event: Event,
    now: Millis,
    *,
    conversation_id: int | None,
    contact_id: int | None,
    source_id: int | None = None,
    webhook_id: str | None = None,
    business_key: str | None = None,
    notice: str | None = None,
    outcome: str | None = None,
    reason: str | None = None,
) -> bool:
    """Store an event once; False when this id is known. With an `outcome` it is settled on arrival (R29). `notice` is
    what a payment platform told, whatever event that became.
    """
    written = tx.value(
        """INSERT INTO event (id, conversation_id, contact_id, source_id, webhook_id, type, source, data, facts,
             business_key, notice, at, received_at, due_at, lease_until, processed_at, outcome, reason)
           VALUES (:id, :conversation, :contact, :source_id, :webhook, :type, :source, :data, :facts, :key,
             :notice, :at, :now, :now, 0, :processed, :outcome, :reason) ON CONFLICT DO NOTHING RETURNING id""",
        id=event.id,
        conversation=conversation_id,
        contact=contact_id,
        source_id=source_id,
        webhook=webhook_id,
        type=event.type,
        source=event.source.value,
        data=canonical(event.data),
        facts=canonical(event.facts),
        key=business_key,
        notice=notice,
        at=event.at,
        now=now,
        processed=now if outcome else None,
        outcome=outcome,
        reason=reason,
    )
    return written is not None


def exists(tx: Tx, event_id: str) -> bool:
    """Whether an event with this id was stored."""
    return tx.value("SELECT 1 FROM event WHERE id = :id", id=event_id) is not None


def conversation_of(tx: Tx, event_id: str) -> int | None:
    """The conversation that an event with this id was stored for."""
    found = tx.value("SELECT conversation_id FROM event WHERE id = :id", id=event_id)
    return None if found is None else int(found)


def with_key(tx: Tx, business_key: str) -> bool:
    """Whether this business fact is known already (R34)."""
    return tx.value("SELECT 1 FROM event WHERE business_key = :key", key=business_key) is not None


def is_orphan(tx: Tx, business_key: str) -> bool:
    """Whether this business fact is only known of nobody (R34)."""
    return (
        tx.value("SELECT 1 FROM event WHERE business_key = :key AND outcome = 'orphan'", key=business_key) is not None
    )


def adopt(tx: Tx, business_key: str, now: Millis) -> None:
    """Somebody is known now by another notice of the same fact: the orphan is a repetition of that, and waits no more."""
    tx.run(
        """UPDATE event SET business_key = NULL, outcome = 'duplicate', reason = 'known_now', processed_at = :now
           WHERE business_key = :key AND outcome = 'orphan'""",
        key=business_key,
        now=now,
    )


def pending(tx: Tx, conversation_id: int, now: Millis) -> list[Event]:
    """The conversation's events that are due, in order of arrival."""
    rows = tx.rows(
        """SELECT id, type, source, data, facts, at FROM event
           WHERE conversation_id = :id AND processed_at IS NULL AND due_at <= :now ORDER BY received_at, at, id""",
        id=conversation_id,
        now=now,
    )
    return [_event(row) for row in rows]


def settle(tx: Tx, event_id: str, now: Millis, outcome: str, reason: str | None) -> None:
    """Mark an event as applied."""
    tx.run(
        "UPDATE event SET processed_at = :now, outcome = :outcome, reason = :reason WHERE id = :id",
        id=event_id,
        now=now,
        outcome=outcome,
        reason=reason,
    )


def _event(row: Mapping[str, Any]) -> Event:
    plain = dict(row)
    data = json.loads(plain["data"])
    return Event(
        id=plain["id"],
        type=plain["type"],
        source=Source(plain["source"]),
        at=plain["at"],
        data={name: tuple(v) if isinstance(v, list) else v for name, v in data.items()},
        facts=json.loads(plain["facts"]),
    )
