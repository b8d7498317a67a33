"""Somebody who is known by every name that a message gives, in a conversation that exists: found with one read.

It is the everyday case; whatever is not exactly that (a new name, two owners, something to learn, a first message) is
nobody here and goes the long way.
"""

from dataclasses import dataclass
from typing import Any

from engine.core import identity
from engine.core.inbound import Person
from engine.store.connection import Tx
from engine.store.contacts import names_of
from engine.store.conversations import COLUMNS, Conversation, conversation

QUERY = f"""
SELECT i.kind, i.seen_as, p.name AS person_name, p.email, p.phone, {COLUMNS}
FROM identity i JOIN contact p ON p.id = i.contact_id
 JOIN conversation c ON c.id = (SELECT MAX(n.id) FROM conversation n WHERE n.contact_id = p.id AND n.flow = :flow)
WHERE i.kind = :kind AND i.value = :value"""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A known person and where they stand."""

    contact_id: int
    conversation: Conversation


def met(tx: Tx, person: Person, flow: str) -> Acquaintance | None:
    """The person's contact and latest conversation in the flow, not locked: an arrival only moves its due time, and
    a decision reads what waits again (R22).
    """
    names = names_of(person)
    if not names:
        return None
    query = " UNION ALL ".join(
        QUERY.replace(":kind", f":kind{n}").replace(":value", f":value{n}") for n in range(len(names))
    )
    given = {f"kind{n}": kind for n, (kind, _, _) in enumerate(names)}
    given |= {f"value{n}": value for n, (_, value, _) in enumerate(names)}
    rows = tx.rows(query, flow=flow, **given)
    if len(rows) != len(names) or len({row["contact_id"] for row in rows}) != 1 or _teaches(person, rows[0]):
        return None
    return Acquaintance(rows[0]["contact_id"], conversation(rows[0]))


def _teaches(person: Person, row: dict[str, Any]) -> bool:
    """Whether the message tells something about the person that is not known yet."""
    return (
        (person.name is not None and row["person_name"] is None)
        or (person.email is not None and row["email"] is None)
        or (person.phone is not None and (row["phone"] is None or not identity.same(person.phone, row["phone"])))
    )
