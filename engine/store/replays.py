"""Replays (R62): what was recorded of conversations, and how far a replay is, for whichever process is asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.inbox import Waiting

__all__ = ["Job", "begin", "end", "get", "going", "messages", "people", "rows", "talks", "tell"]

GOING, DONE, FAILED = "going", "done", "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A replay. `sha256` is the version that decides again, `result` what `engine.services.replay` found, once done."""

    id: str
    slug: str
    sha256: str
    done: int
    total: int
    status: str
    result: Mapping[str, Any]
    who: str
    started_at: Millis
    told_at: Millis


def begin(tx: Tx, job_id: str, slug: str, sha256: str, who: str, now: Millis) -> None:
    """A new one; earlier ones of the flow that are over are forgotten."""
    tx.run("DELETE FROM replay WHERE slug = :slug AND status <> 'going'", slug=slug)
    tx.run(
        """INSERT INTO replay (id, slug, sha256, done, total, status, result, who, started_at, told_at)
           VALUES (:id, :slug, :sha, 0, 0, 'going', '{}', :who, :now, :now)""",
        id=job_id,
        slug=slug,
        sha=sha256,
        who=who,
        now=now,
    )


def tell(tx: Tx, job_id: str, done: int, total: int, now: Millis) -> None:
    """How far it is."""
    tx.run("UPDATE replay SET done = :done, total = :total, told_at = :now WHERE id = :id",
           id=job_id, done=done, total=total, now=now)  # fmt: skip


def end(tx: Tx, job_id: str, status: str, result: Mapping[str, object], now: Millis) -> None:
    """It is over, with what it found."""
    tx.run(
        "UPDATE replay SET status = :status, result = :result, done = total, told_at = :now WHERE id = :id",
        id=job_id,
        status=status,
        result=canonical(result),
        now=now,
    )


def get(tx: Tx, job_id: str) -> Job | None:
    """One of them."""
    row = tx.one("SELECT * FROM replay WHERE id = :id", id=job_id)
    return None if row is None else Job(**{**row, "result": json.loads(row["result"])})


def going(tx: Tx, slug: str, sha256: str, since: Millis) -> str | None:
    """One of the same version that goes on and was heard of since a moment."""
    found: str | None = tx.value(
        "SELECT id FROM replay WHERE slug = :slug AND sha256 = :sha AND status = 'going' AND told_at >= :since LIMIT 1",
        slug=slug,
        sha=sha256,
        since=since,
    )
    return found


def talks(tx: Tx, slug: str, since: Millis) -> list[int]:
    """The flow's conversations in which anything was decided or moved since then."""
    rows = tx.rows("SELECT id FROM conversation WHERE flow = :slug AND updated_at >= :since ORDER BY id",
                   slug=slug, since=since)  # fmt: skip
    return [int(row["id"]) for row in rows]


def rows(tx: Tx, conversation_id: int) -> list[dict[str, Any]]:
    """The chain of a conversation, from its beginning, with the event of each decision: its type, source, data, time."""
    return tx.rows(
        """SELECT l.n, l.at, l.outcome, l.reason, l.event_id, l.event, l.frm, l."to", l.facts,
             e.type AS event_type, e.source AS event_source, e.data AS event_data, e.at AS event_at
           FROM log l LEFT JOIN event e ON e.id = l.event_id
           WHERE l.conversation_id = :id AND l.n IS NOT NULL ORDER BY l.n""",
        id=conversation_id,
    )


def messages(tx: Tx, event_ids: Sequence[str]) -> dict[str, list[Waiting]]:
    """The messages of each burst, by its event, in the order in which they were read."""
    found: dict[str, list[Waiting]] = {}
    for row in tx.rows(
        """SELECT i.event_id, i.id, i.provider_id, i.kind, i.text, i.button_id, i.reply_to, i.media, i.marks, i.at,
             i.received_at, i.route, m.transcript, m.transcript_state
           FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id
           WHERE i.event_id IN :ids AND i.outcome = 'batched' ORDER BY i.at, i.id""",
        ids=list(event_ids),
    ):
        plain = {**row, "media": json.loads(row["media"]), "marks": json.loads(row["marks"])}
        found.setdefault(plain.pop("event_id"), []).append(Waiting(**plain))
    return found


def people(tx: Tx, ids: Sequence[int]) -> dict[int, tuple[str | None, str | None]]:
    """Name and phone of the person of each conversation."""
    found = tx.rows(
        "SELECT c.id, p.name, p.phone FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.id IN :ids",
        ids=list(ids),
    )
    return {int(row["id"]): (row["name"], row["phone"]) for row in found}
