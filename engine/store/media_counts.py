"""How many audios became words, and how much sound that was."""

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["audios"]


def audios(tx: Tx) -> tuple[dict[str, int], Millis]:
    """The number of audios by what became of their words, and the milliseconds that were transcribed."""
    rows = tx.rows(
        """SELECT transcript_state, COUNT(*) AS audios, COALESCE(SUM(transcribed_ms), 0) AS heard FROM media
           WHERE transcript_state IS NOT NULL GROUP BY transcript_state ORDER BY transcript_state"""
    )
    return {row["transcript_state"]: int(row["audios"]) for row in rows}, sum(int(row["heard"]) for row in rows)
