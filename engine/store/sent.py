"""What left already: what it says now, how far it came, and how much of it left lately."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store import findable
from engine.store.connection import Tx
from engine.store.findable import words_of


def reword(tx: Tx, row_id: int, payload: Mapping[str, object]) -> None:
    """Note what a sent message says since it was edited on the phone."""
    tx.run("UPDATE outbox SET payload = :payload WHERE id = :id", id=row_id, payload=canonical(payload))
    findable.put(tx, "out", row_id, words_of(payload))


def deliver(tx: Tx, row_id: int, delivery: str, at: Millis, code: int | None) -> None:
    """Note how far a sent message came; nobody needs to ask any more."""
    tx.run(
        """UPDATE outbox SET delivery = :delivery, delivery_at = :at, error_code = COALESCE(:code, error_code),
             ask_at = NULL WHERE id = :id""",
        id=row_id,
        delivery=delivery,
        at=at,
        code=code,
    )


def to_person(tx: Tx, channel_id: int, contact_id: int, since: Millis, most: int) -> list[Millis]:
    """When the latest messages of a channel to one person left, the newest first; none from before `since`."""
    rows = tx.rows(
        """SELECT sent_at FROM outbox WHERE conversation_id IN (SELECT id FROM conversation WHERE contact_id = :contact)
           AND channel_id = :channel AND sent_at > :since ORDER BY sent_at DESC LIMIT :most""",
        contact=contact_id,
        channel=channel_id,
        since=since,
        most=most,
    )
    return [int(row["sent_at"]) for row in rows]


def latest_choices(tx: Tx, conversation_id: int, since: Millis, kinds: Collection[str]) -> Mapping[str, Any] | None:
    """What the latest message with buttons or a list said that left after `since` through a channel of these kinds."""
    row = tx.one(
        """SELECT o.payload FROM outbox o JOIN channel n ON n.id = o.channel_id
           WHERE o.conversation_id = :id AND n.kind IN :kinds AND o.status = 'sent' AND o.created_at >= :since
             AND (o.payload LIKE '%"buttons":%' OR o.payload LIKE '%"menu":%') ORDER BY o.id DESC LIMIT 1""",
        id=conversation_id,
        since=since,
        kinds=sorted(kinds),
    )
    return None if row is None else json.loads(row["payload"])
