"""One attempt to get a message's file: from the channel, or from the pieces that came along; looked at before it is kept."""

import hashlib
from functools import partial

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.channels.registry import CHANNELS
from engine.adapters.media import FileOf, MediaRefused
from engine.core.flow import HOUR, SECOND, Millis
from engine.core.picture_size import MOST_PIXELS, pixels
from engine.core.sniffing import sniff, suits
from engine.runtime import Runtime
from engine.services.media_news import told
from engine.store import media, media_pieces
from engine.store.connection import Tx
from engine.store.media import Medium

__all__ = ["backoff", "fetch"]

ATTEMPTS = 8
"""Of fetching a file from a channel that is in trouble: about an hour and a half in all."""


def backoff(attempt: int) -> Millis:
    """How long to wait after a failed attempt: 2 s, 8 s, 32 s, and so on up to an hour."""
    return min(SECOND << (2 * attempt - 1), HOUR)


async def fetch(runtime: Runtime, medium: Medium, config: ChannelConfig | None, limit: int) -> None:
    """Get it and keep it, or say why not."""
    if (hopeless := _hopeless(medium, config)) is not None:
        await _refused(runtime, medium, hopeless)
        return
    try:
        content = await _content(runtime, medium, config, limit)
    except MediaRefused as refusal:
        if refusal.lasting or medium.attempt >= ATTEMPTS:
            await _refused(runtime, medium, refusal.reason)
        else:
            await _later(runtime, medium, refusal.reason)
        return
    mime, why = _looked_at(medium.kind, content, limit)
    if mime is None:
        await _refused(runtime, medium, why)
        return
    if medium.bytes is None:
        for n, piece in media_pieces.cut(content):
            write = partial(media_pieces.write, inbound_id=medium.inbound_id, n=n, content=piece)
            await runtime.store.write(f"media:{medium.inbound_id}", write)
    await _kept(runtime, medium, content, mime)


def _hopeless(medium: Medium, config: ChannelConfig | None) -> str | None:
    """Why nobody needs to try; more attempts than there are come from workers that did not survive it."""
    if medium.deleted:
        return "deleted"
    if config is None and medium.bytes is None:
        return "no_channel"
    return "unavailable" if medium.attempt > ATTEMPTS else None


async def _content(runtime: Runtime, medium: Medium, config: ChannelConfig | None, limit: int) -> bytes:
    """The bytes, which nobody has looked at yet. Raises MediaRefused."""
    if (size := medium.bytes) is not None:
        return await runtime.store.read(lambda tx: media_pieces.read(tx, medium.inbound_id, 0, size - 1))
    if config is None:
        raise MediaRefused("no_file")
    message = FileOf(medium.provider_id, medium.about)
    return (await CHANNELS[config.kind].download(runtime.http, config, message, limit)).content


def _looked_at(kind: str, content: bytes, limit: int) -> tuple[str | None, str]:
    """The type to keep it as; None and the reason when it is not kept."""
    if len(content) > limit:
        return None, "too_large"
    found = sniff(content)
    mime = None if found is None else suits(kind, found)
    if mime is None:
        return None, "type" if kind == "document" else "not_what_it_says"
    if mime.startswith("image/"):
        size = pixels(content, mime)
        if size is None:
            return None, "not_what_it_says"
        if size > MOST_PIXELS:
            return None, "too_many_pixels"
    return mime, ""


async def _kept(runtime: Runtime, medium: Medium, content: bytes, mime: str) -> None:
    digest = hashlib.sha256(content).hexdigest()

    def unit(tx: Tx) -> None:
        due = runtime.clock.now() if medium.transcript_state == "waiting" else None
        kept = {"state": "kept", "reason": None, "mime": mime, "bytes": len(content), "sha256": digest}
        told(tx, runtime, medium, kept, due_at=due, attempt=0)

    await runtime.store.write(f"conversation:{medium.conversation_id}", unit)


async def _refused(runtime: Runtime, medium: Medium, why: str) -> None:
    def unit(tx: Tx) -> None:
        waits = medium.transcript_state == "waiting"
        unheard = {"transcript_state": "failed", "transcript_reason": "no_file"} if waits else {}
        facts: dict[str, object] = {"why": why, "media": medium.kind}
        changes: dict[str, object] = {"state": "refused", "reason": why, "bytes": None, **unheard}
        if told(tx, runtime, medium, changes, noted="media_refused", facts=facts):
            media_pieces.drop(tx, medium.inbound_id)

    await runtime.store.write(f"conversation:{medium.conversation_id}", unit)


async def _later(runtime: Runtime, medium: Medium, why: str) -> None:
    def unit(tx: Tx) -> None:
        media.settle(tx, medium, {"reason": why}, due_at=runtime.clock.now() + backoff(medium.attempt))

    await runtime.store.write(f"media:{medium.inbound_id}", unit)
