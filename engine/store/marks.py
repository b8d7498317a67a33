"""Marks on a conversation's row beside its snapshot: what waits, what is leased, who is asked (R22, R26)."""

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.conversations import Conversation


def note_arrival(
    tx: Tx, conversation: Conversation, channel_id: int, at: Millis, due_at: Millis, oldest: Millis
) -> None:
    """A message waits: move the batch's due time, and bump the version so that a decision without it cannot commit."""
    tx.run(
        """UPDATE conversation SET version = version + 1, due_at = :due, oldest_pending_at = :oldest,
             channel_id = :channel, last_inbound_at = CASE WHEN last_inbound_at > :at THEN last_inbound_at ELSE :at END
           WHERE id = :id""",
        id=conversation.id,
        due=due_at,
        oldest=oldest,
        channel=channel_id,
        at=at,
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


def sent_all(tx: Tx, conversation_id: int) -> None:
    """A sender found nothing more to send: give its lease back."""
    tx.run("UPDATE conversation SET send_lease_until = 0 WHERE id = :id", id=conversation_id)


def flag(tx: Tx, conversation_id: int, attention: str | None) -> None:
    """Put a conversation before a person, or take it away from there."""
    tx.run("UPDATE conversation SET attention = :why WHERE id = :id", id=conversation_id, why=attention)
