"""News of what we sent, stored before it is understood, because it may come before the send's own answer."""

from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx


def put(
    tx: Tx,
    channel_id: int,
    provider_id: str,
    status: str,
    at: Millis,
    now: Millis,
    *,
    contact_id: int | None = None,
    correlation: str | None = None,
    code: int | None = None,
    detail: str | None = None,
    settled_by: int | None = None,
) -> int | None:
    """Store one piece of news once; its id, or None when it is known."""
    written = tx.value(
        """INSERT INTO evidence (channel_id, provider_id, status, contact_id, at, received_at, correlation, code, detail,
             settled_by)
           VALUES (:channel, :provider, :status, :contact, :at, :now, :correlation, :code, :detail, :settled)
           ON CONFLICT DO NOTHING RETURNING id""",
        channel=channel_id,
        provider=provider_id,
        status=status,
        contact=contact_id,
        at=at,
        now=now,
        correlation=correlation,
        code=code,
        detail=detail,
        settled=settled_by,
    )
    return None if written is None else int(written)


def about(tx: Tx, channel_id: int, provider_id: str) -> list[dict[str, Any]]:
    """Unsettled news of a message, in order of arrival."""
    return tx.rows(
        """SELECT id, provider_id, status, contact_id, at, code, detail FROM evidence
           WHERE channel_id = :channel AND provider_id = :provider AND settled_by IS NULL ORDER BY id""",
        channel=channel_id,
        provider=provider_id,
    )


def open_echoes(tx: Tx, conversation_id: int) -> list[dict[str, Any]]:
    """Echoes to the person of a conversation that nobody has claimed: if no send of ours was theirs, a person typed them."""
    return tx.rows(
        """SELECT e.id, e.channel_id, e.contact_id, e.provider_id, e.at, e.detail
           FROM evidence e JOIN conversation c ON c.contact_id = e.contact_id
           WHERE c.id = :conversation AND e.status = 'echo' AND e.settled_by IS NULL ORDER BY e.id""",
        conversation=conversation_id,
    )


def settle(tx: Tx, evidence_id: int, by: int) -> None:
    """Note which row the news was about; 0 means that it was about nothing of ours."""
    tx.run("UPDATE evidence SET settled_by = :by WHERE id = :id", id=evidence_id, by=by)
