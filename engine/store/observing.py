"""What a scenario watches while it is played, and what it is held against at its end."""

from typing import Any

from engine.store import outbox
from engine.store.connection import Tx

__all__ = ["attempted", "entries", "logged", "moves", "newest", "on_the_wire", "standings", "untried", "words"]


def standings(tx: Tx) -> list[dict[str, Any]]:
    """Every conversation with its person, by id."""
    return tx.rows(
        """SELECT c.id, c.contact_id, c.flow, c.flow_version, c.state, c.context, c.deadline_at, c.rung, c.attention,
             c.followed_by, p.name, p.phone, p.opt_out_at, p.paused_until, p.tags
           FROM conversation c JOIN contact p ON p.id = c.contact_id ORDER BY c.id"""
    )


def logged(tx: Tx) -> list[dict[str, Any]]:
    """The whole log, in order."""
    return tx.rows('SELECT at, outcome, reason, event_id, event, frm, "to", facts FROM log ORDER BY id')


def entries(tx: Tx) -> list[dict[str, Any]]:
    """The whole log with its numbers, in order."""
    return tx.rows('SELECT id, at, outcome, reason, event_id, event, frm, "to", facts, n FROM log ORDER BY id')


def newest(tx: Tx) -> int:
    """The number of the latest log row, 0 before the first."""
    return int(tx.value("SELECT COALESCE(MAX(id), 0) FROM log"))


def moves(tx: Tx) -> list[dict[str, Any]]:
    """The log rows that tell of a transition, in order, each with the version that its conversation is on."""
    return tx.rows(
        """SELECT l.id, l.at, l.facts, c.flow, c.flow_version FROM log l JOIN conversation c ON c.id = l.conversation_id
           WHERE l.outcome = 'transition' ORDER BY l.id"""
    )


def words(tx: Tx, event_id: str) -> list[str | None]:
    """The texts of the messages that an event took, in order, or what was heard in them; None of one without words."""
    rows = tx.rows(
        """SELECT COALESCE(NULLIF(i.text, ''), m.transcript) AS words
           FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id WHERE i.event_id = :id ORDER BY i.at, i.id""",
        id=event_id,
    )
    return [row["words"] for row in rows]


def attempted(tx: Tx) -> list[outbox.Row]:
    """The letters that were tried at least once, in order, but for those that were typed on the phone itself."""
    return outbox.select(tx, "attempt > 0 AND action <> 'phone' ORDER BY id")


def on_the_wire(tx: Tx) -> list[outbox.Row]:
    """The letters that are being sent now, in order."""
    return outbox.select(tx, "status = 'sending' ORDER BY id")


def untried(tx: Tx, conversation_id: int) -> list[outbox.Row]:
    """The letters of a conversation that wait for their first attempt."""
    return outbox.select(tx, "conversation_id = :id AND status = 'pending' AND attempt = 0", id=conversation_id)
