"""People who are known by every name that a message gives, in a conversation that exists: all found with one read.

It is the everyday case; whatever is not exactly that (a new name, two owners, something to learn, a first message) is
nobody here and goes the long way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import identity
from engine.core.inbound import Person
from engine.store.connection import Tx
from engine.store.contacts import names_of
from engine.store.conversations import COLUMNS, Conversation, conversation

QUERY = f"""
SELECT i.kind, i.value, p.name AS person_name, p.email, p.phone, {COLUMNS}
FROM identity i JOIN contact p ON p.id = i.contact_id
 JOIN conversation c ON c.id = (SELECT MAX(n.id) FROM conversation n WHERE n.contact_id = p.id AND n.flow = :flow)
WHERE i.kind IN :kinds AND i.value IN :values"""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A known person and where they stand."""

    contact_id: int
    conversation: Conversation


def met(tx: Tx, people: Sequence[Person], flow: str) -> list[Acquaintance | None]:
    """For each person the contact and the latest conversation in the flow, locked until the transaction ends.

    If one of a contact's messages has to go the long way, all of them do, so that they stay in order.
    """
    names = [[(kind, value) for kind, value, _ in names_of(person)] for person in people]
    asked = sorted({name for given in names for name in given})
    rows = _rows(tx, asked, flow) if asked else {}
    owners = [[rows[name] for name in given if name in rows] for given in names]
    known = [
        bool(given)
        and len(found) == len(given)
        and len({row["contact_id"] for row in found}) == 1
        and not _teaches(person, found[0])
        for person, given, found in zip(people, names, owners, strict=True)
    ]
    strange = {row["contact_id"] for sure, found in zip(known, owners, strict=True) if not sure for row in found}
    return [
        Acquaintance(found[0]["contact_id"], conversation(found[0]))
        if sure and found[0]["contact_id"] not in strange
        else None
        for sure, found in zip(known, owners, strict=True)
    ]


def _rows(tx: Tx, names: Sequence[tuple[str, str]], flow: str) -> dict[tuple[str, str], dict[str, Any]]:
    # Everybody locks in the same order, so that nobody waits for somebody who waits for him.
    suffix = " ORDER BY c.id FOR UPDATE OF c" if tx.dialect == "postgresql" else ""
    kinds, values = sorted({kind for kind, _ in names}), [value for _, value in names]
    return {(row["kind"], row["value"]): row for row in tx.rows(QUERY + suffix, kinds=kinds, values=values, flow=flow)}


def _teaches(person: Person, row: dict[str, Any]) -> bool:
    """Whether the message tells something about the person that is not known yet."""
    return (
        (person.name is not None and row["person_name"] is None)
        or (person.email is not None and row["email"] is None)
        or (person.phone is not None and (row["phone"] is None or not identity.same(person.phone, row["phone"])))
    )
