"""What arrived: raw bodies, messages that wait, and their one outcome each (R20, R22, R29)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.core.inbound import Message
from engine.store import findable
from engine.store.connection import Tx
from engine.store.findable import Text

EXCERPT = 2_048
KEEP = """INSERT INTO webhook (id, channel_id, source_id, received_at, verdict, reason, body)
VALUES :rows ON CONFLICT DO NOTHING"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stored message. Of an audio `transcript_state` says whether its `transcript` is there or to be expected."""

    id: int
    provider_id: str
    kind: str
    text: str | None
    button_id: str | None
    reply_to: str | None
    media: Mapping[str, object]
    marks: Mapping[str, object]
    at: Millis
    received_at: Millis
    route: str | None = None
    transcript: str | None = None
    transcript_state: str | None = None

    @property
    def said(self) -> str:
        """What was written, else what was heard."""
        return self.text or self.transcript or ""


def keep_body(
    tx: Tx,
    webhook_id: str,
    now: Millis,
    verdict: str,
    body: str,
    *,
    channel_id: int | None = None,
    source_id: int | None = None,
    reason: str | None = None,
) -> None:
    """Keep a body as it arrived; of an unreadable one its first 2 kB (R20)."""
    tx.later("webhook", KEEP, [(webhook_id, channel_id, source_id, now, verdict, reason, body)])


def mark(tx: Tx, webhook_id: str, verdict: str, reason: str | None = None) -> None:
    """Say of a kept body what is thought of it now: parsed, or why it has to be looked at."""
    tx.run(
        "UPDATE webhook SET verdict = :verdict, reason = :reason WHERE id = :id",
        id=webhook_id,
        verdict=verdict,
        reason=reason,
    )


def known(tx: Tx, channel_id: int, provider_id: str) -> dict[str, Any] | None:
    """The stored message with this provider id."""
    return tx.one(
        """SELECT id, conversation_id, contact_id, processed_at, deleted_at, text FROM inbound
           WHERE channel_id = :channel AND provider_id = :id""",
        channel=channel_id,
        id=provider_id,
    )


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message and where it belongs. `ignored` settles it on arrival, `route` says why it belongs there."""

    channel_id: int
    conversation_id: int
    contact_id: int
    message: Message
    now: Millis
    webhook_id: str | None = None
    ignored: str | None = None
    route: str | None = None


def store(tx: Tx, arrived: Sequence[Arrived]) -> list[int | None]:
    """Store each message once; for each its row id, or None when it was here already."""
    rows = tx.rows(
        """INSERT INTO inbound (channel_id, provider_id, conversation_id, contact_id, webhook_id, kind, text,
             button_id, reply_to, media, marks, at, received_at, processed_at, outcome, reason, route)
           VALUES :messages ON CONFLICT DO NOTHING RETURNING id, channel_id, provider_id""",
        messages=[_row(each) for each in arrived],
    )
    written = {(row["channel_id"], row["provider_id"]): int(row["id"]) for row in rows}
    # Two with one id may stand in the same list: the first is the one that was stored.
    ids = [written.pop((each.channel_id, each.message.provider_id), None) for each in arrived]
    stored = [(row_id, each) for row_id, each in zip(ids, arrived, strict=True) if row_id is not None]
    findable.add(tx, [Text(a.contact_id, a.conversation_id, "in", row_id, a.message.text) for row_id, a in stored])
    return ids


def _row(arrived: Arrived) -> tuple[object, ...]:
    message, settled = arrived.message, arrived.ignored is not None
    return (
        arrived.channel_id,
        message.provider_id,
        arrived.conversation_id,
        arrived.contact_id,
        arrived.webhook_id,
        message.kind,
        message.text,
        message.button_id,
        message.reply_to,
        canonical(message.media),
        canonical(message.marks),
        message.at,
        arrived.now,
        arrived.now if settled else None,
        "ignored" if settled else None,
        arrived.ignored,
        arrived.route,
    )


def pending(tx: Tx, conversation_id: int) -> list[Waiting]:
    """The messages that wait for a decision, in order of their source's time, then of arrival."""
    rows = tx.rows(
        """SELECT i.id, i.provider_id, i.kind, i.text, i.button_id, i.reply_to, i.media, i.marks, i.at, i.received_at,
             i.route, m.transcript, m.transcript_state FROM inbound i LEFT JOIN media m ON m.inbound_id = i.id
           WHERE i.conversation_id = :id AND i.processed_at IS NULL ORDER BY i.at, i.id""",
        id=conversation_id,
    )
    return [Waiting(**{**row, "media": json.loads(row["media"]), "marks": json.loads(row["marks"])}) for row in rows]


def settle(tx: Tx, ids: Iterable[int], now: Millis, event_id: str | None, outcome: str, reason: str | None) -> None:
    """Give messages their outcome: by id, so that one that came meanwhile is never swept along."""
    tx.many(
        """UPDATE inbound SET processed_at = :now, event_id = :event, outcome = :outcome, reason = :reason
           WHERE id = :id""",
        [{"id": i, "now": now, "event": event_id, "outcome": outcome, "reason": reason} for i in ids],
    )


def edit(tx: Tx, inbound_id: int, text: str | None, at: Millis) -> None:
    """Write an edited text, unless a later one is there; an edit that cannot be read leaves the words that we know."""
    says = tx.value(
        """UPDATE inbound SET text = COALESCE(:text, text), edited_at = :at
           WHERE id = :id AND (edited_at IS NULL OR edited_at <= :at) RETURNING text""",
        id=inbound_id,
        text=text,
        at=at,
    )
    if says:
        findable.put(tx, "in", inbound_id, says)


def delete(tx: Tx, inbound_id: int, now: Millis, at: Millis) -> None:
    """Take a message back: it will not be answered, and stays visible as deleted."""
    tx.run(
        """UPDATE inbound SET deleted_at = :at, outcome = COALESCE(outcome, 'ignored'),
             reason = CASE WHEN processed_at IS NULL THEN 'deleted' ELSE reason END,
             processed_at = COALESCE(processed_at, :now) WHERE id = :id""",
        id=inbound_id,
        now=now,
        at=at,
    )
    findable.drop(tx, ["in", "heard"], inbound_id)
