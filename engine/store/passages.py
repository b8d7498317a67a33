"""Which ways conversations went: moves from state to state, counted over the newest rows of the log.

The newest rows alone are looked at: an index by time would cost every decision something, and a marketer asks seldom.
"""

import re
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["RECENT", "Passage", "fired", "passages"]

RECENT = 100_000
"""How many of the newest rows of the log are looked at."""


@dataclass(frozen=True, slots=True)
class Passage:
    """How often an event led from a state to another one."""

    frm: str
    to: str
    event: str
    times: int


def passages(tx: Tx, slug: str, since: Millis) -> list[Passage]:
    """The moves of a flow's conversations since then, of all its versions."""
    rows = tx.rows(
        """SELECT l.frm, l."to", l.event, COUNT(*) AS times FROM log l JOIN conversation c ON c.id = l.conversation_id
           WHERE l.id > (SELECT COALESCE(MAX(id), 0) FROM log) - :recent AND l.at >= :since
             AND l.outcome = 'transition' AND l.frm IS NOT NULL AND l."to" IS NOT NULL AND l.event IS NOT NULL
             AND c.flow = :slug GROUP BY l.frm, l."to", l.event""",
        recent=RECENT,
        since=since,
        slug=slug,
    )
    return [Passage(str(r["frm"]), str(r["to"]), str(r["event"]), int(r["times"])) for r in rows]


def fired(tx: Tx, slug: str, arrow: str, event: str, since: Millis) -> int:
    """How often an arrow was taken since then, in any version that has it on this event."""
    return int(
        tx.value(
            """SELECT COUNT(*) FROM log l JOIN conversation c ON c.id = l.conversation_id
               WHERE l.id > (SELECT COALESCE(MAX(id), 0) FROM log) - :recent AND l.at >= :since
                 AND l.outcome = 'transition' AND l.event = :event AND l.facts LIKE :named ESCAPE '!' AND c.flow = :slug""",
            recent=RECENT,
            since=since,
            event=event,
            named=f"%{_plain(canonical({'transition': arrow})[1:-1])}%",
            slug=slug,
        )
        or 0
    )


def _plain(text: str) -> str:
    return re.sub(r"([!%_])", r"!\1", text)
