"""How many files there are and how large they are; how many audios became words, and how much sound that was."""

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["audios", "files"]


def files(tx: Tx) -> tuple[dict[str, int], int]:
    """The number of files by their state, and the bytes that are kept."""
    rows = tx.rows(
        "SELECT state, COUNT(*) AS files, COALESCE(SUM(bytes), 0) AS held FROM media GROUP BY state ORDER BY state"
    )
    return {row["state"]: int(row["files"]) for row in rows}, sum(int(row["held"]) for row in rows)


def audios(tx: Tx) -> tuple[dict[str, int], Millis]:
    """The number of audios by what became of their words, and the milliseconds that were transcribed."""
    rows = tx.rows(
        """SELECT transcript_state, COUNT(*) AS audios, COALESCE(SUM(transcribed_ms), 0) AS heard FROM media
           WHERE transcript_state IS NOT NULL GROUP BY transcript_state ORDER BY transcript_state"""
    )
    return {row["transcript_state"]: int(row["audios"]) for row in rows}, sum(int(row["heard"]) for row in rows)
