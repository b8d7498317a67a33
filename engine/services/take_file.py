"""The file of a lead's message: what came along is kept, what did not is to be fetched, beside the event path (R23)."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.core.folding import visible
from engine.core.inbound import Message
from engine.core.sniffing import FILES
from engine.services import transcription
from engine.store import media, media_pieces
from engine.store.connection import Tx
from engine.store.media import Fetching

__all__ = ["Attached", "files"]

AUDIO = "audio"


@dataclass(frozen=True, slots=True)
class Attached:
    """A message that was stored in this transaction."""

    inbound_id: int
    item: Message
    now: Millis


def files(tx: Tx, stored: Sequence[Attached]) -> None:
    """Note what is to be done for those of the messages that have a file."""
    having = [each for each in stored if each.item.kind in FILES]
    hears = any(each.item.kind == AUDIO for each in having) and transcription.is_there(tx)
    for each in having:
        file = Fetching(
            inbound_id=each.inbound_id,
            bytes=None if each.item.file is None else len(each.item.file),
            transcript_state=_awaited(each.item, hears=hears) if each.item.kind == AUDIO else None,
        )
        media.begin(tx, file, each.now)
        for n, piece in media_pieces.cut(each.item.file or b""):
            media_pieces.write(tx, each.inbound_id, n, piece)


def _awaited(item: Message, *, hears: bool) -> str:
    """Whether the words of an audio are to be expected; some gateways send them along."""
    return "waiting" if hears and not visible(item.text or "") else "none"
