"""What left already: what it says now, and how much of it left lately."""

from collections.abc import Mapping

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx


def reword(tx: Tx, row_id: int, payload: Mapping[str, object]) -> None:
    """Note what a sent message says since it was edited on the phone."""
    tx.run("UPDATE outbox SET payload = :payload WHERE id = :id", id=row_id, payload=canonical(payload))


def to_person(tx: Tx, channel_id: int, contact_id: int, since: Millis, most: int) -> list[Millis]:
    """When the latest messages of a channel to one person left, the newest first; none from before `since`."""
    rows = tx.rows(
        """SELECT sent_at FROM outbox WHERE conversation_id IN (SELECT id FROM conversation WHERE contact_id = :contact)
           AND channel_id = :channel AND sent_at > :since ORDER BY sent_at DESC LIMIT :most""",
        contact=contact_id,
        channel=channel_id,
        since=since,
        most=most,
    )
    return [int(row["sent_at"]) for row in rows]
