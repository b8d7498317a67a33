"""What two people are told apart by: the talks that each had, and what was said last."""

import json
from typing import Any

from engine.store.connection import Tx

__all__ = ["lines", "talks"]


def talks(tx: Tx, contact_id: int) -> list[dict[str, Any]]:
    """A contact's conversations, the current ones first, then by when something was said last."""
    return tx.rows(
        """SELECT id, flow, flow_version, state, active_at, followed_by FROM conversation WHERE contact_id = :id
           ORDER BY CASE WHEN followed_by IS NULL THEN 0 ELSE 1 END, active_at DESC, id DESC""",
        id=contact_id,
    )


def lines(tx: Tx, contact_id: int, most: int) -> list[dict[str, Any]]:
    """The last words of both, the oldest first: `theirs` is 1 for the person's own."""
    heard = tx.rows(
        """SELECT 1 AS theirs, i.text, i.at FROM inbound i JOIN conversation c ON c.id = i.conversation_id
           WHERE c.contact_id = :id AND i.text <> '' AND i.deleted_at IS NULL ORDER BY i.at DESC, i.id DESC LIMIT :most""",
        id=contact_id,
        most=most,
    )
    said = tx.rows(
        """SELECT 0 AS theirs, o.payload AS text, o.sent_at AS at FROM outbox o
             JOIN conversation c ON c.id = o.conversation_id
           WHERE c.contact_id = :id AND o.status = 'sent' ORDER BY o.sent_at DESC, o.id DESC LIMIT :most""",
        id=contact_id,
        most=most,
    )
    told = [{**row, "text": json.loads(row["text"]).get("text")} for row in said]
    both = sorted((row for row in (*heard, *told) if row["text"]), key=lambda row: (row["at"], -row["theirs"]))
    return both[-most:]
