"""What is old loses its content and stays as what it was: a batch at a time, so that no transaction is long (SEC-S25).

Each function takes content away from rows that came before a moment and says how many had any, at most as many as asked for.
Nothing that somebody or something still has to deal with is touched: messages that wait, letters that have not left, requests
for approval, sends of which nobody knows what became.
"""

from collections.abc import Callable, Mapping

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["FADED", "FADING", "Fade", "left"]

FADED = '{"faded":true}'
"""What stands in the place of the marks of a message, or of what a letter said."""
DONE = "('sent', 'failed', 'suppressed', 'cancelled')"

Fade = Callable[[Tx, Millis, int], int]

_INBOUND = f"processed_at IS NOT NULL AND received_at < :before AND marks <> '{FADED}'"
_OUTBOX = f"status IN {DONE} AND created_at < :before AND payload <> '{FADED}' AND payload <> '{{}}'"
_EVENT = "processed_at IS NOT NULL AND received_at < :before AND data <> '{}'"
_APPROVAL = "status <> 'pending' AND created_at < :before AND content <> '[]'"
_WEBHOOK = "received_at < :before AND body <> ''"
_MEDIA = "state = 'kept' AND created_at < :before"
_SENT_FILE = "at < :before AND bytes > 0"


def _ids(tx: Tx, table: str, where: str, before: Millis, most: int) -> list[object]:
    sql = f"SELECT id FROM {table} WHERE {where} ORDER BY id LIMIT :most"
    return [row["id"] for row in tx.rows(sql, before=before, most=most)]


def _messages(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "inbound", _INBOUND, before, most)
    if ids:
        tx.run(
            f"UPDATE inbound SET text = NULL, button_id = NULL, media = '{{}}', marks = '{FADED}' WHERE id IN :ids",
            ids=ids,
        )
        tx.run("UPDATE media SET transcript = NULL WHERE inbound_id IN :ids", ids=ids)
        tx.run("DELETE FROM findable WHERE kind IN ('in', 'heard') AND ref IN :ids", ids=ids)
    return len(ids)


def _letters(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "outbox", _OUTBOX, before, most)
    if ids:
        tx.run(f"UPDATE outbox SET payload = '{FADED}' WHERE id IN :ids", ids=ids)
        tx.run("DELETE FROM findable WHERE kind = 'out' AND ref IN :ids", ids=ids)
    return len(ids)


def _events(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "event", _EVENT, before, most)
    if ids:
        tx.run("UPDATE event SET data = '{}' WHERE id IN :ids", ids=ids)
    return len(ids)


def _approvals(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "approval", _APPROVAL, before, most)
    if ids:
        tx.run("UPDATE approval SET content = '[]' WHERE id IN :ids", ids=ids)
    return len(ids)


def _bodies(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "webhook", _WEBHOOK, before, most)
    if ids:
        tx.run("UPDATE webhook SET body = '' WHERE id IN :ids", ids=ids)
    return len(ids)


def _received(tx: Tx, before: Millis, most: int) -> int:
    sql = f"SELECT inbound_id FROM media WHERE {_MEDIA} ORDER BY inbound_id LIMIT :most"
    ids = [row["inbound_id"] for row in tx.rows(sql, before=before, most=most)]
    if ids:
        tx.run("DELETE FROM media_piece WHERE inbound_id IN :ids", ids=ids)
        tx.run("UPDATE media SET state = 'refused', reason = 'faded', bytes = NULL WHERE inbound_id IN :ids", ids=ids)
    return len(ids)


def _given(tx: Tx, before: Millis, most: int) -> int:
    ids = _ids(tx, "sent_file", _SENT_FILE, before, most)
    if ids:
        tx.run("DELETE FROM sent_piece WHERE file_id IN :ids", ids=ids)
        tx.run("UPDATE sent_file SET bytes = 0 WHERE id IN :ids", ids=ids)
    return len(ids)


FADING: Mapping[str, tuple[Fade, ...]] = {
    "messages": (_messages, _letters, _events, _approvals),
    "files": (_received, _given),
    "webhooks": (_bodies,),
}
"""By the class of what is kept."""
_COUNTED = {
    "messages": (("inbound", _INBOUND), ("outbox", _OUTBOX), ("event", _EVENT), ("approval", _APPROVAL)),
    "files": (("media", _MEDIA), ("sent_file", _SENT_FILE)),
    "webhooks": (("webhook", _WEBHOOK),),
}


def left(tx: Tx, kind: str, before: Millis) -> int:
    """How many rows of a class still have content from before a moment."""
    return sum(
        int(tx.value(f"SELECT count(*) FROM {table} WHERE {where}", before=before)) for table, where in _COUNTED[kind]
    )
