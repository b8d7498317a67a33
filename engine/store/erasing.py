"""A person is taken out of every table; what stays tells of nobody (SEC-S24). One transaction, whoever writes meanwhile.

`engine/store/personal.py` says what is whose and what is left of it. Rows that only tell of somebody in what stands in
them (a webhook's body, a list of names) are found by the person's names.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store import approvals
from engine.store.connection import Tx
from engine.store.contacts import locking
from engine.store.personal import COUNTED, TABLES, Table

__all__ = ["counts", "emptied", "erase", "everybody", "left_behind", "names", "talks"]

AT_ONCE = 500
SHORTEST = 6
"""Characters of a name by which rows are looked for: shorter ones stand in everything."""
_BY_WORDS = {
    "webhook": "UPDATE webhook SET body = '' WHERE body LIKE :words ESCAPE '!'",
    "inquiry": "UPDATE inquiry SET about = '{}' WHERE about LIKE :words ESCAPE '!'",
    "contact_file": "UPDATE contact_file SET content = '', problems = '[]' WHERE content LIKE :words ESCAPE '!' OR problems LIKE :words ESCAPE '!'",
    "hold": "DELETE FROM hold WHERE subject LIKE :words ESCAPE '!'",
    "replay": "DELETE FROM replay WHERE result LIKE :words ESCAPE '!'",
}


def everybody(tx: Tx, contact_id: int, *, lock: bool = True) -> list[int]:
    """The contact and all that were merged into it; none where it is no contact, was merged, or is erased."""
    suffix = locking(tx) if lock else ""
    rows = tx.rows(
        f"SELECT id, merged_into, erased_at FROM contact WHERE id = :id OR merged_into = :id ORDER BY id{suffix}",
        id=contact_id,
    )
    own = next((row for row in rows if row["id"] == contact_id), None)
    if own is None or own["merged_into"] is not None or own["erased_at"] is not None:
        return []
    return [int(row["id"]) for row in rows]


def talks(tx: Tx, people: Sequence[int], *, lock: bool = True) -> list[int]:
    """Their conversations."""
    suffix = locking(tx) if lock else ""
    sql = f"SELECT id FROM conversation WHERE contact_id IN :people ORDER BY id{suffix}"
    return [int(row["id"]) for row in tx.rows(sql, people=list(people))]


def names(tx: Tx, people: Sequence[int]) -> list[tuple[str, str]]:
    """(kind, value) of every name that they are known by."""
    rows = tx.rows(
        "SELECT kind, value FROM identity WHERE contact_id IN :people ORDER BY kind, value", people=list(people)
    )
    return [(str(row["kind"]), str(row["value"])) for row in rows]


def left_behind(tx: Tx) -> list[int]:
    """Erased contacts of whom something came in while they were erased: it was under way, and found them still there."""
    rows = tx.rows(
        """SELECT c.id FROM contact c WHERE c.erased_at IS NOT NULL AND (
             EXISTS (SELECT 1 FROM inbound i WHERE i.contact_id = c.id AND (i.text IS NOT NULL OR i.media <> '{}'))
             OR EXISTS (SELECT 1 FROM outbox o WHERE o.contact_id = c.id
               AND o.provider_id IS NOT NULL AND o.provider_id NOT LIKE 'erased:%')
             OR EXISTS (SELECT 1 FROM event e WHERE e.contact_id = c.id)
             OR EXISTS (SELECT 1 FROM evidence e WHERE e.contact_id = c.id)) ORDER BY c.id"""
    )
    return [int(row["id"]) for row in rows]


def counts(tx: Tx, people: Sequence[int], conversations: Sequence[int]) -> dict[str, int]:
    """How many rows of each table are theirs."""
    whose = _whose(people, conversations)
    return {one.name: int(tx.value(f"SELECT count(*) FROM {one.name} WHERE {one.mine}", **whose)) for one in TABLES}


def erase(tx: Tx, people: Sequence[int], conversations: Sequence[int], now: Millis) -> dict[str, int]:
    """Take them out; returns how many rows of each table were theirs."""
    whose = _whose(people, conversations)
    found = counts(tx, people, conversations)
    words = [*_words(tx, whose)]
    _bodies(tx, whose)
    for conversation_id in conversations:
        tx.run(
            "UPDATE approval SET decided_at = COALESCE(decided_at, :now) WHERE conversation_id = :id AND status = :status",
            now=now,
            id=conversation_id,
            status=approvals.PENDING,
        )
    # Whose the rows are is read from contacts and messages, so these lose their words after all that hangs on them.
    for one in sorted(TABLES, key=lambda table: bool(table.left)):
        _taken(tx, one, {**whose, "now": now})
    for said in words:
        for sql in _BY_WORDS.values():
            tx.run(sql, words=said)
    return {name: count for name, count in found.items() if count}


def emptied(url: str) -> None:
    """What the write-ahead log of an SQLite file still holds is written over; nothing to do on PostgreSQL.

    Best effort: while somebody reads, it stays until the next checkpoint.
    """
    if not url.startswith("sqlite:///"):
        return
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=5)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _log(tx: Tx, one: Table, values: Mapping[str, object]) -> None:
    """Rows of the log keep of their facts what is counted."""
    told: dict[str, list[int]] = {}
    mine = {name: ids for name, ids in values.items() if f":{name}" in one.mine}
    for row in tx.rows(f"SELECT id, facts FROM log WHERE {one.mine}", **mine):
        facts = json.loads(row["facts"])
        told.setdefault(canonical({name: facts[name] for name in COUNTED if name in facts}), []).append(int(row["id"]))
    sets = ", ".join(f'"{column}" = {value}' for column, value in one.left.items())
    for text, ids in told.items():
        for at in range(0, len(ids), AT_ONCE):
            tx.run(f"UPDATE log SET {sets} WHERE id IN :ids", facts=text, ids=ids[at : at + AT_ONCE])


def _taken(tx: Tx, one: Table, values: Mapping[str, object]) -> None:
    if one.name == "log":
        _log(tx, one, values)
        return
    if not one.left:
        tx.run(f"DELETE FROM {one.name} WHERE {one.mine}", **{k: v for k, v in values.items() if f":{k}" in one.mine})
        return
    sets = ", ".join(f'"{column}" = {value}' for column, value in one.left.items())
    sql = f"UPDATE {one.name} SET {sets} WHERE {one.mine}"
    tx.run(sql, **{k: v for k, v in values.items() if f":{k}" in sql})


def _whose(people: Sequence[int], conversations: Sequence[int]) -> dict[str, object]:
    # A list is never empty: nobody has the id 0.
    return {"people": list(people) or [0], "talks": list(conversations) or [0]}


def _bodies(tx: Tx, whose: Mapping[str, object]) -> None:
    """The bodies from which their messages and events were read."""
    for table in ("inbound", "event"):
        mine = "(contact_id IN :people OR conversation_id IN :talks)"
        tx.run(f"UPDATE webhook SET body = '' WHERE id IN (SELECT webhook_id FROM {table} WHERE {mine})", **whose)


def _words(tx: Tx, whose: Mapping[str, object]) -> Iterator[str]:
    """Patterns for the names by which a person stands in other rows: numbers, addresses, ids, codes."""
    rows = tx.rows("SELECT value, seen_as FROM identity WHERE contact_id IN :people", people=whose["people"])
    own = tx.rows("SELECT phone, email, name FROM contact WHERE id IN :people", people=whose["people"])
    found = {str(value) for row in (*rows, *own) for value in row.values() if value}
    for word in sorted(found | {word.lstrip("+") for word in found}):
        if len(word) >= SHORTEST:
            escaped = word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
            yield f"%{escaped}%"
