"""How the conversations in one state stand: for how long, and whose silence ends soon."""

from dataclasses import dataclass
from statistics import median

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Staying", "staying"]

MOST = 5_000
"""Conversations that are looked at, those whose silence ends first."""


@dataclass(frozen=True, slots=True)
class Staying:
    """`typical` is the median time in the state in ms, None where nobody is; `soon` how many are due before the moment asked."""

    typical: Millis | None
    soon: int


def staying(tx: Tx, slug: str, state: str, now: Millis, soon: Millis) -> Staying:
    """The current conversations of a flow in that state, of all versions."""
    rows = tx.rows(
        """SELECT entered_at, deadline_at FROM conversation
           WHERE flow = :slug AND state = :state AND followed_by IS NULL ORDER BY deadline_at LIMIT :most""",
        slug=slug,
        state=state,
        most=MOST,
    )
    times = [now - int(row["entered_at"]) for row in rows]
    due = sum(row["deadline_at"] is not None and int(row["deadline_at"]) <= soon for row in rows)
    return Staying(int(median(times)) if times else None, due)
