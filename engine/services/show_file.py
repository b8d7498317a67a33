"""The file of a lead's message, for whoever reads the conversation: what it is, how it stands, and its bytes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.adapters.reading import name
from engine.core.errors import NotFound
from engine.core.folding import visible
from engine.core.sniffing import FILES
from engine.runtime import Runtime
from engine.store import media_pieces, views

__all__ = ["File", "attached", "part", "stored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file by the id of its message. `state`: waiting, kept, refused (`reason`). `mime` is what it was seen to be.

    `words` are those of an audio: ours, or the gateway's own. `transcript` is waiting, ready, failed (`unheard` says
    why), none where nobody listens, and empty for anything but an audio.
    """

    id: int
    kind: str
    state: str
    reason: str | None
    mime: str
    bytes: int
    name: str
    words: str
    transcript: str
    unheard: str | None


def attached(row: Mapping[str, Any]) -> File | None:
    """The file of a message's row with its columns of `views.FILE`; None when there is none to show."""
    if row["kind"] not in FILES or row["file_state"] is None or row.get("deleted_at") is not None:
        return None
    audio = row["kind"] == "audio"
    written = row["text"] or "" if audio else ""
    heard = row["transcript"] or ""
    given = name(json.loads(row["media"]).get("filename")) or ""
    return File(
        id=int(row["id"]),
        kind=row["kind"],
        state=row["file_state"],
        reason=row["file_reason"],
        mime=row["file_mime"] or "",
        bytes=int(row["file_bytes"] or 0),
        name=given.replace("\\", "/").rpartition("/")[2],
        words=heard or written,
        transcript="ready" if visible(heard or written) else row["transcript_state"] or "",
        unheard=row["transcript_reason"],
    )


async def stored(runtime: Runtime, inbound_id: int) -> File:
    """A file that can be had. Raises NotFound for one that is not kept, and for that of a message taken back."""
    row = await runtime.store.read(lambda tx: views.file(tx, inbound_id))
    found = None if row is None else attached(row)
    if found is None or found.state != "kept":
        raise NotFound("file", inbound_id)
    return found


async def part(runtime: Runtime, file: File, first: int, last: int) -> bytes:
    """Its bytes from `first` to `last`, both included."""
    return await runtime.store.read(lambda tx: media_pieces.read(tx, file.id, first, last))
