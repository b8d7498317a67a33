"""One attempt to turn an audio into words (R23): the words belong to the message, beside whatever else it says."""

from engine.adapters.media import Media
from engine.adapters.transcription import Heard, Service, TranscriptionFailed, transcribe
from engine.runtime import Runtime
from engine.services.media_fetch import backoff
from engine.services.media_news import told
from engine.store import media, media_pieces
from engine.store.connection import Tx
from engine.store.media import Medium

__all__ = ["hear"]

ATTEMPTS = 4
"""Within about a minute: words that come later help nobody any more."""


async def hear(runtime: Runtime, medium: Medium, service: Service | None) -> None:
    """Ask the service once and keep the words, or say why there are none."""
    if service is None:
        await _settled(runtime, medium, "none", "no_service")
        return
    if medium.attempt > ATTEMPTS:  # workers that did not survive it
        await _settled(runtime, medium, "failed", "unavailable")
        return
    last = (medium.bytes or 1) - 1
    content = await runtime.store.read(lambda tx: media_pieces.read(tx, medium.inbound_id, 0, last))
    try:
        heard = await transcribe(runtime.http, service, Media(content, medium.mime or ""))
    except TranscriptionFailed as failure:
        if failure.lasting or medium.attempt >= ATTEMPTS:
            await _settled(runtime, medium, "failed", failure.reason)
        else:
            await _later(runtime, medium, failure.reason)
        return
    await _heard(runtime, medium, heard)


async def _heard(runtime: Runtime, medium: Medium, heard: Heard) -> None:
    def unit(tx: Tx) -> None:
        now = media.of_message(tx, medium.inbound_id)
        late = {"late": True} if now is not None and now.answered else {}
        words = {"transcript": heard.words, "transcribed_ms": heard.duration}
        ready = {"transcript_state": "ready", "transcript_reason": None, **words}
        told(tx, runtime, medium, ready, noted="transcribed", facts=late)

    await runtime.store.write(f"conversation:{medium.conversation_id}", unit)


async def _settled(runtime: Runtime, medium: Medium, state: str, why: str) -> None:
    """No words will come: the burst need not wait any longer."""

    def unit(tx: Tx) -> None:
        changes = {"transcript_state": state, "transcript_reason": why}
        told(tx, runtime, medium, changes, noted="not_transcribed", facts={"why": why})

    await runtime.store.write(f"conversation:{medium.conversation_id}", unit)


async def _later(runtime: Runtime, medium: Medium, why: str) -> None:
    def unit(tx: Tx) -> None:
        media.settle(tx, medium, {"transcript_reason": why}, due_at=runtime.clock.now() + backoff(medium.attempt))

    await runtime.store.write(f"media:{medium.inbound_id}", unit)
