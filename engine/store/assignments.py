"""Whose a conversation is: one colleague at most, as long as the account is let in."""

from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Assigned", "assign", "hand_on", "of", "release"]


@dataclass(frozen=True, slots=True)
class Assigned:
    """The colleague, by the account's number and name (the address where there is none), and who said so when."""

    user_id: int
    name: str
    by_who: str
    at: Millis


def of(tx: Tx, conversation_id: int) -> Assigned | None:
    """Whose it is; nobody's when the account was shut out."""
    row = tx.one(
        """SELECT a.user_id, COALESCE(NULLIF(u.name, ''), u.email) AS name, a.by_who, a.at
           FROM assignments a JOIN account u ON u.id = a.user_id
           WHERE a.conversation_id = :id AND u.disabled_at IS NULL""",
        id=conversation_id,
    )
    return None if row is None else Assigned(**row)


def assign(tx: Tx, conversation_id: int, user_id: int, by_who: str, at: Millis) -> None:
    """From now on it is this colleague's."""
    tx.run(
        """INSERT INTO assignments (conversation_id, user_id, by_who, at) VALUES (:id, :user, :by, :at)
           ON CONFLICT (conversation_id) DO UPDATE SET user_id = excluded.user_id, by_who = excluded.by_who,
             at = excluded.at""",
        id=conversation_id,
        user=user_id,
        by=by_who,
        at=at,
    )


def release(tx: Tx, conversation_id: int) -> None:
    """It is nobody's."""
    tx.run("DELETE FROM assignments WHERE conversation_id = :id", id=conversation_id)


def hand_on(tx: Tx, old_id: int, new_id: int) -> None:
    """A talk took the place of another: it is that one's colleague's, unless it has one of its own."""
    tx.run(
        """INSERT INTO assignments (conversation_id, user_id, by_who, at)
           SELECT :new, user_id, by_who, at FROM assignments WHERE conversation_id = :old
           ON CONFLICT (conversation_id) DO NOTHING""",
        new=new_id,
        old=old_id,
    )
