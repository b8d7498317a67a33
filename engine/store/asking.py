"""Letters that may or may not have left, and those that wait for their channel: what is asked, and what is let go."""

from engine.core.flow import Millis
from engine.store import outbox
from engine.store.connection import Tx
from engine.store.outbox import Row

__all__ = ["UNPROVEN", "ask_again", "in_flight_to", "let_go", "overdue", "to_ask", "unproven_to"]

UNPROVEN = ("uncertain", "review")
"""The states of a send that may or may not have left."""


def ask_again(tx: Tx, row_id: int, attempt: int, ask_at: Millis | None) -> None:
    """The channel knew nothing of an attempt: ask once more at `ask_at`, or never."""
    tx.run(
        "UPDATE outbox SET ask_at = :ask_at WHERE id = :id AND attempt = :attempt AND status IN ('uncertain', 'review')",
        id=row_id,
        attempt=attempt,
        ask_at=ask_at,
    )


def let_go(tx: Tx, channel_id: int, reason: str, now: Millis) -> int:
    """What waits in a channel for that reason may leave now; how many that is."""
    return len(
        tx.rows(
            """UPDATE outbox SET due_at = :now WHERE status = 'pending' AND channel_id = :channel AND reason = :reason
               RETURNING id""",
            channel=channel_id,
            reason=reason,
            now=now,
        )
    )


def to_ask(tx: Tx, conversation_id: int, now: Millis) -> list[Row]:
    """The sends of a conversation that the channel shall be asked about now."""
    return outbox.select(tx, "conversation_id = :id AND ask_at <= :now ORDER BY id", id=conversation_id, now=now)


def unproven_to(tx: Tx, contact_id: int, channel_id: int) -> list[Row]:
    """Sends to a contact that may or may not have left."""
    return outbox.select(
        tx,
        """conversation_id IN (SELECT id FROM conversation WHERE contact_id = :contact) AND channel_id = :channel
           AND status IN ('uncertain', 'review') ORDER BY id""",
        contact=contact_id,
        channel=channel_id,
    )


def in_flight_to(tx: Tx, contact_id: int) -> bool:
    """Whether a send to this contact is on the wire, or its outcome is unknown."""
    return (
        tx.value(
            """SELECT 1 FROM outbox o JOIN conversation c ON c.id = o.conversation_id
               WHERE c.contact_id = :id AND o.status IN ('sending', 'uncertain') LIMIT 1""",
            id=contact_id,
        )
        is not None
    )


def overdue(tx: Tx, row_id: int, now: Millis) -> bool:
    """Note that nobody confirmed a sent message in time; False when news came meanwhile, or this was noted."""
    return (
        tx.value(
            """UPDATE outbox SET delivery = 'pending', delivery_at = :now, ask_at = NULL
               WHERE id = :id AND status = 'sent' AND delivery IS NULL RETURNING id""",
            id=row_id,
            now=now,
        )
        is not None
    )
