"""Payments that nobody could be tied to: they stay in the table of events until a person ties them or sets them aside (R34)."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.flow import Millis, Value
from engine.store.connection import Tx

__all__ = ["Orphan", "get", "listed", "of_purchase", "set_aside", "tie", "waiting"]

_COLUMNS = "id, contact_id, source_id, webhook_id, type, data, facts, business_key, at, received_at, reason"
_WAITS = "outcome = 'orphan' AND source = 'payment'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphan:
    """An event without a conversation. `data` is all that the notice brought, `contact_id` known where only the flow
    was missing.
    """

    id: str
    contact_id: int | None
    source_id: int | None
    webhook_id: str | None
    type: str
    data: Mapping[str, Value]
    facts: Mapping[str, object]
    business_key: str | None
    at: Millis
    received_at: Millis
    reason: str | None


def listed(tx: Tx, most: int) -> list[Orphan]:
    """Those that wait for a person, the newest first."""
    return _read(tx, f"{_WAITS} ORDER BY received_at DESC, id LIMIT :most", most=most)


def waiting(tx: Tx) -> int:
    """How many wait for a person."""
    return int(tx.value(f"SELECT COUNT(*) FROM event WHERE {_WAITS}"))


def get(tx: Tx, event_id: str) -> Orphan | None:
    """One that still waits, locked where the database can."""
    lock = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    found = _read(tx, f"{_WAITS} AND id = :id{lock}", id=event_id)
    return found[0] if found else None


def of_purchase(tx: Tx, business_keys: Collection[str]) -> list[Orphan]:
    """Everything that waits with one of these keys, in the order in which it happened."""
    return _read(tx, f"{_WAITS} AND business_key IN :keys ORDER BY at, received_at, id", keys=sorted(business_keys))


def tie(tx: Tx, event_id: str, conversation_id: int, contact_id: int, data: Mapping[str, Value], now: Millis) -> bool:
    """Put an orphan into the queue of a conversation; False when somebody was first."""
    return (
        tx.value(
            f"""UPDATE event SET conversation_id = :conversation, contact_id = :contact, data = :data, due_at = :now,
                 processed_at = NULL, outcome = NULL, reason = NULL WHERE id = :id AND {_WAITS} RETURNING id""",
            id=event_id,
            conversation=conversation_id,
            contact=contact_id,
            data=canonical(data),
            now=now,
        )
        is not None
    )


def set_aside(tx: Tx, event_id: str) -> bool:
    """Nobody will be looked for any more; the row stays. False when somebody was first."""
    return (
        tx.value(
            f"UPDATE event SET outcome = 'ignored', reason = 'set_aside' WHERE id = :id AND {_WAITS} RETURNING id",
            id=event_id,
        )
        is not None
    )


def _read(tx: Tx, where: str, **params: object) -> list[Orphan]:
    rows = tx.rows(f"SELECT {_COLUMNS} FROM event WHERE {where}", **params)
    return [Orphan(**{**row, "data": json.loads(row["data"]), "facts": json.loads(row["facts"])}) for row in rows]
