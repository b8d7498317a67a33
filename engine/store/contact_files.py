"""Files of people: kept while somebody looks at them, then taken in as contacts, all of them in one transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.contact_table import Person
from engine.core.errors import StaleConversation
from engine.core.flow import Millis
from engine.store import findable
from engine.store.connection import Tx

DRAFT, DONE = "draft", "done"
AT_ONCE = 400
"""Rows of one statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file. `content` is there while it is a draft; `facts` are counts, `problems` [line, reason, cell]."""

    id: int
    name: str
    status: str
    content: str
    proof: str
    who: str
    at: Millis
    facts: Mapping[str, int]
    problems: Sequence[Sequence[Any]]


def add(tx: Tx, name: str, content: str, who: str, now: Millis) -> int:
    """A draft; drafts of the day before that nobody finished are gone with it."""
    tx.run("DELETE FROM contact_file WHERE status = 'draft' AND at < :before", before=now - 24 * 60 * 60 * 1000)
    return int(
        tx.value(
            """INSERT INTO contact_file (name, status, content, proof, who, at, facts, problems)
               VALUES (:name, 'draft', :content, '', :who, :now, '{}', '[]') RETURNING id""",
            name=name,
            content=content,
            who=who,
            now=now,
        )
    )


def get(tx: Tx, file_id: int, *, lock: bool = False) -> StoredFile | None:
    """One of them."""
    suffix = " FOR UPDATE" if lock and tx.dialect == "postgresql" else ""
    row = tx.one(f"SELECT * FROM contact_file WHERE id = :id{suffix}", id=file_id)
    return None if row is None else _file(row)


def done(tx: Tx, most: int = 50) -> list[StoredFile]:
    """The files that were taken in, the newest first."""
    rows = tx.rows("SELECT * FROM contact_file WHERE status = 'done' ORDER BY id DESC LIMIT :most", most=most)
    return [_file(row) for row in rows]


def discard(tx: Tx, file_id: int) -> None:
    """Forget a draft."""
    tx.run("DELETE FROM contact_file WHERE id = :id AND status = 'draft'", id=file_id)


def finish(
    tx: Tx, file_id: int, proof: str, now: Millis, facts: Mapping[str, int], problems: Sequence[Sequence[object]]
) -> None:
    """It is taken in: its text is not needed any more."""
    tx.run(
        """UPDATE contact_file SET status = 'done', content = '', proof = :proof, at = :now, facts = :facts,
             problems = :problems WHERE id = :id""",
        id=file_id,
        proof=proof,
        now=now,
        facts=canonical(facts),
        problems=canonical(list(problems)),
    )


def known(tx: Tx, phones: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The contacts that have one of these numbers, by number."""
    found: dict[str, dict[str, Any]] = {}
    for some in _portions(phones):
        rows = tx.rows(
            """SELECT i.value AS key, p.id, p.name, p.email, p.tags, p.opt_out_at,
                 EXISTS (SELECT 1 FROM consent_proof k WHERE k.contact_id = p.id) AS proved
               FROM identity i JOIN contact p ON p.id = i.contact_id WHERE i.kind = 'phone' AND i.value IN :phones""",
            phones=list(some),
        )
        found.update((row["key"], row) for row in rows)
    return found


def create(tx: Tx, people: Sequence[Person], now: Millis) -> dict[str, int]:
    """New contacts with their numbers; ids by number. Raises StaleConversation when one came in a moment ago."""
    made: dict[str, int] = {}
    for some in _portions(people):
        rows = tx.rows(
            "INSERT INTO contact (name, phone, email, tags, created_at) VALUES :rows RETURNING id, phone",
            rows=[(p.name or None, p.phone, p.email or None, canonical(list(p.tags)), now) for p in some],
        )
        ids = {row["phone"]: int(row["id"]) for row in rows}
        linked = tx.rows(
            """INSERT INTO identity (kind, value, contact_id, seen_as, created_at) VALUES :rows
               ON CONFLICT DO NOTHING RETURNING value""",
            rows=[("phone", p.phone, ids[p.phone], p.phone, now) for p in some],
        )
        if len(linked) < len(ids):
            raise StaleConversation
        findable.add(tx, [findable.Text(ids[p.phone], None, "name", ids[p.phone], p.name) for p in some])
        made |= ids
    return made


def fill(tx: Tx, changes: Iterable[Mapping[str, object]]) -> None:
    """Give known contacts what they lack: `id`, `name`, `email`, `tags` of each."""
    given = list(changes)
    tx.many(
        """UPDATE contact SET name = COALESCE(name, :name), email = COALESCE(email, :email), tags = :tags
           WHERE id = :id""",
        given,
    )
    findable.named(tx, [int(str(change["id"])) for change in given])


def came(tx: Tx, file_id: int, contact_ids: Sequence[int]) -> None:
    """Who came with a file."""
    for some in _portions(contact_ids):
        tx.run(
            "INSERT INTO from_file (file_id, contact_id) VALUES :rows ON CONFLICT DO NOTHING",
            rows=[(file_id, contact_id) for contact_id in some],
        )


def _portions(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[at : at + AT_ONCE] for at in range(0, len(items), AT_ONCE))


def _file(row: Mapping[str, Any]) -> StoredFile:
    plain = dict(row)
    return StoredFile(**{**plain, "facts": json.loads(plain["facts"]), "problems": json.loads(plain["problems"])})
