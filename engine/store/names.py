"""The names of people: which contact owns a name, and tying a name to a contact, once (R70)."""

from collections.abc import Mapping
from typing import Any

from engine.core import identity
from engine.core.flow import Millis
from engine.core.inbound import Person
from engine.store.connection import Tx

__all__ = ["names_of", "only_known_as", "owner", "owners", "spelling", "tie"]


def names_of(person: Person) -> list[tuple[str, str, str]]:
    """(kind, value to compare, as seen) of every name, the strongest first."""
    names = []
    if person.reference:
        names.append(("reference", person.reference, person.reference))
    if person.phone:
        names.append(("phone", identity.key(person.phone), person.phone))
    if person.bsuid:
        names.append(("bsuid", person.bsuid, person.bsuid))
    if person.lid:
        names.append(("lid", person.lid, person.lid))
    return names


def owner(tx: Tx, kind: str, value: str) -> dict[str, Any] | None:
    """Whose name it is: the contact's id and what is known about it."""
    return tx.one(
        """SELECT i.contact_id, i.seen_as, c.name, c.email, c.phone FROM identity i JOIN contact c ON c.id = i.contact_id
           WHERE i.kind = :kind AND i.value = :value""",
        kind=kind,
        value=value,
    )


def tie(tx: Tx, contact_id: int, names: list[tuple[str, str, str]], now: Millis) -> int:
    """Tie names to a contact; how many of them nobody had."""
    written = 0
    for kind, value, seen in names:
        fresh = tx.value(
            """INSERT INTO identity (kind, value, contact_id, seen_as, created_at)
               VALUES (:kind, :value, :contact, :seen, :now) ON CONFLICT DO NOTHING RETURNING contact_id""",
            kind=kind,
            value=value,
            contact=contact_id,
            seen=seen,
            now=now,
        )
        written += fresh is not None
    return written


def owners(tx: Tx, person: Person) -> list[int]:
    """The contacts who have the names, each once; nothing is written."""
    found = (owner(tx, kind, value) for kind, value, _ in names_of(person))
    return list(dict.fromkeys(int(row["contact_id"]) for row in found if row is not None))


def only_known_as(tx: Tx, contact_id: int, person: Person) -> bool:
    """Whether a contact is nothing but names of this person."""
    given = {(kind, value) for kind, value, _ in names_of(person)}
    rows = tx.rows("SELECT kind, value FROM identity WHERE contact_id = :id", id=contact_id)
    return {(row["kind"], row["value"]) for row in rows} <= given


def spelling(person: Person, owned: Mapping[tuple[str, str], dict[str, Any] | None]) -> str | None:
    """How a phone was recognised that was written in another way before."""
    if not person.phone:
        return None
    known = owned.get(("phone", identity.key(person.phone)))
    if known is None:
        return None
    seen, now = (identity.national(str(p)) for p in (known["seen_as"], person.phone))
    return "br_ninth_digit" if len(seen) != len(now) else None
