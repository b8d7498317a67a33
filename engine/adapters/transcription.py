"""An audio into words, by a service that speaks the protocol of OpenAI's transcriptions; one attempt a call."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.adapters.bodies import decode
from engine.adapters.http import HttpAnswer, HttpRequest, Transport
from engine.adapters.media import Media
from engine.adapters.reading import mapping
from engine.core.errors import AnswerLost, BodyTooLarge, NotSent, TrilhoError, UnreadableBody
from engine.core.flow import SECOND, Millis
from engine.core.folding import sanitise, visible

__all__ = ["Heard", "Service", "TranscriptionFailed", "transcribe"]

MAX_AUDIO = 25 * 1024 * 1024
"""Bytes that such services take."""
MAX_WORDS = 20_000
"""Characters of a transcript; an hour of talking has more, and nobody reads it in a bubble."""
MAX_ANSWER = 256 * 1024
_ENDINGS = {"audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/3gpp": "mp4"}
"""Services go by the end of the name; other types end as they are called."""

Reason: TypeAlias = Literal["too_large", "refused", "auth", "busy", "unavailable", "unreadable", "no_words"]


@dataclass(frozen=True, slots=True)
class Service:
    """A configured service: `base_url` ends before `/audio/transcriptions`; without a language it finds out itself."""

    base_url: str
    model: str
    language: str | None
    timeout: Millis
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of an audio, and how long it was if the service said so."""

    words: str = field(repr=False)
    duration: Millis | None = None


class TranscriptionFailed(TrilhoError):
    """No words. `lasting` says that asking again changes nothing.

    too_large: over what services take. refused: the service does not take it. auth: it does not let us in. busy,
    unavailable: not now. unreadable: its answer says nothing. no_words: nobody speaks in it.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        self.lasting = reason in ("too_large", "refused", "no_words")
        super().__init__(reason)


async def transcribe(http: Transport, service: Service, audio: Media) -> Heard:
    """Ask once. Raises TranscriptionFailed."""
    if len(audio.content) > MAX_AUDIO:
        raise TranscriptionFailed("too_large")
    try:
        answer = await http.request(_request(service, audio))
    except (NotSent, AnswerLost) as error:
        raise TranscriptionFailed("unavailable") from error
    _require_good(answer)
    try:
        body = decode(answer.body, MAX_ANSWER)
    except (UnreadableBody, BodyTooLarge) as error:
        raise TranscriptionFailed("unreadable") from error
    text = body.get("text")
    if not isinstance(text, str):
        raise TranscriptionFailed("unreadable")
    words = sanitise(text)[0].strip()
    if not visible(words):
        raise TranscriptionFailed("no_words")
    return Heard(words[:MAX_WORDS], _duration(mapping(body.get("usage")).get("seconds", body.get("duration"))))


def _duration(seconds: object) -> Millis | None:
    if not isinstance(seconds, int | float) or not 0 <= seconds < 1_000_000:
        return None
    return round(seconds * SECOND)


def _require_good(answer: HttpAnswer) -> None:
    if answer.status == 200:
        return
    if answer.status in (401, 403):
        raise TranscriptionFailed("auth")
    if answer.status == 429:
        raise TranscriptionFailed("busy")
    raise TranscriptionFailed("refused" if answer.status in (400, 413, 415, 422) else "unavailable")


def _request(service: Service, audio: Media) -> HttpRequest:
    """The multipart form. The boundary is a digest of what it must not occur in."""
    boundary = f"trilho-{hashlib.sha256(audio.content).hexdigest()[:32]}"
    name = f"audio.{_ENDINGS.get(audio.mime, audio.mime.partition('/')[2])}"
    fields = {"model": service.model, "response_format": "json"}
    if service.language:
        fields["language"] = service.language
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    parts += [f"{head}Content-Type: {audio.mime}\r\n\r\n".encode(), audio.content, f"\r\n--{boundary}--\r\n".encode()]
    return HttpRequest(
        method="POST",
        url=f"{service.base_url.rstrip('/')}/audio/transcriptions",
        headers={
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            **({"Authorization": f"Bearer {service.key}"} if service.key else {}),
        },
        body=b"".join(parts),
        trusted=True,
        timeout=service.timeout,
        max_answer=MAX_ANSWER,
    )
