"""What is due, found by partial indexes and claimed with a lease (R30). A lease saves work; the version protects."""

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.outbox import Row, get

ADVANCE = """
SELECT id FROM conversation WHERE due_at <= :now AND lease_until <= :now
UNION
SELECT c.id FROM conversation c JOIN contact p ON p.id = c.contact_id
 WHERE c.deadline_at <= :now AND c.due_at IS NULL AND c.lease_until <= :now AND p.paused_until IS NULL
UNION
SELECT c.id FROM event e JOIN conversation c ON c.id = e.conversation_id
 WHERE e.processed_at IS NULL AND e.due_at <= :now AND c.lease_until <= :now
LIMIT :most
"""
BLOCKED = """EXISTS (SELECT 1 FROM outbox e WHERE e.conversation_id = o.conversation_id AND e.id < o.id
 AND (e.status IN ('sending', 'uncertain') OR (e.status = 'pending' AND e.due_at > :now AND (e.attempt > 0 OR (
   e.part > 1 AND NOT EXISTS (SELECT 1 FROM outbox f WHERE f.conversation_id = e.conversation_id
     AND f.event_id = e.event_id AND f.action = e.action AND f.part = e.part - 1 AND f.status = 'pending'))))))"""
"""What keeps its place in the line: on the wire, of unknown outcome, to be tried again, or the next part of a send that
has begun."""
DELIVER = f"""
SELECT o.conversation_id FROM outbox o JOIN conversation c ON c.id = o.conversation_id
 WHERE o.status = 'pending' AND o.due_at <= :now AND c.send_lease_until <= :now AND NOT {BLOCKED}
UNION
SELECT o.conversation_id FROM outbox o JOIN conversation c ON c.id = o.conversation_id
 WHERE o.ask_at <= :now AND c.send_lease_until <= :now
LIMIT :most
"""
LOOK = "look_at <= :now AND removed_at IS NULL"
FETCH = "SELECT id FROM inquiry WHERE outcome IS NULL AND due_at <= :now AND lease_until <= :now"
ANYTHING = f"""
SELECT 1 WHERE EXISTS (SELECT 1 FROM ({ADVANCE}) AS a) OR EXISTS (SELECT 1 FROM ({DELIVER}) AS d)
 OR EXISTS (SELECT 1 FROM outbox WHERE status IN ('sending', 'uncertain') AND lease_until <= :now AND ask_at IS NULL)
 OR EXISTS (SELECT 1 FROM channel WHERE {LOOK})
 OR EXISTS (SELECT 1 FROM contact WHERE paused_until <= :now)
 OR EXISTS ({FETCH})
 OR EXISTS (SELECT 1 FROM media WHERE due_at <= :now AND flying_until <= :now)
 OR EXISTS (SELECT 1 FROM hold WHERE until <= :now)
 OR EXISTS (SELECT 1 FROM campaign WHERE status = 'running' AND next_at <= :now)
 OR EXISTS (SELECT 1 FROM scheduled_publication WHERE status = 'waiting' AND publish_at <= :now AND lease_until <= :now)
"""


def anything(tx: Tx, now: Millis) -> bool:
    """Whether a claim would find something."""
    return tx.value(ANYTHING, now=now, most=1) is not None


def to_advance(tx: Tx, now: Millis, until: Millis, most: int) -> list[int]:
    """Conversations with an event, a burst or a deadline that is due, leased to the caller."""
    return _leased(tx, "lease_until", ADVANCE, now, until, most)


def to_deliver(tx: Tx, now: Millis, until: Millis, most: int) -> list[int]:
    """Conversations with a letter that is due, or one to ask the channel about, leased to the caller."""
    return _leased(tx, "send_lease_until", DELIVER, now, until, most)


