"""Events that wait for their conversation: payments, people, other systems. The id is the proof against doubles."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.events import Event
from engine.core.flow import Millis, Source
from engine.core.inbound import OUTCOMES
from engine.store.connection import Tx


@dataclass(frozen=True, slots=True)
class Buyer:
    """Who bought something, and in which flow that is known."""

    contact_id: int
    flow: str


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
    outcome: str | None = None,
    reason: str | None = None,
) -> bool:
    """Store an event once; False when this id is known. With an `outcome` it is settled on arrival (R29)."""
    written = tx.value(
        """INSERT INTO event (id, conversation_id, contact_id, source_id, webhook_id, type, source, data, facts,
             business_key, at, received_at, due_at, lease_until, processed_at, outcome, reason)
           VALUES (:id, :conversation, :contact, :source_id, :webhook, :type, :source, :data, :facts, :key, :at, :now,
             :now, 0, :processed, :outcome, :reason) ON CONFLICT DO NOTHING RETURNING id""",
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


def adopt(tx: Tx, business_key: str) -> None:
    """Somebody is known now: the business fact is no longer that of the orphan, whose row stays."""
    tx.run("UPDATE event SET business_key = NULL WHERE business_key = :key AND outcome = 'orphan'", key=business_key)


def of_purchase(tx: Tx, platform: str, transaction: str) -> Buyer | None:
    """Whom an earlier notice of the same purchase was about, whatever its outcome."""
    row = tx.one(
        """SELECT e.contact_id, c.flow FROM event e JOIN conversation c ON c.id = e.conversation_id
           WHERE e.business_key IN :keys ORDER BY e.received_at DESC, e.id LIMIT 1""",
        keys=[f"{platform}:{transaction}:{outcome}" for outcome in OUTCOMES],
    )
    return None if row is None else Buyer(contact_id=int(row["contact_id"]), flow=str(row["flow"]))


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
