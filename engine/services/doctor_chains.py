"""The hash chains, computed anew from their definition: sha256 of the hash before and the row in sorted, compact JSON.

Written without the code that writes the chains, so that a mistake there is found here (R45, SEC-S23).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.store.connection import Tx
from engine.store.lanes import Store

__all__ = ["Chains", "audit_break", "followed", "verify"]

LOG = ("at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event_id", "event", "frm", "to")
LOG_BODY = (*LOG, "facts", "n")
AUDIT_BODY = ("at", "who", "what", "subject", "facts", "address")
PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Chains:
    """Both logs: how many rows and chains, the head of the audit log, and where the first chain breaks, if one does."""

    log_rows: int
    conversations: int
    audit_rows: int
    audit_head: str
    broken: str | None


async def verify(store: Store, anchor: str | None = None) -> Chains:
    """Verify every chain. `anchor` is a head of the audit log that was noted earlier: it must still be in the chain."""
    return await store.read(lambda tx: _verified(tx, anchor))


def followed(rows: Sequence[Mapping[str, Any]], count: int, head: str) -> str | None:
    """Where the chain of a conversation breaks (`log 12`), or None. `rows` in order; `count` and `head` are what the
    conversation's own row says, so that a cut tail is found.
    """
    before = ""
    for number, row in enumerate(rows, start=1):
        follows = row["n"] == number and row["prev_hash"] == before
        if not follows or row["hash"] != _hash(before, {name: row[name] for name in LOG_BODY}):
            return f"log {row['id']}"
        before = row["hash"]
    return None if (len(rows), before) == (count, head) else "its last rows"


def audit_break(tx: Tx, anchor: str | None = None) -> tuple[int, str, str | None]:
    """Rows and head of the audit log, and where it breaks (`audit 12`), or None."""
    before, count, broken = "", 0, None
    met = anchor in (None, "")
    for row in _audit(tx):
        count += 1
        sound = row["prev_hash"] == before and row["hash"] == _hash(before, {name: row[name] for name in AUDIT_BODY})
        if broken is None and not sound:
            broken = f"audit {row['id']}"
        before = str(row["hash"])
        met = met or before == anchor
    return count, before, broken if broken or met else "audit: the anchor is not in the chain"


def _verified(tx: Tx, anchor: str | None) -> Chains:
    rows, conversations, broken = 0, 0, None
    for conversation, own in _chains(tx):
        conversations += 1
        rows += len(own)
        place = followed(own, conversation["log_n"], conversation["log_hash"])
        if place is not None and broken is None:
            broken = f"conversation {conversation['id']}: {place}"
    lost = tx.value(
        """SELECT MIN(l.id) FROM log l WHERE l.n IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = l.conversation_id)"""
    )
    if lost is not None and broken is None:
        broken = f"log {lost}: its conversation is gone"
    audit_rows, head, audit_broken = audit_break(tx, anchor)
    return Chains(rows, conversations, audit_rows, head, broken or audit_broken)


def _chains(tx: Tx) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    last = 0
    sql = "SELECT id, log_n, log_hash FROM conversation WHERE id > :last ORDER BY id LIMIT 200"
    while page := tx.rows(sql, last=last):
        ids = [row["id"] for row in page]
        own: dict[int, list[dict[str, Any]]] = {i: [] for i in ids}
        log = "SELECT * FROM log WHERE conversation_id IN :ids AND n IS NOT NULL ORDER BY conversation_id, n"
        for row in tx.rows(log, ids=ids):
            own[row["conversation_id"]].append(row)
        for row in page:
            yield row, own[row["id"]]
        last = ids[-1]


def _audit(tx: Tx) -> Iterator[dict[str, Any]]:
    last = 0
    while rows := tx.rows("SELECT * FROM audit WHERE id > :last ORDER BY id LIMIT :page", last=last, page=PAGE):
        yield from rows
        last = rows[-1]["id"]


def _hash(before: str, body: Mapping[str, object]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
