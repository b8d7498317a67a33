"""People whom somebody looks for: by a name of theirs whole, or by a part of name, e-mail or phone."""

from dataclasses import dataclass

from engine.store import contacts
from engine.store.board_filter import like
from engine.store.connection import Tx

__all__ = ["Found", "found"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A contact, and the conversation in which something was said last."""

    id: int
    name: str | None
    phone: str | None
    email: str | None
    conversation_id: int | None


def found(tx: Tx, words: str, most: int, *, by_phone: bool) -> list[Found]:
    """The contacts that fit, whoever is called exactly so first, then those who spoke last; none for no words."""
    if not words.strip():
        return []
    exact = contacts.find(tx, words.strip()) if by_phone else None
    phone = " OR p.phone LIKE :words ESCAPE '!'" if by_phone else ""
    rows = tx.rows(
        f"""SELECT p.id, p.name, p.phone, p.email, (SELECT c.id FROM conversation c WHERE c.contact_id = p.id
              AND c.followed_by IS NULL ORDER BY c.active_at DESC, c.id DESC LIMIT 1) AS conversation_id
            FROM contact p WHERE p.merged_into IS NULL AND (p.id = :exact OR LOWER(p.name) LIKE :words ESCAPE '!'
              OR p.name LIKE :capital ESCAPE '!' OR LOWER(p.email) LIKE :words ESCAPE '!'{phone})
            ORDER BY CASE WHEN p.id = :exact THEN 0 ELSE 1 END, p.id DESC LIMIT :most""",
        exact=-1 if exact is None else exact,
        most=most,
        **like(words),
    )
    return [Found(**row) for row in rows]
