"""Filters of the desk that somebody gave a name; each belongs to one person."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["SavedFilter", "count", "delete", "of", "save"]


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """One of a person's filters; `query` is that of the desk's address."""

    id: int
    name: str
    query: str


def of(tx: Tx, user_id: int) -> list[SavedFilter]:
    """A person's filters, the oldest first."""
    rows = tx.rows("SELECT id, name, query FROM saved_filter WHERE user_id = :user ORDER BY id", user=user_id)
    return [SavedFilter(**row) for row in rows]


def count(tx: Tx, user_id: int, name: str) -> int:
    """How many a person has, without the one of this name."""
    return int(
        tx.value("SELECT COUNT(*) FROM saved_filter WHERE user_id = :user AND name <> :name", user=user_id, name=name)
    )


def save(tx: Tx, user_id: int, name: str, query: str, now: Millis) -> None:
    """Keep a filter; one of the same name is that filter from now on."""
    tx.run(
        """INSERT INTO saved_filter (user_id, name, query, created_at) VALUES (:user, :name, :query, :now)
           ON CONFLICT (user_id, name) DO UPDATE SET query = :query""",
        user=user_id,
        name=name,
        query=query,
        now=now,
    )


def delete(tx: Tx, user_id: int, filter_id: int) -> None:
    """Forget one of a person's filters; somebody else's stays."""
    tx.run("DELETE FROM saved_filter WHERE id = :id AND user_id = :user", id=filter_id, user=user_id)
