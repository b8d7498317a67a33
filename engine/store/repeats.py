"""What a lead said lately and the bot answered, for the guard against robots that answer robots (R32)."""

from itertools import groupby

from engine.core.flow import Millis
from engine.store.connection import Tx


def answered(tx: Tx, conversation_id: int, since: Millis, oldest: Millis) -> list[str]:
    """The words of each burst that was answered after `since`, oldest first; none said before `oldest` is among them."""
    rows = tx.rows(
        """SELECT i.event_id, COALESCE(i.text, m.transcript, '') AS said
           FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id
           WHERE i.conversation_id = :id AND i.at > :oldest AND i.processed_at > :since AND i.event_id IN
             (SELECT o.event_id FROM outbox o WHERE o.conversation_id = :id AND o.created_at > :since
              AND o.cause = 'message' AND o.status <> 'suppressed')
           ORDER BY i.event_id, i.at, i.id""",
        id=conversation_id,
        since=since,
        oldest=oldest,
    )
    bursts = groupby(rows, key=lambda row: row["event_id"])
    return ["\n".join(row["said"] for row in burst) for _, burst in bursts]
