"""Notes of the team in conversations: never sent, never changed."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Note", "forget", "of", "put"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What somebody of the team noted."""

    id: int
    at: Millis
    who: str
    text: str


def put(tx: Tx, conversation_id: int, at: Millis, who: str, text: str, token: str) -> int | None:
    """Write a note; its id, or None when this form wrote one already."""
    written = tx.value(
        """INSERT INTO talk_note (conversation_id, at, who, text, token) VALUES (:id, :at, :who, :text, :token)
           ON CONFLICT DO NOTHING RETURNING id""",
        id=conversation_id,
        at=at,
        who=who,
        text=text,
        token=token,
    )
    return None if written is None else int(written)


def of(tx: Tx, conversation_id: int, most: int) -> list[Note]:
    """The latest notes of a conversation, oldest first."""
    rows = tx.rows(
        """SELECT * FROM (SELECT id, at, who, text FROM talk_note WHERE conversation_id = :id
           ORDER BY id DESC LIMIT :most) AS latest ORDER BY id""",
        id=conversation_id,
        most=most,
    )
    return [Note(**row) for row in rows]


def forget(tx: Tx, conversation_id: int) -> None:
    """The notes of a conversation are erased."""
    tx.run("DELETE FROM talk_note WHERE conversation_id = :id", id=conversation_id)
