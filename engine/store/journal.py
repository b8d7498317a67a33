"""The log: one row for everything that was recorded, append-only (R29, R45).

A conversation's own rows form a chain and are written under its version fence; rows that belong to no decision (a
duplicate, a refused webhook, news of a send) stand outside any chain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.canonical import canonical
from engine.core.chain import committed, link
from engine.core.flow import Millis
from engine.store.connection import Tx

COLUMNS = (
    *("at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event_id", "event", "frm", "to"),
    *("facts", "n", "prev_hash", "hash", "commitment"),
)
ERASABLE = ("facts", "event_id")
"""What may tell of a person: a chain's hash covers a commitment to it, so that it can be erased (R45)."""
INSERT = f"""INSERT INTO log ({", ".join(f'"{name}"' for name in COLUMNS)}) VALUES :rows"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that was recorded. `facts` is whatever explains it, in JSON types."""

    outcome: str
    reason: str | None = None
    event_id: str | None = None
    event: str | None = None
    frm: str | None = None
    to: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Whom a record is about. `salt` is the secret of a conversation under which its chain commits to what is told."""

    conversation_id: int | None = None
    contact_id: int | None = None
    channel_id: int | None = None
    salt: str = ""


def record(tx: Tx, at: Millis, about: About, entry: Record) -> None:
    """Append a record outside any chain."""
    append(tx, [_row(at, about, entry)])


def linked(at: Millis, about: About, entries: list[Record], n: int, head: str) -> list[Mapping[str, object]]:
    """The rows that continue a conversation's chain after row `n` with hash `head`; nothing is written."""
    rows: list[Mapping[str, object]] = []
    for entry in entries:
        n += 1
        row = _row(at, about, entry)
        hashed = body(row, n, about.salt)
        following = link(head, hashed)
        rows.append({**row, "n": n, "prev_hash": head, "hash": following, "commitment": hashed["commitment"]})
        head = following
    return rows


def body(row: Mapping[str, object], n: int, salt: str) -> dict[str, object]:
    """What the hash of row `n` is of: the commitment stands for what erasing takes out."""
    said = {name: row[name] for name in ERASABLE}
    kept = {name: value for name, value in row.items() if name not in ERASABLE}
    return {**kept, "n": n, "commitment": committed(salt, n, said)}


def append(tx: Tx, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows, in order; those that are not linked have no number and no hash."""
    tx.later("log", INSERT, [tuple(row.get(name) for name in COLUMNS) for row in rows])


def _row(at: Millis, about: About, entry: Record) -> dict[str, object]:
    return {
        "at": at,
        "conversation_id": about.conversation_id,
        "contact_id": about.contact_id,
        "channel_id": about.channel_id,
        "outcome": entry.outcome,
        "reason": entry.reason,
        "event_id": entry.event_id,
        "event": entry.event,
        "frm": entry.frm,
        "to": entry.to,
        "facts": canonical(entry.facts),
    }
