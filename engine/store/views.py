"""What a conversation's page reads: the transcript, the log, what one event is tied to, and what is new in them."""

from typing import Any

from engine.store.connection import Tx

FILE = """m.state AS file_state, m.reason AS file_reason, m.mime AS file_mime, m.bytes AS file_bytes, m.transcript,
 m.transcript_state, m.transcript_reason"""
_MESSAGE = "SELECT i.*, m.transcript FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id"


def head(tx: Tx, conversation_id: int) -> dict[str, Any] | None:
    """A conversation with its contact and its channel."""
    return tx.one(
        """SELECT c.*, p.name, p.phone, p.email, p.language, p.tags, p.opt_out_at, p.paused_at, p.paused_until, p.paused_by,
             n.kind AS channel_kind, n.name AS channel_name, n.state AS channel_state
           FROM conversation c JOIN contact p ON p.id = c.contact_id LEFT JOIN channel n ON n.id = c.channel_id
           WHERE c.id = :id""",
        id=conversation_id,
    )


def arrived(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The lead's latest messages, oldest first."""
    return tx.rows(
        f"""SELECT * FROM (SELECT i.id, i.kind, i.text, i.button_id, i.at, i.received_at, i.edited_at, i.deleted_at,
             i.processed_at, i.event_id, i.outcome, i.reason, i.provider_id, i.media, {FILE}
             FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id WHERE i.conversation_id = :id
             ORDER BY i.at DESC, i.id DESC LIMIT :most) AS latest ORDER BY at, id""",
        id=conversation_id,
        most=most,
    )


def file(tx: Tx, inbound_id: int) -> dict[str, Any] | None:
    """The file of a message and what was said of it, None when there is none or the message was taken back."""
    return tx.one(
        f"""SELECT i.id, i.kind, i.text, i.media, {FILE} FROM inbound i JOIN media m ON m.inbound_id = i.id
            WHERE i.id = :id AND i.deleted_at IS NULL""",
        id=inbound_id,
    )


def left(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The latest letters to the lead, oldest first."""
    return tx.rows(
        """SELECT * FROM (SELECT id, action, part, parts, cause, state, payload, as_template, status, reason, created_at,
             due_at, attempt, sent_at, delivery, delivery_at, error_code, author, event_id
             FROM outbox WHERE conversation_id = :id ORDER BY id DESC LIMIT :most) AS latest ORDER BY id""",
        id=conversation_id,
        most=most,
    )


def recorded(tx: Tx, conversation_id: int, most: int) -> list[dict[str, Any]]:
    """The latest log rows of a conversation, oldest first."""
    return tx.rows(
        """SELECT * FROM (SELECT id, at, outcome, reason, event_id, event, frm, "to", facts, n FROM log
             WHERE conversation_id = :id ORDER BY id DESC LIMIT :most) AS latest ORDER BY id""",
        id=conversation_id,
        most=most,
    )


def moves(tx: Tx, conversation_id: int, most: int) -> list[tuple[str | None, str | None]]:
    """(from, to) of a conversation's latest transitions, the newest first."""
    rows = tx.rows(
        """SELECT frm, "to" FROM log WHERE conversation_id = :id AND outcome = 'transition'
           ORDER BY id DESC LIMIT :most""",
        id=conversation_id,
        most=most,
    )
    return [(row["frm"], row["to"]) for row in rows]


def message(tx: Tx, conversation_id: int, inbound_id: int) -> dict[str, Any] | None:
    """One message of the lead, None when it is another conversation's."""
    return tx.one(
        f"{_MESSAGE} WHERE i.id = :id AND i.conversation_id = :conversation",
        id=inbound_id,
        conversation=conversation_id,
    )


def letter(tx: Tx, conversation_id: int, outbox_id: int) -> dict[str, Any] | None:
    """One letter to the lead, None when it is another conversation's."""
    return tx.one(
        "SELECT * FROM outbox WHERE id = :id AND conversation_id = :conversation",
        id=outbox_id,
        conversation=conversation_id,
    )


def entry(tx: Tx, conversation_id: int, log_id: int) -> dict[str, Any] | None:
    """One row of the log, None when it is another conversation's."""
    return tx.one(
        "SELECT * FROM log WHERE id = :id AND conversation_id = :conversation", id=log_id, conversation=conversation_id
    )


def about_event(tx: Tx, event_id: str) -> dict[str, Any]:
    """Everything that one event is tied to: its row, its messages, its log rows, its letters."""
    return {
        "event": tx.one("SELECT * FROM event WHERE id = :id", id=event_id),
        "messages": tx.rows(f"{_MESSAGE} WHERE i.event_id = :id ORDER BY i.at, i.id", id=event_id),
        "log": tx.rows("SELECT * FROM log WHERE event_id = :id ORDER BY id", id=event_id),
        "letters": tx.rows("SELECT * FROM outbox WHERE event_id = :id ORDER BY id", id=event_id),
    }


def newest_log(tx: Tx) -> int:
    """Where the log ends now; the cursor of a page that follows it."""
    return int(tx.value("SELECT COALESCE(MAX(id), 0) FROM log"))


def newest_arrival(tx: Tx) -> int:
    """Where the lead's messages end now. An arrival has no row in the log before it is decided about."""
    return int(tx.value("SELECT COALESCE(MAX(id), 0) FROM inbound"))


def recorded_since(tx: Tx, cursor: int, most: int) -> list[dict[str, Any]]:
    """(id, conversation_id) of the log's rows after `cursor`, oldest first."""
    return tx.rows(
        "SELECT id, conversation_id FROM log WHERE id > :cursor ORDER BY id LIMIT :most", cursor=cursor, most=most
    )


def arrived_since(tx: Tx, cursor: int, most: int) -> list[dict[str, Any]]:
    """(id, conversation_id) of the messages after `cursor`, oldest first."""
    return tx.rows(
        "SELECT id, conversation_id FROM inbound WHERE id > :cursor ORDER BY id LIMIT :most", cursor=cursor, most=most
    )


def of_contact(tx: Tx, contact_id: int) -> list[int]:
    """A contact's conversations, the newest first."""
    rows = tx.rows("SELECT id FROM conversation WHERE contact_id = :id ORDER BY id DESC", id=contact_id)
    return [int(row["id"]) for row in rows]


def other_channels(tx: Tx, contact_id: int, channel_id: int) -> bool:
    """Whether a contact is known from another channel than this one."""
    return (
        tx.value(
            """SELECT 1 FROM conversation c WHERE c.contact_id = :contact AND (
                 (c.channel_id IS NOT NULL AND c.channel_id <> :channel)
                 OR EXISTS (SELECT 1 FROM inbound i WHERE i.conversation_id = c.id AND i.channel_id <> :channel)
                 OR EXISTS (SELECT 1 FROM outbox o WHERE o.conversation_id = c.id AND o.channel_id <> :channel))
               LIMIT 1""",
            contact=contact_id,
            channel=channel_id,
        )
        is not None
    )


def pulse(tx: Tx, conversation_id: int) -> dict[str, Any] | None:
    """What differs when anything of a conversation has changed: the ends of its log and its messages, its pause."""
    return tx.one(
        """SELECT c.version, c.attention, p.paused_until, p.opt_out_at,
             (SELECT MAX(l.id) FROM log l WHERE l.conversation_id = c.id) AS log,
             (SELECT MAX(i.id) FROM inbound i WHERE i.conversation_id = c.id) AS arrived
           FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.id = :id""",
        id=conversation_id,
    )


MANY = 100
"""Of what is only counted to be told, more is "many"."""


def needing(tx: Tx) -> int:
    """How many conversations need a person, of any flow, but for those that wait for an approval; at most MANY."""
    return int(
        tx.value(
            """SELECT count(*) FROM (SELECT 1 FROM conversation WHERE attention IS NOT NULL AND followed_by IS NULL
               LIMIT :most) AS found""",
            most=MANY,
        )
    )
