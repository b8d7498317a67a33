"""Files of messages against their bytes."""

from engine.store.connection import Tx
from engine.store.examination.rows import Place, places

__all__ = ["not_whole"]


def not_whole(tx: Tx) -> list[Place]:
    """Kept files whose pieces are not all their bytes, and pieces of files that were refused or that nobody knows."""
    return [
        *places(
            tx,
            "media",
            """SELECT m.inbound_id AS id FROM media m WHERE m.state = 'kept' AND COALESCE(m.bytes, -1) <> (
                 SELECT COALESCE(SUM(LENGTH(p.content)), 0) FROM media_piece p WHERE p.inbound_id = m.inbound_id)""",
        ),
        *places(
            tx,
            "media_piece",
            """SELECT DISTINCT p.inbound_id AS id FROM media_piece p WHERE NOT EXISTS (
                 SELECT 1 FROM media m WHERE m.inbound_id = p.inbound_id AND m.state <> 'refused')""",
        ),
    ]
