"""The parts of one send: one row of the outbox a bubble, and what one part means for another."""

from engine.core.flow import Millis
from engine.store import outbox
from engine.store.connection import Tx


def follows_medium(tx: Tx, row: outbox.Row) -> bool:
    """Whether the part before this one is a file, which may arrive after a text that left later."""
    return row.part > 1 and any(
        r.payload.get("media")
        for r in outbox.select(
            tx,
            "conversation_id = :id AND event_id = :event AND action = :action AND part = :part",
            id=row.conversation_id,
            event=row.event_id,
            action=row.action,
            part=row.part - 1,
        )
    )


def template_follows(tx: Tx, row: outbox.Row) -> bool:
    """Whether the last part of the same send has a template, which stands for all of it outside the window."""
    return row.part < row.parts and any(
        r.payload.get("template")
        for r in outbox.select(
            tx,
            "conversation_id = :id AND event_id = :event AND action = :action AND part = parts",
            id=row.conversation_id,
            event=row.event_id,
            action=row.action,
        )
    )


def hold_next_part(tx: Tx, row: outbox.Row, until: Millis) -> None:
    """The part after this one waits until `until`; news of a delivery lets it go earlier."""
    tx.run(
        """UPDATE outbox SET due_at = :until WHERE conversation_id = :id AND event_id = :event AND action = :action
           AND part = :part AND status = 'pending'""",
        id=row.conversation_id,
        event=row.event_id,
        action=row.action,
        part=row.part + 1,
        until=until,
    )


def hold_following(tx: Tx, row: outbox.Row, until: Millis) -> None:
    """Every part after this one waits as long as this one does."""
    if row.part < row.parts:
        tx.run(
            """UPDATE outbox SET due_at = :until WHERE conversation_id = :id AND event_id = :event AND action = :action
               AND part > :part AND status = 'pending'""",
            id=row.conversation_id,
            event=row.event_id,
            action=row.action,
            part=row.part,
            until=until,
        )
