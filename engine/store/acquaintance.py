"""People who are known by every name that a message gives, in conversations that exist: all found with one read.

It is the everyday case; whatever is not exactly that (a new name, two owners, something to learn, a first message) is
nobody here and goes the long way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import identity
from engine.core.inbound import Person
from engine.store.connection import Tx
from engine.store.conversations import COLUMNS, Conversation, conversation
from engine.store.names import names_of

QUERY = f"""
SELECT i.kind, i.value, p.name AS person_name, p.email, p.phone, {COLUMNS}
FROM identity i JOIN contact p ON p.id = i.contact_id
 JOIN conversation c ON c.contact_id = p.id AND c.followed_by IS NULL
WHERE i.kind IN :kinds AND i.value IN :values ORDER BY c.id"""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A known person and where they stand: the current cycle of each of their flows."""

    contact_id: int
    current: tuple[Conversation, ...]


def met(tx: Tx, people: Sequence[Person]) -> tuple[list[Acquaintance | None], set[int]]:
    """For each person the contact and where they stand, locked until the transaction ends; and the contacts some of
    whose messages have to go the long way: then all of them do, so that they stay in order.
    """
    names = [[(kind, value) for kind, value, _ in names_of(person)] for person in people]
    asked = sorted({name for given in names for name in given})
    rows = _rows(tx, asked) if asked else {}
    owners = [[rows[name] for name in given if name in rows] for given in names]
    known = [
        bool(given)
        and len(found) == len(given)
        and len({each[0]["contact_id"] for each in found}) == 1
        and not _teaches(person, found[0][0])
        for person, given, found in zip(people, names, owners, strict=True)
    ]
    strange = {each[0]["contact_id"] for sure, found in zip(known, owners, strict=True) if not sure for each in found}
    kept: dict[int, Acquaintance] = {}
    for sure, found in zip(known, owners, strict=True):
        if sure and (contact_id := found[0][0]["contact_id"]) not in kept:
            kept[contact_id] = Acquaintance(contact_id, tuple(conversation(row) for row in found[0]))
    return [
        kept[found[0][0]["contact_id"]] if sure and found[0][0]["contact_id"] not in strange else None
        for sure, found in zip(known, owners, strict=True)
    ], strange


def _rows(tx: Tx, names: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    # Everybody locks in the same order, so that nobody waits for somebody who waits for him.
    suffix = " FOR UPDATE OF c" if tx.dialect == "postgresql" else ""
    kinds, values = sorted({kind for kind, _ in names}), [value for _, value in names]
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in tx.rows(QUERY + suffix, kinds=kinds, values=values):
        found.setdefault((row["kind"], row["value"]), []).append(row)
    return found


def _teaches(person: Person, row: dict[str, Any]) -> bool:
    """Whether the message tells something about the person that is not known yet."""
    return (
        (person.name is not None and row["person_name"] is None)
        or (person.email is not None and row["email"] is None)
        or (person.phone is not None and (row["phone"] is None or not identity.same(person.phone, row["phone"])))
    )
