"""Texts that were taken for nothing in particular, and those of them that a person called right."""

from collections.abc import Sequence
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["RECENT", "call_right", "called_right", "general"]

RECENT = 20_000
"""How many of the newest messages are looked through."""


def general(tx: Tx, flow: str, events: Sequence[str], most: int) -> list[dict[str, Any]]:
    """The newest texts of a flow that became one of these events, each with its conversation; the newest first."""
    return tx.rows(
        """SELECT i.text, i.received_at, i.conversation_id FROM inbound i
           JOIN event e ON e.id = i.event_id JOIN conversation c ON c.id = i.conversation_id
           WHERE i.id > (SELECT COALESCE(MAX(id), 0) FROM inbound) - :recent AND i.text IS NOT NULL
             AND i.button_id IS NULL AND i.deleted_at IS NULL AND e.type IN :events AND c.flow = :flow
           ORDER BY i.id DESC LIMIT :most""",
        recent=RECENT,
        flow=flow,
        events=list(events),
        most=most,
    )


def called_right(tx: Tx, flow: str) -> set[str]:
    """The digests of the texts that nobody need look at again."""
    return {str(row["digest"]) for row in tx.rows("SELECT digest FROM reviewed_text WHERE flow = :flow", flow=flow)}


def call_right(tx: Tx, flow: str, digest: str, now: Millis, who: str) -> bool:
    """Note that a text was understood as it should be; False when it was noted before."""
    written = tx.value(
        """INSERT INTO reviewed_text (flow, digest, at, who) VALUES (:flow, :digest, :now, :who)
           ON CONFLICT DO NOTHING RETURNING digest""",
        flow=flow,
        digest=digest,
        now=now,
        who=who,
    )
    return written is not None
