"""Marks on a conversation's row beside its snapshot: what waits, what is leased, who is asked (R22, R26)."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

LOOP = "loop"
"""Why a conversation needs a person, and why its answers are not sent: a robot seems to be on the other side (R32)."""


@dataclass(frozen=True, slots=True)
class Waits:
    """When a conversation's batch is due, and how long its oldest message has waited; `at` is when the newest was
    written, `now` when it arrived.
    """

    conversation_id: int
    channel_id: int
    at: Millis
    due_at: Millis
    oldest: Millis
    now: Millis


def note_arrivals(tx: Tx, waits: Sequence[Waits]) -> None:
    """Messages wait, one row a conversation: move the batch's due time, and bump the version so that a decision
    without them cannot commit.
    """
    if not waits:
        return
    tx.run(
        """UPDATE conversation SET version = version + 1, channel_id = w.column2, due_at = w.column4,
             oldest_pending_at = w.column5, active_at = w.column6,
             last_inbound_at = CASE WHEN last_inbound_at > w.column3 THEN last_inbound_at ELSE w.column3 END
           FROM (VALUES :waits) AS w WHERE id = w.column1""",
        waits=[(w.conversation_id, w.channel_id, w.at, w.due_at, w.oldest, w.now) for w in waits],
    )


def set_due(tx: Tx, conversation_id: int, due_at: Millis | None, oldest: Millis | None) -> None:
    """Move or clear the batch's due time after an edit or a deletion."""
    tx.run(
        """UPDATE conversation SET version = version + 1, due_at = :due, oldest_pending_at = :oldest, lease_until = 0
           WHERE id = :id""",
        id=conversation_id,
        due=due_at,
        oldest=oldest,
    )


def set_touched(tx: Tx, conversation_id: int) -> None:
    """Something of this conversation changed beside its row: a decision made before it must be made again."""
    tx.run("UPDATE conversation SET version = version + 1 WHERE id = :id", id=conversation_id)


def set_active(tx: Tx, conversation_id: int, now: Millis) -> None:
    """Something was said in this conversation: what the lead says next belongs here, unless it says otherwise (R71)."""
    tx.run("UPDATE conversation SET active_at = :now WHERE id = :id", id=conversation_id, now=now)


def sent_all(tx: Tx, conversation_id: int) -> None:
    """A sender found nothing more to send: give its lease back."""
    tx.run("UPDATE conversation SET send_lease_until = 0 WHERE id = :id", id=conversation_id)


def flag(tx: Tx, conversation_id: int, attention: str | None) -> None:
    """Put a conversation before a person, or take it away from there. One that answers a robot stays before them as
    that until they looked: its answers are stopped by it (R32).
    """
    tx.run(
        "UPDATE conversation SET attention = :why WHERE id = :id AND (attention IS NULL OR attention <> :loop OR :free)",
        id=conversation_id,
        why=attention,
        loop=LOOP,
        free=attention is None,
    )
