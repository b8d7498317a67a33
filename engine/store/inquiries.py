"""What payment platforms have to be asked: rows that wait, are tried again, and end as done or failed (R20, R34)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Row", "again", "again_of", "claim", "postpone", "put", "settle", "unsettled"]


@dataclass(frozen=True, slots=True)
class Row:
    """An inquiry that was claimed. `attempt` counts from 1."""

    id: int
    source_id: int
    provider_id: str
    webhook_id: str
    about: Mapping[str, Any]
    attempt: int


def put(tx: Tx, source_id: int, provider_id: str, webhook_id: str, about: str, now: Millis) -> bool:
    """Store one that is due at once; False when the notice is known."""
    written = tx.value(
        """INSERT INTO inquiry (source_id, provider_id, webhook_id, about, received_at, due_at, lease_until, attempt)
           VALUES (:source, :provider, :webhook, :about, :now, :now, 0, 0) ON CONFLICT DO NOTHING RETURNING id""",
        source=source_id,
        provider=provider_id,
        webhook=webhook_id,
        about=about,
        now=now,
    )
    return written is not None


def claim(tx: Tx, inquiry_id: int, now: Millis) -> Row | None:
    """Begin the next attempt; None when there is nothing to do any more. A later claim leaves this one behind."""
    row = tx.one(
        """UPDATE inquiry SET attempt = attempt + 1 WHERE id = :id AND outcome IS NULL AND due_at <= :now
           RETURNING id, source_id, provider_id, webhook_id, about, attempt""",
        id=inquiry_id,
        now=now,
    )
    return None if row is None else Row(**{**row, "about": json.loads(row["about"])})


def postpone(tx: Tx, row: Row, until: Millis, reason: str) -> bool:
    """Try again later; False when another attempt has begun since."""
    written = tx.value(
        """UPDATE inquiry SET due_at = :until, lease_until = 0, reason = :reason
           WHERE id = :id AND attempt = :attempt AND outcome IS NULL RETURNING id""",
        id=row.id,
        attempt=row.attempt,
        until=until,
        reason=reason,
    )
    return written is not None


def settle(tx: Tx, row: Row, now: Millis, outcome: str, reason: str | None = None) -> bool:
    """The end: done, or failed with its reason; False when another attempt has begun since."""
    written = tx.value(
        """UPDATE inquiry SET outcome = :outcome, settled_at = :now, reason = :reason
           WHERE id = :id AND attempt = :attempt AND outcome IS NULL RETURNING id""",
        id=row.id,
        attempt=row.attempt,
        outcome=outcome,
        now=now,
        reason=reason,
    )
    return written is not None


def again(tx: Tx, source_id: int, now: Millis) -> int:
    """Begin anew with everything that failed for a source; how many."""
    rows = tx.rows(
        """UPDATE inquiry SET outcome = NULL, settled_at = NULL, attempt = 0, due_at = :now, lease_until = 0
           WHERE source_id = :source AND outcome = 'failed' RETURNING id""",
        source=source_id,
        now=now,
    )
    return len(rows)


def again_of(tx: Tx, webhook_id: str, now: Millis) -> int:
    """Begin anew with what failed of one notice; how many."""
    rows = tx.rows(
        """UPDATE inquiry SET outcome = NULL, settled_at = NULL, attempt = 0, due_at = :now, lease_until = 0
           WHERE webhook_id = :webhook AND source_id = (SELECT source_id FROM webhook WHERE id = :webhook)
             AND outcome = 'failed' RETURNING id""",
        webhook=webhook_id,
        now=now,
    )
    return len(rows)


def unsettled(tx: Tx, most: int) -> list[dict[str, Any]]:
    """What was not answered yet, or never, oldest first, each with its source's name."""
    return tx.rows(
        """SELECT i.id, s.name AS source, s.platform, i.provider_id, i.received_at, i.due_at, i.attempt, i.outcome, i.reason
           FROM inquiry i JOIN payment_source s ON s.id = i.source_id
           WHERE i.outcome IS NULL OR i.outcome = 'failed' ORDER BY i.id LIMIT :most""",
        most=most,
    )
