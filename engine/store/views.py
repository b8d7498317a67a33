"""What the desk looks at: boards, transcripts and logs, read only, each in one query that an index serves."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

_CARD = """
SELECT c.id, c.contact_id, c.flow, c.flow_version, c.state, c.entered_at, c.deadline_at, c.rung, c.due_at, c.attention,
 c.last_inbound_at, c.updated_at, c.channel_id, p.name, p.phone, p.paused_until, p.opt_out_at,
 (SELECT i.text FROM inbound i WHERE i.conversation_id = c.id ORDER BY i.at DESC, i.id DESC LIMIT 1) AS last_text,
 (SELECT i.kind FROM inbound i WHERE i.conversation_id = c.id ORDER BY i.at DESC, i.id DESC LIMIT 1) AS last_kind,
 (SELECT COUNT(*) FROM outbox o WHERE o.conversation_id = c.id AND o.status = 'held') AS held
FROM conversation c JOIN contact p ON p.id = c.contact_id"""
ORDER = """ORDER BY CASE WHEN c.attention IS NOT NULL THEN 0 WHEN c.deadline_at <= :late THEN 1 ELSE 2 END,
 CASE WHEN c.deadline_at IS NULL THEN 1 ELSE 0 END, c.deadline_at, c.updated_at DESC, c.id"""


def counts(tx: Tx, flow: str, now: Millis, late: Millis, soon: Millis) -> list[dict[str, Any]]:
    """Per state: how many, how many late, how many whose silence ends before `soon`."""
    return tx.rows(
        """SELECT state, COUNT(*) AS people, SUM(CASE WHEN deadline_at <= :late THEN 1 ELSE 0 END) AS late,
             SUM(CASE WHEN deadline_at > :now AND deadline_at <= :soon THEN 1 ELSE 0 END) AS soon
           FROM conversation WHERE flow = :flow GROUP BY state""",
        flow=flow,
        now=now,
        late=late,
        soon=soon,
    )


def cards(tx: Tx, flow: str, state: str, late: Millis, words: str, need: str, most: int) -> list[dict[str, Any]]:
    """The first cards of a column: who needs a person, who is late, whose silence ends first, then the newest."""
    where, params = _filters(words, need)
    return tx.rows(
        f"{_CARD} WHERE c.flow = :flow AND c.state = :state{where} {ORDER} LIMIT :most",
        flow=flow,
        state=state,
        late=late,
        most=most,
        **params,
    )


def cards_of(tx: Tx, ids: Iterable[int]) -> list[dict[str, Any]]:
    """The cards of these conversations."""
    return [row for i in ids for row in tx.rows(f"{_CARD} WHERE c.id = :id", id=i)]


def needing(tx: Tx, flow: str) -> list[dict[str, Any]]:
    """How many conversations need a person, by reason."""
    return tx.rows(
        """SELECT attention, COUNT(*) AS people, MIN(updated_at) AS since FROM conversation
           WHERE flow = :flow AND attention IS NOT NULL GROUP BY attention ORDER BY attention""",
        flow=flow,
    )


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
        """SELECT * FROM (SELECT id, kind, text, button_id, at, received_at, edited_at, deleted_at, processed_at, event_id,
             outcome, reason, provider_id FROM inbound WHERE conversation_id = :id ORDER BY at DESC, id DESC LIMIT :most
           ) AS latest ORDER BY at, id""",
        id=conversation_id,
        most=most,
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


def about_event(tx: Tx, event_id: str) -> dict[str, Any]:
    """Everything that one event is tied to: its row, its messages, its log rows, its letters."""
    return {
        "event": tx.one("SELECT * FROM event WHERE id = :id", id=event_id),
        "messages": tx.rows("SELECT * FROM inbound WHERE event_id = :id ORDER BY at, id", id=event_id),
        "log": tx.rows("SELECT * FROM log WHERE event_id = :id ORDER BY id", id=event_id),
        "letters": tx.rows("SELECT * FROM outbox WHERE event_id = :id ORDER BY id", id=event_id),
    }


def newest_log(tx: Tx) -> int:
    """Where the log ends now; the cursor of a page that follows it."""
    return int(tx.value("SELECT COALESCE(MAX(id), 0) FROM log"))


def changed_since(tx: Tx, cursor: int, most: int = 500) -> tuple[int, list[int]]:
    """The end of the log, and the conversations that something was recorded about after `cursor`."""
    rows = tx.rows(
        "SELECT id, conversation_id FROM log WHERE id > :cursor ORDER BY id LIMIT :most", cursor=cursor, most=most
    )
    touched = dict.fromkeys(int(row["conversation_id"]) for row in rows if row["conversation_id"] is not None)
    return (int(rows[-1]["id"]) if rows else cursor), list(touched)


def found(tx: Tx, words: str, most: int) -> list[dict[str, Any]]:
    """Conversations by name, phone or what was written."""
    where, params = _filters(words, "")
    return tx.rows(f"{_CARD} WHERE 1 = 1{where} ORDER BY c.updated_at DESC, c.id LIMIT :most", most=most, **params)


def of_contact(tx: Tx, contact_id: int) -> list[int]:
    """A contact's conversations, the newest first."""
    rows = tx.rows("SELECT id FROM conversation WHERE contact_id = :id ORDER BY id DESC", id=contact_id)
    return [int(row["id"]) for row in rows]


def _filters(words: str, need: str) -> tuple[str, Mapping[str, object]]:
    where, params = "", {}
    if words.strip():
        where += """ AND (LOWER(p.name) LIKE :words ESCAPE '!' OR p.phone LIKE :words ESCAPE '!' OR EXISTS (
            SELECT 1 FROM inbound i WHERE i.conversation_id = c.id AND LOWER(i.text) LIKE :words ESCAPE '!'))"""
        plain = words.strip().lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
        params["words"] = f"%{plain}%"
    if need == "late":
        where += " AND c.deadline_at <= :late"
    elif need:
        where += " AND c.attention IS NOT NULL"
    return where, params
