"""How many conversations of a flow began, and how many of them came to a state, by day; from the log (R29, R45)."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.core.flow import DAY, Millis
from engine.store.connection import Tx

__all__ = ["Began", "began", "versions"]


@dataclass(frozen=True, slots=True)
class Began:
    """Conversations that began within 24 hours, and how many of those came to one of the states."""

    day: int
    people: int
    arrived: int


def versions(tx: Tx, flow: str, since: Millis) -> list[int]:
    """The versions that conversations began on or are on now."""
    rows = tx.rows(
        "SELECT DISTINCT flow_version FROM conversation WHERE flow = :flow AND opened_at >= :since ORDER BY 1",
        flow=flow,
        since=since,
    )
    return [int(row["flow_version"]) for row in rows]


def began(tx: Tx, flow: str, since: Millis, until: Millis, states: Collection[str]) -> list[Began]:
    """The 24-hour spans from `since` on in which anybody began; who arrived after `until` did not arrive."""
    rows = tx.rows(
        """SELECT (c.opened_at - :since) / :day AS day, COUNT(*) AS people, SUM(CASE WHEN EXISTS (
             SELECT 1 FROM log l WHERE l.conversation_id = c.id AND l."to" IN :states AND l.at < :until
           ) THEN 1 ELSE 0 END) AS arrived
           FROM conversation c WHERE c.flow = :flow AND c.opened_at >= :since AND c.opened_at < :until
           GROUP BY (c.opened_at - :since) / :day ORDER BY 1""",
        flow=flow,
        since=since,
        until=until,
        day=DAY,
        states=list(states),
    )
    return [Began(int(row["day"]), int(row["people"]), int(row["arrived"])) for row in rows]
