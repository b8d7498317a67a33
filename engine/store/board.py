"""What the live desk reads: cards, counts and filters over conversations, each query served by an index."""

from collections.abc import Collection, Iterable
from typing import Any

from engine.core.flow import Millis
from engine.store.board_filter import ASKED, LATE, Filter, filtered
from engine.store.connection import Tx

_CARD = """
SELECT c.id, c.contact_id, c.flow, c.flow_version, c.state, c.entered_at, c.deadline_at, c.armed_at, c.rung, c.due_at,
 c.attention, c.last_inbound_at, c.updated_at, c.channel_id, c.followed_by, p.name, p.phone, p.paused_until, p.paused_by, p.opt_out_at, p.tags,
 (SELECT n.kind FROM channel n WHERE n.id = c.channel_id) AS channel_kind,
 (SELECT COALESCE(NULLIF(i.text, ''), (SELECT m.transcript FROM media m WHERE m.inbound_id = i.id)) FROM inbound i
   WHERE i.conversation_id = c.id ORDER BY i.at DESC, i.id DESC LIMIT 1) AS last_text,
 (SELECT i.kind FROM inbound i WHERE i.conversation_id = c.id ORDER BY i.at DESC, i.id DESC LIMIT 1) AS last_kind,
 (SELECT COUNT(*) FROM outbox o WHERE o.conversation_id = c.id AND o.status = 'held') AS held,
 (SELECT COUNT(*) FROM approval a WHERE a.conversation_id = c.id AND a.status = 'pending') AS approvals,
 (SELECT COALESCE(NULLIF(u.name, ''), u.email) FROM assignments s JOIN account u ON u.id = s.user_id
   WHERE s.conversation_id = c.id AND u.disabled_at IS NULL) AS owner
FROM conversation c JOIN contact p ON p.id = c.contact_id"""
ORDER = f"""ORDER BY CASE WHEN c.attention IS NOT NULL OR {ASKED} THEN 0 WHEN {LATE} THEN 1 ELSE 2 END,
 CASE WHEN c.deadline_at IS NULL THEN 1 ELSE 0 END, c.deadline_at, c.updated_at DESC, c.id"""


def counts(tx: Tx, flow: str, now: Millis, late: Millis, soon: Millis) -> list[dict[str, Any]]:
    """Per state: how many, how many late, how many whose silence ends before `soon`. Served by two indexes alone."""
    people = tx.rows(
        """SELECT state, COUNT(*) AS people FROM conversation WHERE flow = :flow AND followed_by IS NULL
           GROUP BY state""",
        flow=flow,
    )
    near = tx.rows(
        f"""SELECT c.state, SUM(CASE WHEN {LATE} THEN 1 ELSE 0 END) AS late,
             SUM(CASE WHEN c.deadline_at > :now AND p.paused_until IS NULL THEN 1 ELSE 0 END) AS soon
           FROM conversation c JOIN contact p ON p.id = c.contact_id
           WHERE c.deadline_at <= :soon AND c.flow = :flow GROUP BY c.state""",
        flow=flow,
        now=now,
        late=late,
        soon=soon,
    )
    known = {row["state"]: row for row in near}
    return [{"late": 0, "soon": 0, **known.get(row["state"], {}), **row} for row in people]


def columns(
    tx: Tx, flow: str, states: Collection[str], late: Millis, chosen: Filter, most: int
) -> dict[str, tuple[list[int], int]]:
    """Of each of the states the conversations that come first, and how many there are: who needs a person, who is late,
    whose silence ends first, then the newest.
    """
    if not states:
        return {}
    where, params = filtered(chosen)
    rows = tx.rows(
        f"""SELECT * FROM (SELECT c.id, c.state, ROW_NUMBER() OVER (PARTITION BY c.state {ORDER}) AS place,
              COUNT(*) OVER (PARTITION BY c.state) AS people FROM conversation c JOIN contact p ON p.id = c.contact_id
              WHERE c.flow = :flow AND c.state IN :states AND c.followed_by IS NULL{where}) AS ranked
            WHERE place <= :most ORDER BY place""",
        flow=flow,
        states=list(states),
        late=late,
        most=most,
        **params,
    )
    found: dict[str, tuple[list[int], int]] = {}
    for row in rows:
        found.setdefault(row["state"], ([], int(row["people"])))[0].append(int(row["id"]))
    return found


