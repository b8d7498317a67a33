"""Rows put where somebody says, without any event: the beginning of a scenario."""

from collections.abc import Mapping

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.conversations import Conversation


def place(tx: Tx, conversation: Conversation, standing: Mapping[str, object], now: Millis) -> None:
    """Put a conversation where a scenario or a person says; `standing` has the columns of the snapshot."""
    tx.run(
        """UPDATE conversation SET state = :state, context = :context, entered_at = :entered_at, armed_at = :entered_at,
             deadline_at = :deadline_at, rung = :rung, last_inbound_at = :last_inbound_at, version = version + 1,
             updated_at = :now, active_at = CASE WHEN :last_inbound_at > 0 THEN :last_inbound_at ELSE active_at END WHERE id = :id""",
        id=conversation.id,
        now=now,
        **standing,
    )


def renumber(tx: Tx, row_id: int, wanted: int, *, attempt: int) -> int:
    """Give a row the id that a scenario calls it by, and the attempts that its status means."""
    tx.run(
        "UPDATE outbox SET id = :wanted, attempt = :attempt WHERE id = :id", id=row_id, wanted=wanted, attempt=attempt
    )
    if tx.dialect == "postgresql":
        # Numbers that were given by hand are unknown to the counter, and a letter with a taken number is not written.
        tx.value("SELECT setval(pg_get_serial_sequence('outbox', 'id'), (SELECT MAX(id) FROM outbox))")
    return wanted
