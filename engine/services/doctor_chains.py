"""The hash chains, computed anew from their definition: sha256 of the hash before and the row in sorted, compact JSON.

Written without the code that writes the chains, so that a mistake there is found here (R45, SEC-S23).
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from engine.store.connection import Tx
from engine.store.examination import conversations
from engine.store.examination.chains import Audited, Logged, anchor_lines, audit_rows, erasures, hash_of, log_rows
from engine.store.examination.contradictions import logged_for_nobody
from engine.store.lanes import Store

__all__ = ["Chains", "audit_break", "followed", "verify"]

LOG = ("at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event_id", "event", "frm", "to")
TOLD = ("event_id", "facts")
"""What a row may tell of a person. A row with a commitment has that in its hash in the place of these."""
OLD_BODY = (*LOG, "facts", "n")
BODY = (*(name for name in LOG if name not in TOLD), "n", "commitment")
STAYS = {"flow_version", "source", "transition", "goes_on_from"}
"""What the facts of an erased person may still say: it is counted, and tells of nobody."""
ERASED = "erased"
"""The commitment of a row from before there were any, whose person was erased: its place is verified, not its content."""
AUDIT_BODY = ("at", "who", "what", "subject", "facts", "address")


@dataclass(frozen=True, slots=True)
class Chains:
    """Both logs: how many rows and chains, the head of the audit log, and where the first chain breaks, if one does."""

    log_rows: int
    conversations: int
    audit_rows: int
    audit_head: str
    broken: str | None
    anchors: int = 0


async def verify(store: Store, anchor: str | None = None, lines: Sequence[str] = ()) -> Chains:
    """Verify every chain, and that the rows which the anchors name are there. `anchor` is a head of the audit log that was
    noted earlier: it must still be in the chain. `lines` are those of a file of anchors that was kept elsewhere.
    """
    return await store.read(lambda tx: _verified(tx, anchor, lines))


def followed(rows: Sequence[Logged], count: int, head: str, salt: str, *, erased: bool) -> str | None:
    """Where the chain of a conversation breaks (`log 12`), or None. `rows` in order; `count`, `head` and `salt` are what
    the conversation's own row says, so that a cut tail is found. `erased`: its person was, so its rows tell nothing.
    """
    before = ""
    for number, row in enumerate(rows, start=1):
        follows = row.n == number and row.prev_hash == before
        if not follows or not _sound(before, row, salt, erased=erased):
            return f"log {row.id}"
        before = str(row.hash)
    return None if (len(rows), before) == (count, head) else "its last rows"


def _sound(before: str, row: Logged, salt: str, *, erased: bool) -> bool:
    """Whether a row is what its hash says; of an erased person, that it tells nothing and the rest is as it was."""
    if erased and (row.event_id is not None or not _told(row) <= STAYS):
        return False
    if row.commitment == ERASED:
        return erased
    if row.commitment is None:
        return row.hash == _hash(before, row, OLD_BODY)
    if not erased:
        told = json.dumps({name: getattr(row, name) for name in TOLD}, sort_keys=True, separators=(",", ":"))
        if row.commitment != hashlib.sha256(f"{salt}\n{row.n}\n{told}".encode()).hexdigest():
            return False
    return row.hash == _hash(before, row, BODY)


def _told(row: Logged) -> set[str]:
    try:
        return set(json.loads(row.facts))
    except (ValueError, TypeError):
        return {"unreadable"}


def audit_break(tx: Tx, anchor: str | None = None) -> tuple[int, str, str | None]:
    """Rows and head of the audit log, and where it breaks (`audit 12`), or None."""
    before, count, broken = "", 0, None
    met = anchor in (None, "")
    for row in audit_rows(tx):
        count += 1
        sound = row.prev_hash == before and row.hash == _hash(before, row, AUDIT_BODY)
        if broken is None and not sound:
            broken = f"audit {row.id}"
        before = str(row.hash)
        met = met or before == anchor
    return count, before, broken if broken or met else "audit: the anchor is not in the chain"


def _verified(tx: Tx, anchor: str | None, lines: Sequence[str]) -> Chains:
    rows, count, broken, gone = 0, 0, None, erasures(tx)
    for page in conversations.pages(tx):
        chains = log_rows(tx, [conversation.id for conversation in page])
        for conversation in page:
            own = chains[conversation.id]
            count += 1
            rows += len(own)
            erased = conversation.contact_id in gone
            place = followed(own, conversation.log_n, conversation.log_hash, conversation.salt, erased=erased)
            if place is not None and broken is None:
                broken = f"conversation {conversation.id}: {place}"
    nobody = logged_for_nobody(tx)
    if nobody is not None and broken is None:
        broken = f"log {nobody}: its conversation is gone"
    audit_count, head, audit_broken = audit_break(tx, anchor)
    kept = [*anchor_lines(tx), *lines]
    lost = next((f"anchor {line.split(' ')[0]}" for line in kept if not _there(tx, line)), None)
    return Chains(rows, count, audit_count, head, broken or audit_broken or lost, len(set(kept)))


def _there(tx: Tx, line: str) -> bool:
    """Whether both rows that an anchor's line names exist with their hashes."""
    words = line.split(" ")
    if len(words) != 7 or words[1] != "audit" or words[4] != "log" or not (words[2] + words[5]).isdecimal():
        return False
    named = (("audit", int(words[2]), words[3]), ("log", int(words[5]), words[6]))
    return all(digest == "-" or hash_of(tx, table, number) == digest for table, number, digest in named)


def _hash(before: str, row: Logged | Audited, body: Sequence[str]) -> str:
    fields = {name: getattr(row, name) for name in body}
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
