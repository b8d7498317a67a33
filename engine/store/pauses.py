"""Pauses: a person holds the chat, the robot is quiet and the silence clock stands still (R15, R74)."""

from dataclasses import replace

from engine.core.flow import Millis
from engine.store import conversations
from engine.store.connection import Tx
from engine.store.journal import Record


def begin(tx: Tx, contact_id: int, now: Millis, until: Millis, by: str) -> None:
    """Pause the robot for a contact (R74); a pause that is on already keeps its start and its later end."""
    tx.run(
        """UPDATE contact SET paused_by = :by, paused_at = COALESCE(paused_at, :now),
           paused_until = CASE WHEN paused_until IS NOT NULL AND paused_until > :until THEN paused_until ELSE :until END
           WHERE id = :id""",
        id=contact_id,
        now=now,
        until=until,
        by=by,
    )


def end_at(tx: Tx, contact_id: int, now: Millis, until: Millis, by: str) -> None:
    """The pause ends then, sooner or later than it would have; where none was on, one begins."""
    tx.run(
        """UPDATE contact SET paused_at = COALESCE(paused_at, :now), paused_until = :until,
             paused_by = COALESCE(paused_by, :by) WHERE id = :id""",
        id=contact_id,
        now=now,
        until=until,
        by=by,
    )


def over(tx: Tx, now: Millis, limit: int = 200) -> list[tuple[int, Millis]]:
    """Contacts whose pause ended by itself, and when."""
    found = tx.rows(
        "SELECT id, paused_until FROM contact WHERE paused_until <= :now ORDER BY id LIMIT :limit", now=now, limit=limit
    )
    return [(int(r["id"]), int(r["paused_until"])) for r in found]


def end(tx: Tx, contact_id: int, ended_at: Millis, now: Millis) -> bool:
    """End a pause, once; False if none was on.

    The silence clocks that stood still run on from where they were, and each conversation's chain says so (R15, R46).
    """
    lock = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    since: Millis | None = tx.value(
        f"SELECT paused_at FROM contact WHERE id = :id AND paused_at IS NOT NULL{lock}", id=contact_id
    )
    if since is None:
        return False
    tx.run("UPDATE contact SET paused_at = NULL, paused_until = NULL, paused_by = NULL WHERE id = :id", id=contact_id)
    standing = tx.rows(
        """SELECT id, armed_at FROM conversation
           WHERE contact_id = :id AND deadline_at IS NOT NULL AND armed_at < :ended ORDER BY id""",
        id=contact_id,
        ended=ended_at,
    )
    for row in standing:
        _set_on(tx, int(row["id"]), ended_at - max(int(row["armed_at"]), since), now)
    return True


def _set_on(tx: Tx, conversation_id: int, stood: Millis, now: Millis) -> None:
    conversation = conversations.load(tx, conversation_id)
    if conversation is None or conversation.snapshot.deadline_at is None or stood <= 0:
        return
    after = replace(conversation.snapshot, deadline_at=conversation.snapshot.deadline_at + stood)
    entry = Record(outcome="note", reason="pause_over", facts={"after": {"deadline_at": after.deadline_at}})
    conversations.save(
        tx,
        conversation,
        after,
        now,
        [entry],
        due_at=conversation.due_at,
        oldest_pending_at=conversation.oldest_pending_at,
        attention=conversation.attention,
    )
