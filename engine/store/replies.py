"""Replies to choose from, each under a shortcut of its own."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Reply", "change", "everything", "get", "put", "remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A text with gaps, and who wrote it last."""

    id: int
    shortcut: str
    text: str
    who: str
    at: Millis


def everything(tx: Tx) -> list[Reply]:
    """All of them by shortcut."""
    return [Reply(**row) for row in tx.rows("SELECT * FROM canned_reply ORDER BY shortcut")]


def get(tx: Tx, reply_id: int) -> Reply | None:
    """One of them."""
    row = tx.one("SELECT * FROM canned_reply WHERE id = :id", id=reply_id)
    return None if row is None else Reply(**row)


def put(tx: Tx, shortcut: str, text: str, who: str, at: Millis) -> bool:
    """A new one; False when the shortcut is taken."""
    written = tx.value(
        """INSERT INTO canned_reply (shortcut, text, who, at) VALUES (:shortcut, :text, :who, :at)
           ON CONFLICT DO NOTHING RETURNING id""",
        shortcut=shortcut,
        text=text,
        who=who,
        at=at,
    )
    return written is not None


def change(tx: Tx, reply_id: int, shortcut: str, text: str, who: str, at: Millis, *, seen: Millis) -> bool:
    """Change the one that was last written at `seen`; False when it was written since, or is gone."""
    written = tx.value(
        """UPDATE canned_reply SET shortcut = :shortcut, text = :text, who = :who, at = :at
           WHERE id = :id AND at = :seen RETURNING id""",
        id=reply_id,
        shortcut=shortcut,
        text=text,
        who=who,
        at=at,
        seen=seen,
    )
    return written is not None


def remove(tx: Tx, reply_id: int) -> None:
    """Forget one."""
    tx.run("DELETE FROM canned_reply WHERE id = :id", id=reply_id)
