"""What the analysis of a flow reads: log rows of a window, who rests where, arrivals, and bubbles that were written.

Conversations that nothing was written about since the window began are only counted, each by the last row that put it
somewhere. Those that took another one's place, or whose place was taken, are read whole: their rows tell when.
"""

from typing import NamedTuple

from engine.core.analysis.accounts import Window
from engine.core.analysis.messages import Bubble
from engine.core.analysis.stays import Entry
from engine.core.flow import DAY, Millis
from engine.store.connection import Tx

__all__ = ["Arrival", "arrivals", "bubbles", "entries", "resting"]


class Arrival(NamedTuple):
    """When a message came, its event, and what became of it."""

    conversation: int
    at: Millis
    event_id: str | None
    outcome: str | None


_FACT = {"sqlite": "json_extract(l.facts, '$.{}')", "postgresql": "(l.facts::jsonb ->> '{}')"}
_TOLD = """c.updated_at >= :since OR c.followed_by IS NOT NULL
 OR c.id IN (SELECT f.followed_by FROM conversation f WHERE f.flow = :flow AND f.followed_by IS NOT NULL)"""
_ROWS = """(l.n IS NOT NULL OR l.outcome = 'opt_out') AND (l."to" IS NOT NULL OR l.event_id LIKE 'timeout:%' OR l.reason = 'followed'
 OR (l.outcome = 'opt_out' AND (l.reason IS NULL OR l.reason <> 'merged')))"""


def entries(tx: Tx, flow: str, since: Millis) -> list[Entry]:
    """Every row that says where conversations are that anything was written about since then, in order."""
    fact = {name: _FACT[tx.dialect].format(name) for name in ("flow_version", "source", "transition", "goes_on_from")}
    rows = tx.tuples(
        f"""SELECT l.conversation_id, c.contact_id, l.at, l.outcome, l.reason, l.event_id, l.frm, l."to",
             CAST({fact["flow_version"]} AS INTEGER) AS version, {fact["source"]} AS source,
             CASE WHEN l.reason = 'split' THEN {fact["transition"]} END AS arrow,
             CASE WHEN l.reason = 'opened' THEN CAST({fact["goes_on_from"]} AS INTEGER) END AS goes_on_from
           FROM conversation c JOIN log l ON l.conversation_id = c.id
           WHERE c.flow = :flow AND ({_TOLD}) AND {_ROWS} ORDER BY l.conversation_id, l.id""",
        flow=flow,
        since=since,
    )
    return list(map(Entry._make, rows))


def resting(tx: Tx, flow: str, since: Millis, arrow: str | None = None) -> list[tuple[int | None, str, int]]:
    """How many of the others are in each state: version, state, count. With `arrow` only those who took that branch
    before they came there.
    """
    fact = {name: _FACT[tx.dialect].format(name) for name in ("flow_version", "transition")}
    branch = f"""AND EXISTS (SELECT 1 FROM log s WHERE s.conversation_id = c.id AND s.reason = 'split' AND s.n <= l.n
      AND {fact["transition"].replace("l.facts", "s.facts")} = :arrow)"""
    rows = tx.rows(
        f"""SELECT CAST({fact["flow_version"]} AS INTEGER) AS version, l."to" AS state, COUNT(*) AS people
           FROM conversation c JOIN log l ON l.conversation_id = c.id AND l.n = (
             SELECT e.n FROM log e WHERE e.conversation_id = c.id AND e."to" IS NOT NULL
               AND (e.frm IS NULL OR e.frm <> e."to") ORDER BY e.n DESC LIMIT 1)
           WHERE c.flow = :flow AND NOT ({_TOLD}) {branch if arrow is not None else ""} GROUP BY 1, 2""",
        flow=flow,
        since=since,
        arrow=arrow,
    )
    return [(row["version"], str(row["state"]), int(row["people"])) for row in rows]


def arrivals(tx: Tx, flow: str, window: Window) -> list[Arrival]:
    """The messages of a flow's people within the window and the day after it, by conversation and moment."""
    rows = tx.tuples(
        """SELECT i.conversation_id, i.received_at, i.event_id, i.outcome
           FROM conversation c JOIN inbound i ON i.conversation_id = c.id
           WHERE c.flow = :flow AND i.received_at >= :since AND i.received_at < :until
           ORDER BY i.conversation_id, i.received_at, i.id""",
        flow=flow,
        since=window.since,
        until=window.until + DAY,
    )
    return list(map(Arrival._make, rows))


def bubbles(tx: Tx, flow: str, window: Window) -> list[Bubble]:
    """What was written to a flow's people within the window, by conversation."""
    rows = tx.tuples(
        """SELECT o.conversation_id, o.event_id, o.action, o.cause, o.status, o.reason, o.sent_at, o.delivery
           FROM outbox o WHERE o.conversation_id IN (SELECT c.id FROM conversation c WHERE c.flow = :flow)
             AND o.created_at >= :since AND o.created_at < :until ORDER BY o.conversation_id, o.id""",
        flow=flow,
        since=window.since,
        until=window.until,
    )
    return list(map(Bubble._make, rows))
