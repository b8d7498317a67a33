"""The files of a scenario's messages and what is heard in them: what channels and the transcription service answer."""

import base64
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.core.errors import AnswerLost
from engine.core.flow import Millis
from engine.services.scenarios.format import instant

__all__ = ["ABOUT", "CONTENT", "About", "Files", "heard", "said"]


@dataclass(frozen=True, slots=True)
class About:
    """The message that a call is about: its provider's id and its kind."""

    message: str
    kind: str


ABOUT: ContextVar[About | None] = ContextVar("about", default=None)
"""Set while a worker is at a file: calls of files do not say whose they are in any way that all channels share."""

CONTENT: Mapping[str, bytes] = {
    "audio": b"OggS\x00\x02",
    "image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01",
    "sticker": b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x00\x00\x00\x00\x00\x00",
    "video": b"\x00\x00\x00\x18ftypisom",
    "document": b"%PDF-1.7",
}
"""As much of each kind of file as is looked at."""


@dataclass(frozen=True, slots=True)
class Words:
    """When the service answers about a message, and with what; None when it cannot make it out."""

    at: Millis
    text: str | None


@dataclass(slots=True)
class Files:
    """Answers calls about files. `until` waits for a moment of the scenario."""

    now: Callable[[], Millis]
    until: Callable[[Millis], Awaitable[None]]
    words: Mapping[str, Words] = field(default_factory=dict)
    nothing_heard_at: Millis | None = None
    """From when on the service can make out nothing at all."""

    async def answer(self, request: HttpRequest, about: About) -> HttpAnswer:
        """A file at once, words when the scenario says so. Raises AnswerLost when it says nothing."""
        if request.url.endswith("/audio/transcriptions"):
            return await self._transcribed(request, about)
        content = CONTENT[about.kind]
        if request.method == "POST":
            return _json({"base64": base64.b64encode(content).decode(), "mimetype": ""})
        if "?" not in request.url:
            return HttpAnswer(200, {"content-type": "application/octet-stream"}, content)
        origin = "/".join(request.url.split("/")[:3])
        return _json({"url": f"{origin}/file", "mime_type": "", "file_size": len(content)})

    async def _transcribed(self, request: HttpRequest, about: About) -> HttpAnswer:
        found = self.words.get(about.message)
        if found is None and self.nothing_heard_at is not None:
            found = Words(self.nothing_heard_at, None)
        if found is None:
            await self.until(self.now() + request.timeout)
            raise AnswerLost("nobody said what is heard in it")
        await self.until(found.at)
        if found.text is None:
            return _json({"error": {"message": "the audio cannot be made out"}}, 400)
        return _json({"text": found.text})


def heard(files: Files, inputs: Sequence[Mapping[str, Any]], faults: Sequence[Mapping[str, Any]]) -> None:
    """Take in what the scenario says of transcripts: its inputs of that kind, and the faults that forbid some."""
    given = dict(said(row) for row in inputs if row["kind"] == "transcript")
    for fault in faults:
        if fault["what"] != "transcript_fails":
            continue
        at = instant(fault.get("at", 0))
        if "message" in fault:
            given[str(fault["message"])] = Words(at, None)
        else:
            files.nothing_heard_at = at
    files.words = given


def said(row: Mapping[str, Any]) -> tuple[str, Words]:
    """An input of that kind: the message, and what is heard in it."""
    return str(row["payload"]["message"]), Words(instant(row["at"]), str(row["payload"]["text"]))


def _json(body: Mapping[str, object], status: int = 200) -> HttpAnswer:
    return HttpAnswer(status, {"content-type": "application/json"}, json.dumps(body).encode())
