"""What another system may be told of a person: their conversations, and the latest events, messages and letters."""

from typing import Any

from engine.store.connection import Tx

__all__ = ["conversations", "events", "letters", "messages"]


def conversations(tx: Tx, contact_id: int, most: int) -> list[dict[str, Any]]:
    """A contact's conversations, the newest first."""
    return tx.rows(
        """SELECT id, flow, flow_version, state, context, deadline_at, due_at, entered_at, opened_at, attention,
             followed_by FROM conversation WHERE contact_id = :contact ORDER BY id DESC LIMIT :most""",
        contact=contact_id,
        most=most,
    )


def events(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The latest events of a conversation, oldest first."""
    rows = tx.rows(
        """SELECT id, type, source, at, received_at, processed_at, outcome, reason FROM event
           WHERE conversation_id = :id ORDER BY received_at DESC, at DESC, id DESC LIMIT :most""",
        id=conversation_id,
        most=most,
    )
    return rows[::-1]


def messages(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The latest messages of the person, oldest first, without their words. `id` is the provider's, `event` took it."""
    rows = tx.rows(
        """SELECT provider_id AS id, kind, at, received_at, processed_at, event_id AS event, outcome, reason FROM inbound
           WHERE conversation_id = :id ORDER BY at DESC, id DESC LIMIT :most""",
        id=conversation_id,
        most=most,
    )
    return rows[::-1]


def letters(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The latest letters to the person, oldest first, without their words. `event` is the one that asked for it."""
    rows = tx.rows(
        """SELECT id, action, part, parts, status, reason, event_id AS event, as_template, attempt, delivery, error_code,
             created_at, due_at, sent_at FROM outbox WHERE conversation_id = :id ORDER BY id DESC LIMIT :most""",
        id=conversation_id,
        most=most,
    )
    return [{**row, "as_template": bool(row["as_template"])} for row in reversed(rows)]