def to_fetch(tx: Tx, now: Millis, until: Millis, most: int) -> list[int]:
    """Inquiries at payment platforms that are due, leased to the caller."""
    skip = " FOR UPDATE SKIP LOCKED" if tx.dialect == "postgresql" else ""
    rows = tx.rows(
        f"UPDATE inquiry SET lease_until = :until WHERE id IN ({FETCH} ORDER BY id LIMIT :most{skip}) RETURNING id",
        now=now,
        until=until,
        most=most,
    )
    return sorted(int(row["id"]) for row in rows)


def lost(tx: Tx, now: Millis, most: int = 200) -> list[Row]:
    """Letters on the wire or without a known outcome for too long, and about which nobody is going to ask."""
    return _rows(
        tx,
        "status IN ('sending', 'uncertain') AND lease_until <= :now AND ask_at IS NULL ORDER BY id LIMIT :most",
        now=now,
        most=most,
    )


def to_look_at(tx: Tx, now: Millis, again_at: Millis) -> list[int]:
    """Channels whose gateway shall be asked how it is, leased to the caller until `again_at`."""
    rows = tx.rows(f"UPDATE channel SET look_at = :again WHERE {LOOK} RETURNING id", now=now, again=again_at)
    return sorted(int(row["id"]) for row in rows)


def next_due(tx: Tx, now: Millis) -> Millis | None:
    """The next moment after now at which something will be due; None when nothing waits for a moment."""
    found: Millis | None = tx.value(
        """SELECT MIN(at) FROM (
             SELECT MIN(due_at) AS at FROM conversation WHERE due_at > :now
             UNION ALL SELECT MIN(c.deadline_at) FROM conversation c JOIN contact p ON p.id = c.contact_id
               WHERE c.deadline_at > :now AND c.due_at IS NULL AND p.paused_until IS NULL
             UNION ALL SELECT MIN(due_at) FROM event WHERE processed_at IS NULL AND due_at > :now
             UNION ALL SELECT MIN(due_at) FROM outbox WHERE status = 'pending' AND due_at > :now
             UNION ALL SELECT MIN(lease_until) FROM outbox
               WHERE status IN ('sending', 'uncertain') AND lease_until > :now
             UNION ALL SELECT MIN(ask_at) FROM outbox WHERE ask_at > :now
             UNION ALL SELECT MIN(look_at) FROM channel WHERE look_at > :now AND removed_at IS NULL
             UNION ALL SELECT MIN(paused_until) FROM contact WHERE paused_until > :now
             UNION ALL SELECT MIN(due_at) FROM inquiry WHERE outcome IS NULL AND due_at > :now
             UNION ALL SELECT MIN(due_at) FROM media WHERE due_at > :now
             UNION ALL SELECT MIN(until) FROM hold WHERE until > :now
             UNION ALL SELECT MIN(next_at) FROM campaign WHERE status = 'running' AND next_at > :now
             UNION ALL SELECT MIN(publish_at) FROM scheduled_publication WHERE status = 'waiting' AND publish_at > :now
           ) AS moments""",
        now=now,
    )
    return found


def begun(tx: Tx) -> Millis | None:
    """When the earliest burst that has begun will be over; None when nobody writes."""
    found: Millis | None = tx.value("SELECT MIN(due_at) FROM conversation WHERE due_at IS NOT NULL")
    return found


def _leased(tx: Tx, column: str, query: str, now: Millis, until: Millis, most: int) -> list[int]:
    skip = " FOR UPDATE SKIP LOCKED" if tx.dialect == "postgresql" else ""
    rows = tx.rows(
        f"""UPDATE conversation SET {column} = :until WHERE id IN (
              SELECT id FROM conversation WHERE id IN ({query}) AND {column} <= :now ORDER BY id{skip}
            ) RETURNING id""",
        now=now,
        until=until,
        most=most,
    )
    return sorted(int(row["id"]) for row in rows)


def _rows(tx: Tx, where: str, **params: object) -> list[Row]:
    found = [get(tx, int(row["id"])) for row in tx.rows(f"SELECT id FROM outbox WHERE {where}", **params)]
    return [row for row in found if row is not None]
