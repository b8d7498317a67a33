"""What is recorded about one letter, and the person before whom its conversation is put (R29)."""

from engine.core.flow import Millis
from engine.store import journal, marks
from engine.store.connection import Tx
from engine.store.journal import About, Record
from engine.store.outbox import Row


def say(tx: Tx, now: Millis, row: Row, outcome: str, reason: str | None = None, **facts: object) -> None:
    """Record news of one row."""
    about = About(conversation_id=row.conversation_id, contact_id=row.contact_id, channel_id=row.channel_id)
    told = {"outbox": row.id, "action": row.action, **facts}
    journal.record(tx, now, about, Record(outcome=outcome, reason=reason, event_id=row.event_id, facts=told))


def alarm(tx: Tx, now: Millis, row: Row, reason: str, to: str = "supervisor") -> None:
    """Put a conversation before a person."""
    marks.flag(tx, row.conversation_id, reason)
    say(tx, now, row, "alert", reason, to=to)
