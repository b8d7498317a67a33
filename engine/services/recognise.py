"""A send whose answer got lost, seen from outside: an echo with its very words settles it (R27)."""

from engine.adapters.channels.rendition import rendition
from engine.core.flow import SECOND, Millis
from engine.services.outgoing import outgoing
from engine.services.settle import accepted
from engine.services.telling import say
from engine.store import evidence, outbox
from engine.store.connection import Tx
from engine.store.outbox import Row

SLACK = 5 * SECOND
"""The platform's clock may be behind ours, and its times are in whole seconds."""


def recognised(tx: Tx, now: Millis, row: Row, pause: Millis) -> bool:
    """Whether one of the echoes that nobody has claimed is this send, which is settled then."""
    words = rendition(outgoing(tx, row)).strip()
    since = (row.tried_at or row.created_at) - SLACK
    for echo in evidence.open_echoes(tx, row.conversation_id):
        same = bool(words) and str(echo["detail"] or "").strip() == words
        if same and echo["channel_id"] == row.channel_id and int(echo["at"]) >= since:
            found(tx, now, row, str(echo["provider_id"]), pause, by="echo")
            return True
    return False


def found(tx: Tx, now: Millis, row: Row, provider_id: str, pause: Millis, *, by: str) -> None:
    """It left after all, and this is what the platform calls it; `by` is who says so."""
    if not outbox.settle(tx, row.id, "sent", was=row.status, provider_id=provider_id, sent_at=now, reason=None):
        return
    say(tx, now, row, "sent", "send_settled", by=by, part=row.part, parts=row.parts)
    accepted(tx, now, row, provider_id, pause)
