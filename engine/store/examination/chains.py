"""The rows of both hash chains: of each conversation's log, and of the audit log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.examination.rows import by_conversation

__all__ = ["Audited", "Logged", "anchor_lines", "audit_rows", "erasures", "hash_of", "log_rows"]

_PAGE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A row of a conversation's chain, as it is stored: `facts` is text."""

    id: int
    at: Millis
    conversation_id: int
    contact_id: int | None
    channel_id: int | None
    outcome: str
    reason: str | None
    event_id: str | None
    event: str | None
    frm: str | None
    to: str | None
    facts: str
    n: int
    prev_hash: str | None
    hash: str | None
    commitment: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """A row of the audit log, as it is stored: `facts` is text."""

    id: int
    at: Millis
    who: str
    what: str
    subject: str
    facts: str
    address: str
    prev_hash: str
    hash: str


def erasures(tx: Tx) -> frozenset[int]:
    """The contacts who were erased, as the audit log says it: a row that merely lost its words is a broken one."""
    rows = tx.rows(
        """SELECT c.id FROM contact c WHERE c.erased_at IS NOT NULL AND EXISTS (
             SELECT 1 FROM audit a WHERE a.what = 'contact.erased' AND a.subject = CAST(c.id AS TEXT))"""
    )
    return frozenset(int(row["id"]) for row in rows)


def log_rows(tx: Tx, conversations: Sequence[int]) -> dict[int, list[Logged]]:
    """The chain of each of these conversations, in order."""
    return by_conversation(
        tx,
        Logged,
        """SELECT id, at, conversation_id, contact_id, channel_id, outcome, reason, event_id, event, frm, "to", facts, n,
             prev_hash, hash, commitment FROM log WHERE conversation_id IN :ids AND n IS NOT NULL ORDER BY conversation_id, n""",
        conversations,
    )


def audit_rows(tx: Tx) -> Iterator[Audited]:
    """The audit log, in order, read a page at a time."""
    last = 0
    sql = """SELECT id, at, who, what, subject, facts, address, prev_hash, hash FROM audit
             WHERE id > :last ORDER BY id LIMIT :page"""
    while rows := tx.rows(sql, last=last, page=_PAGE):
        for row in rows:
            yield Audited(**row)
        last = rows[-1]["id"]


def anchor_lines(tx: Tx) -> list[str]:
    """Every anchor as the line that its file has."""
    rows = tx.rows("SELECT day, audit_id, audit_hash, log_id, log_hash FROM anchor ORDER BY day")
    return [
        f"{r['day']} audit {r['audit_id']} {r['audit_hash'] or '-'} log {r['log_id']} {r['log_hash'] or '-'}"
        for r in rows
    ]


def hash_of(tx: Tx, table: str, number: int) -> str | None:
    """The hash that a row of `audit` or `log` has, None where there is no such row."""
    found = tx.value(f"SELECT hash FROM {table} WHERE id = :number", number=number)
    return None if found is None else str(found)
