"""What a number did lately, for sparing it: its line, its strangers of the day, and what one person got (R27)."""

from engine.core.flow import Millis
from engine.core.sparing import Recent
from engine.store.connection import Tx

__all__ = ["STARTED", "recent", "take"]

STARTED = ("clock", "payment", "api", "effect")
"""The causes of letters that nobody asked for."""
_STARTED = ", ".join(f"'{cause}'" for cause in STARTED)
_OF_CONTACT = "conversation_id IN (SELECT id FROM conversation WHERE contact_id = :contact)"


def recent(tx: Tx, channel_id: int, contact_id: int, event_id: str | None, day: str, since: Millis) -> Recent:
    """What counts for the next letter of an event to this contact; the channel's line is kept for this transaction.

    Several letters of one event are one message to the person.
    """
    tx.run(
        "INSERT INTO channel_pace (channel_id, slot_at, day, strangers) VALUES (:id, 0, '', 0) ON CONFLICT DO NOTHING",
        id=channel_id,
    )
    lock = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    line = tx.one(f"SELECT slot_at, day, strangers FROM channel_pace WHERE channel_id = :id{lock}", id=channel_id) or {}
    got = (
        tx.one(
            f"""SELECT COUNT(DISTINCT event_id) AS touches, MIN(tried_at) AS first_at, MAX(tried_at) AS last_at FROM outbox
            WHERE {_OF_CONTACT} AND channel_id = :channel AND tried_at > :since AND is_global = :no
              AND cause IN ({_STARTED}) AND event_id <> :event""",
            contact=contact_id,
            channel=channel_id,
            since=since,
            no=False,
            event=event_id or "",
        )
        or {}
    )
    return Recent(
        slot_at=int(line["slot_at"]),
        strangers=int(line["strangers"]) if line["day"] == day else 0,
        touches=int(got["touches"]),
        first_at=got["first_at"],
        last_at=got["last_at"],
        stranger=not _met(tx, channel_id, contact_id),
    )


def take(tx: Tx, channel_id: int, slot_at: Millis, day: str, strangers: int) -> None:
    """The next free place in the line is at `slot_at`; so many strangers were written to on that day."""
    tx.run(
        "UPDATE channel_pace SET slot_at = :slot, day = :day, strangers = :strangers WHERE channel_id = :id",
        id=channel_id,
        slot=slot_at,
        day=day,
        strangers=strangers,
    )


def _met(tx: Tx, channel_id: int, contact_id: int) -> bool:
    """Whether the person ever wrote, or got anything from this number."""
    return (
        tx.value(
            f"""SELECT 1 WHERE EXISTS (SELECT 1 FROM conversation WHERE contact_id = :contact AND last_inbound_at > 0)
             OR EXISTS (SELECT 1 FROM outbox WHERE {_OF_CONTACT} AND channel_id = :channel AND attempt > 0)""",
            contact=contact_id,
            channel=channel_id,
        )
        is not None
    )
