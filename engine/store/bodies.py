"""Bodies of webhooks that were kept: listed for an operator, with what became of what is in them (R20)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = [
    "FETCH_FAILED",
    "Body",
    "body",
    "counted",
    "events",
    "last_of_sources",
    "messages",
    "of_source",
    "to_review",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """One body. `verdict`: parsed, unknown, unreadable, failed. What is `unreadable` for the reason `fetch_failed` was
    read, and its platform never said what it meant; of any other there is an excerpt.
    """

    id: str
    channel_id: int | None
    source_id: int | None
    received_at: Millis
    verdict: str
    reason: str | None
    body: str

    @property
    def whole(self) -> bool:
        """Whether all of it was kept, and still is."""
        return self.body != "" and (self.verdict != "unreadable" or self.reason == FETCH_FAILED)


FETCH_FAILED = "fetch_failed"
_BODY = "SELECT id, channel_id, source_id, received_at, verdict, reason, body FROM webhook"


def body(tx: Tx, body_id: str) -> Body | None:
    """The one with an id."""
    row = tx.one(f"{_BODY} WHERE id = :id", id=body_id)
    return None if row is None else Body(**row)


def to_review(
    tx: Tx,
    *,
    verdict: str | None,
    channel_id: int | None,
    source_id: int | None,
    before: tuple[Millis, str] | None,
    most: int,
) -> list[Body]:
    """Those that were not taken in as they should, the newest first; `before` is the last one of the page before."""
    conditions, values = ["verdict <> 'parsed'"], dict[str, object](most=most)
    for name, wanted in (("verdict", verdict), ("channel_id", channel_id), ("source_id", source_id)):
        if wanted is not None:
            conditions.append(f"{name} = :{name}")
            values[name] = wanted
    if before is not None:
        conditions.append("(received_at < :at OR (received_at = :at AND id < :last))")
        values |= {"at": before[0], "last": before[1]}
    sql = f"{_BODY} WHERE {' AND '.join(conditions)} ORDER BY received_at DESC, id DESC LIMIT :most"
    return [Body(**row) for row in tx.rows(sql, **values)]


def of_source(tx: Tx, source_id: int, most: int) -> list[Body]:
    """The latest bodies of a payment source, the newest first."""
    sql = f"{_BODY} WHERE source_id = :id ORDER BY received_at DESC, id DESC LIMIT :most"
    return [Body(**row) for row in tx.rows(sql, id=source_id, most=most)]


def last_of_sources(tx: Tx, ids: Sequence[int]) -> dict[int, Millis]:
    """When each payment source last told something."""
    found = {one: tx.value("SELECT MAX(received_at) FROM webhook WHERE source_id = :id", id=one) for one in ids}
    return {one: int(at) for one, at in found.items() if at is not None}


def counted(tx: Tx, source_id: int, since: Millis) -> dict[str, int]:
    """How often each outcome came from a source; repetitions of one notice count once."""
    rows = tx.rows(
        """SELECT notice, COUNT(*) AS times FROM event
           WHERE source_id = :id AND received_at >= :since AND notice IS NOT NULL GROUP BY notice""",
        id=source_id,
        since=since,
    )
    return {str(row["notice"]): int(row["times"]) for row in rows}


def events(tx: Tx, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Events by id: whose they are, what became of them, and from where to where they moved the conversation."""
    rows = tx.rows(
        """SELECT e.id, e.webhook_id, e.type, e.outcome, e.reason, e.conversation_id, p.name, p.phone, l.frm, l."to"
           FROM event e LEFT JOIN contact p ON p.id = e.contact_id LEFT JOIN log l
             ON l.conversation_id = e.conversation_id AND l.event_id = e.id AND l.outcome = 'transition'
           WHERE e.id IN :ids""",
        ids=list(ids),
    )
    return {str(row["id"]): row for row in rows}


def messages(tx: Tx, channel_id: int, provider_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Stored messages of a channel by their provider's id: whose they are and what became of them."""
    rows = tx.rows(
        """SELECT i.provider_id AS id, i.webhook_id, i.outcome, i.reason, i.conversation_id, p.name, p.phone
           FROM inbound i LEFT JOIN contact p ON p.id = i.contact_id
           WHERE i.channel_id = :channel AND i.provider_id IN :ids""",
        channel=channel_id,
        ids=list(provider_ids),
    )
    return {str(row["id"]): row for row in rows}
