"""People and their names: who a message or a payment is from (R70), and their consent (R73)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core import identity
from engine.core.canonical import canonical
from engine.core.errors import StaleConversation
from engine.core.flow import Millis
from engine.core.inbound import Person
from engine.store import findable
from engine.store.connection import Tx
from engine.store.names import names_of, only_known_as, owner, owners, spelling, tie

__all__ = [
    "Resolved", "find", "follow", "hold", "identities", "known", "locking", "only_known_as", "owners", "present",
    "resolve", "row", "set_opt_out", "set_tags", "track",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resolved:
    """Whom the names belong to. `linked` are names that were new to a known contact, `matched_by` says how a phone
    in another spelling was recognised, `others` are further contacts that own some of the names.
    """

    contact_id: int
    created: bool = False
    linked: tuple[tuple[str, str], ...] = ()
    matched_by: str | None = None
    others: tuple[int, ...] = ()


def resolve(tx: Tx, person: Person, now: Millis, *, known: int | None = None) -> Resolved | None:
    """The contact whom these names mean, made if nobody has them; None when there is no name at all.

    `known` is a contact found another way (a quoted message), used when no name is known yet, else one of the others.
    """
    names = names_of(person)
    owned = {(kind, value): owner(tx, kind, value) for kind, value, _ in names}
    found = list(dict.fromkeys(row["contact_id"] for row in owned.values() if row is not None))
    if known is not None and known not in found:
        found.append(known)
    addressable = [name for name in names if name[0] != "reference"]
    if not found:
        if not addressable:
            return None
        contact_id = _create(tx, person, now)
        if tie(tx, contact_id, addressable, now) < len(addressable):
            # Somebody stored this person under one of the names a moment ago: read again, there is one contact.
            raise StaleConversation
        return Resolved(contact_id, created=True)
    contact_id = found[0]
    fresh = [name for name in addressable if owned[name[0], name[1]] is None]
    if fresh:
        hold(tx, contact_id)
    if tie(tx, contact_id, fresh, now) < len(fresh):
        raise StaleConversation
    if _is_news(person, [row for row in owned.values() if row is not None]):
        _learn(tx, contact_id, person)
    return Resolved(
        contact_id,
        linked=tuple((kind, seen) for kind, _, seen in fresh),
        matched_by=spelling(person, owned),
        others=tuple(found[1:]),
    )


def find(tx: Tx, spelled: str) -> int | None:
    """The contact that a person names: by phone in any spelling, LID, business-scoped id or tracking code."""
    for kind, value in (("phone", identity.key(spelled)), ("lid", spelled), ("bsuid", spelled), ("reference", spelled)):
        row = owner(tx, kind, value)
        if row is not None:
            return int(row["contact_id"])
    return None


def known(tx: Tx, person: Person) -> int | None:
    """The contact that the names mean, if any; nothing is written."""
    for kind, value, _ in names_of(person):
        row = owner(tx, kind, value)
        if row is not None:
            return int(row["contact_id"])
    return None


def follow(tx: Tx, contact_id: int, person: Person, now: Millis) -> None:
    """Give a contact further names that nobody else has; a phone among them becomes the one that is written to."""
    hold(tx, contact_id)
    tie(tx, contact_id, names_of(person), now)
    if person.phone is not None:
        tx.run("UPDATE contact SET phone = :phone WHERE id = :id", id=contact_id, phone=person.phone)


def row(tx: Tx, contact_id: int) -> Mapping[str, Any]:
    """The contact's row."""
    found = tx.one("SELECT * FROM contact WHERE id = :id", id=contact_id)
    if found is None:
        raise LookupError(contact_id)
    return found


def present(tx: Tx, contact_id: int) -> int | None:
    """The contact, or the one that it was merged into; None when there is none."""
    found = tx.value("SELECT COALESCE(merged_into, id) FROM contact WHERE id = :id", id=contact_id)
    return None if found is None else int(found)


def identities(tx: Tx, contact_id: int) -> list[dict[str, Any]]:
    """Every name of a contact, oldest first."""
    return tx.rows(
        "SELECT kind, value, seen_as FROM identity WHERE contact_id = :id ORDER BY created_at, kind", id=contact_id
    )


def track(tx: Tx, contact_id: int, code: str, now: Millis) -> str:
    """Give a contact the code that its links carry, for good; the one that it has if somebody was first (R70)."""
    if tie(tx, contact_id, [("reference", code, code)], now) == 0:
        raise StaleConversation  # somebody else's already: another one is made
    kept = tx.value(
        "UPDATE contact SET tracking = COALESCE(tracking, :code) WHERE id = :id RETURNING tracking",
        id=contact_id,
        code=code,
    )
    return str(kept)


def set_opt_out(tx: Tx, contact_id: int, at: Millis | None) -> None:
    """Set or clear the opt-out, which holds over all flows (R73)."""
    tx.run("UPDATE contact SET opt_out_at = :at WHERE id = :id", id=contact_id, at=at)


def set_tags(tx: Tx, contact_id: int, tags: list[str]) -> None:
    """Replace the contact's tags."""
    tx.run("UPDATE contact SET tags = :tags WHERE id = :id", id=contact_id, tags=canonical(tags))


def hold(tx: Tx, contact_id: int) -> None:
    """Keep others from opening a cycle for this contact, from naming and from merging it until the transaction ends.

    Raises StaleConversation when it was merged into another a moment ago.
    """
    if tx.value(f"SELECT merged_into FROM contact WHERE id = :id{locking(tx)}", id=contact_id) is not None:
        raise StaleConversation


def locking(tx: Tx) -> str:
    """What locks the rows that are read, where the database can; SQLite has one writer at a time anyway."""
    return " FOR UPDATE" if tx.dialect == "postgresql" else ""


def _create(tx: Tx, person: Person, now: Millis) -> int:
    made = int(
        tx.value(
            """INSERT INTO contact (name, phone, email, tags, created_at)
               VALUES (:name, :phone, :email, '[]', :now) RETURNING id""",
            name=person.name,
            phone=_whole(person.phone),
            email=person.email,
            now=now,
        )
    )
    findable.add(tx, [findable.Text(made, None, "name", made, person.name)])
    return made


def _is_news(person: Person, rows: list[dict[str, Any]]) -> bool:
    """Whether the source knows something that the contact lacks, or nothing was read about the contact yet."""
    return not rows or any(
        getattr(person, name) is not None and rows[0][name] is None for name in ("name", "email", "phone")
    )


def _learn(tx: Tx, contact_id: int, person: Person) -> None:
    """Fill what was unknown; never overwrite what a person or an earlier message said."""
    tx.run(
        """UPDATE contact SET name = COALESCE(name, :name), email = COALESCE(email, :email),
           phone = COALESCE(phone, :phone) WHERE id = :id AND (name IS NULL OR email IS NULL OR phone IS NULL)""",
        id=contact_id,
        name=person.name,
        email=person.email,
        phone=_whole(person.phone),
    )
    if person.name:
        findable.named(tx, [contact_id])


def _whole(phone: str | None) -> str | None:
    """A phone that can be written to: what a checkout sends without its country gets it from the key."""
    if phone is None:
        return None
    digits = "".join(c for c in phone if c.isdigit())
    key = identity.key(phone)
    return digits if digits[:2] == key[:2] and len(digits) >= len(key) - 1 else key