def cards_of(tx: Tx, ids: Iterable[int]) -> list[dict[str, Any]]:
    """The cards of these conversations, in the order of the ids."""
    wanted = list(ids)
    if not wanted:
        return []
    rows = {int(row["id"]): row for row in tx.rows(f"{_CARD} WHERE c.id IN :ids", ids=wanted)}
    return [rows[one] for one in wanted if one in rows]


def reached(tx: Tx, flow: str, states: Collection[str], since: Millis) -> dict[str, int]:
    """How many came into each of these states since then."""
    if not states:
        return {}
    rows = tx.rows(
        """SELECT state, COUNT(*) AS people FROM conversation WHERE flow = :flow AND state IN :states
           AND entered_at >= :since AND followed_by IS NULL GROUP BY state""",
        flow=flow,
        states=list(states),
        since=since,
    )
    return {row["state"]: int(row["people"]) for row in rows}


def needing(tx: Tx, flow: str) -> list[dict[str, Any]]:
    """How many conversations need a person, by reason."""
    return tx.rows(
        """SELECT attention, COUNT(*) AS people, MIN(updated_at) AS since FROM conversation
           WHERE flow = :flow AND attention IS NOT NULL GROUP BY attention ORDER BY attention""",
        flow=flow,
    )


def in_need(tx: Tx, late: Millis, most: int) -> list[dict[str, Any]]:
    """Cards of every flow that a person should look at, who has waited longest first; `since` is when that began."""
    return tx.rows(
        f"""SELECT * FROM (SELECT w.*, CASE
               WHEN w.attention IS NOT NULL THEN COALESCE((SELECT MAX(l.at) FROM log l
                 WHERE l.conversation_id = w.id AND l.outcome = 'alert'), w.updated_at)
               WHEN w.held > 0 THEN (SELECT MIN(o.created_at) FROM outbox o
                 WHERE o.conversation_id = w.id AND o.status = 'held')
               ELSE COALESCE((SELECT MIN(a.created_at) FROM approval a
                 WHERE a.conversation_id = w.id AND a.status = 'pending'), w.deadline_at) END AS since
             FROM ({_CARD} WHERE c.attention IS NOT NULL OR ({LATE}) OR {ASKED}
               OR c.id IN (SELECT o.conversation_id FROM outbox o WHERE o.status = 'held')) AS w) AS waiting
           ORDER BY since, id LIMIT :most""",
        late=late,
        most=most,
    )


def holding(tx: Tx, flow: str) -> int:
    """How many conversations have letters that a pause holds back."""
    return int(
        tx.value(
            """SELECT COUNT(*) FROM conversation WHERE flow = :flow
               AND id IN (SELECT conversation_id FROM outbox WHERE status = 'held')""",
            flow=flow,
        )
    )


def ran_out(tx: Tx, after: Millis, until: Millis, most: int) -> list[int]:
    """Conversations whose silence ended in between, and that nothing has come of: they have just become late."""
    rows = tx.rows(
        f"""SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id
            WHERE {LATE} AND c.deadline_at > :after ORDER BY c.id LIMIT :most""",
        after=after,
        late=until,
        most=most,
    )
    return [int(row["id"]) for row in rows]


def matching(tx: Tx, ids: Iterable[int], late: Millis, chosen: Filter) -> set[int]:
    """Those of the conversations that a filter lets through."""
    where, params = filtered(chosen)
    wanted = list(ids)
    if not wanted:
        return set()
    rows = tx.rows(
        f"""SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id
            WHERE c.id IN :ids{where}""",
        ids=wanted,
        late=late,
        **params,
    )
    return {int(row["id"]) for row in rows}
