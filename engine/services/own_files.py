"""Files that people of the team send: looked at and kept, opened when they leave, shown to whoever reads the talk."""

import hashlib
from dataclasses import replace
from functools import partial

from engine.adapters.channels.protocol import Outgoing
from engine.core import limits
from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.core.sent_kinds import LARGEST, LIMITS, seen_as
from engine.core.splitting import units
from engine.runtime import Runtime
from engine.services.handwriting import queued
from engine.services.talk_unit import existing, write
from engine.store import sent_files
from engine.store.connection import Tx
from engine.store.sent_files import SentFile

__all__ = ["LARGEST", "part", "send_file", "stored", "with_file"]

LONGEST_NAME = 120


async def send_file(
    runtime: Runtime,
    conversation_id: int,
    name: str,
    content: bytes,
    caption: str,
    form_token: str,
    actor: Actor,
    *,
    seen: str | None = None,
) -> bool:
    """Keep a picture or an audio, queue it as a person's message and pause the robot; False when this form did so.

    An audio has no caption. Raises NotFound, and Refused: no_file_chosen, file_kind, file_large, file_pixels,
    caption_too_long, caption_of_audio, and what `queued` raises.
    """
    found, words = seen_as(content), caption.strip()
    if isinstance(found, str):
        raise Refused(found, image=LIMITS["image"] // 1024 // 1024, audio=LIMITS["audio"] // 1024 // 1024)
    kind, mime = found
    if words and kind == "audio":
        raise Refused("caption_of_audio")
    if units(words) > limits.CAPTION:
        raise Refused("caption_too_long", longest=limits.CAPTION)
    file = partial(
        sent_files.put,
        conversation_id=conversation_id,
        kind=kind,
        mime=mime,
        name=_plain(name),
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        who=actor.who,
    )

    def begun(tx: Tx) -> int:
        existing(tx, conversation_id)
        return file(tx, at=runtime.clock.now())

    number = await write(runtime, conversation_id, begun)
    for n, piece in sent_files.cut(content):
        await runtime.store.write(f"file:{number}", partial(sent_files.write, file_id=number, n=n, content=piece))
    payload = {"text": None, "media": {"kind": kind, "file": number, "caption": words or None}}
    try:
        fresh = await write(
            runtime,
            conversation_id,
            lambda tx: queued(tx, runtime, conversation_id, payload, form_token, actor, seen=seen),
        )
    except Refused:
        await _forgotten(runtime, number)
        raise
    if not fresh:
        await _forgotten(runtime, number)
    return fresh


async def _forgotten(runtime: Runtime, number: int) -> None:
    """No letter names it."""
    await runtime.store.write(f"file:{number}", lambda tx: sent_files.forget(tx, number))


async def with_file(runtime: Runtime, message: Outgoing) -> Outgoing:
    """A message that is about to leave, with the bytes of its file where that is one of ours."""
    media = message.media
    if media is None or media.file is None:
        return message
    number = media.file

    def unit(tx: Tx) -> tuple[SentFile, bytes] | None:
        file = sent_files.get(tx, number)
        return None if file is None else (file, sent_files.read(tx, number, 0, file.bytes - 1))

    found = await runtime.store.read(unit)
    if found is None or len(found[1]) != found[0].bytes:
        return message  # the channel refuses what has no bytes
    file, content = found
    return replace(message, media=replace(media, content=content, mime=file.mime, name=file.name))


async def stored(runtime: Runtime, number: int, conversation_id: int | None = None) -> SentFile:
    """A file, of one conversation where that is given. Raises NotFound."""
    found = await runtime.store.read(lambda tx: sent_files.get(tx, number))
    if found is None or conversation_id not in (None, found.conversation_id):
        raise NotFound("file", number)
    return found


async def part(runtime: Runtime, file: SentFile, first: int, last: int) -> bytes:
    """Its bytes from `first` to `last`, both included."""
    return await runtime.store.read(lambda tx: sent_files.read(tx, file.id, first, last))


def _plain(name: str) -> str:
    """The name of a file without a path, as far as it can be seen."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if char.isprintable()).strip(". ")[:LONGEST_NAME]
