"""A file that a lead sent, fetched from where the channel keeps it: small enough, of a kind that we take, or refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.adapters.addresses import check_public
from engine.adapters.http import HttpAnswer, HttpRequest, Transport
from engine.core.errors import AnswerLost, AnswerTooLarge, NotSent, TrilhoError

DEFAULT_LIMIT = 16 * 1024 * 1024
"""Bytes of one file, unless the installation says otherwise: WhatsApp's own limit for sound and video."""

MEDIA_TYPES = frozenset(
    {
        *(f"audio/{kind}" for kind in ("aac", "amr", "mp4", "mpeg", "ogg", "opus", "wav", "webm")),
        *(f"image/{kind}" for kind in ("gif", "jpeg", "png", "webp")),
        *(f"video/{kind}" for kind in ("3gpp", "mp4", "webm")),
        "application/msword",
        "application/pdf",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "text/plain",
    }
)
"""What a browser would run as a page or a program of ours (HTML, SVG, scripts) is not among them (S20)."""

_NAMELESS = frozenset({"", "application/octet-stream", "binary/octet-stream"})

Reason: TypeAlias = Literal["no_file", "no_reference", "address", "too_large", "type", "gone", "auth", "unavailable"]


@dataclass(frozen=True, slots=True)
class FileOf:
    """A lead's message that has a file: its provider's id, and the `media` that came with it."""

    provider_id: str
    media: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Media:
    """The bytes of a file and its type, without parameters (`audio/ogg`)."""

    content: bytes = field(repr=False)
    mime: str


class MediaRefused(TrilhoError):
    """A file that we do not have. `lasting` says that asking again changes nothing.

    no_file: the channel has no files. no_reference: nothing says where it is. address: it lies where we may not go. too_large, type: over our limits.
    gone: the platform has it no more. auth: it does not let us in. unavailable: no good answer this time.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        self.lasting = reason not in {"auth", "unavailable"}
        super().__init__(reason)


def plain_type(value: object) -> str:
    """`audio/ogg; codecs=opus` as `audio/ogg`; empty when there is none."""
    return value.partition(";")[0].strip().lower() if isinstance(value, str) else ""


def require_allowed(mime: str) -> None:
    """Raise MediaRefused unless files of the type are taken; no type at all is left to the answer to say."""
    if mime not in _NAMELESS and mime not in MEDIA_TYPES:
        raise MediaRefused("type")


async def fetch(
    http: Transport, url: str, headers: Mapping[str, str], declared: str, limit: int, *, trusted: bool
) -> Media:
    """The file at an address, of at most `limit` bytes; `declared` is the type that the platform gave it.

    Raises MediaRefused.
    """
    require_allowed(declared)
    answer = await answered(
        http, HttpRequest(method="GET", url=url, headers=headers, trusted=trusted, max_answer=limit)
    )
    served = plain_type(answer.headers.get("content-type"))
    require_allowed(served)
    mime = declared if declared not in _NAMELESS else served
    if mime in _NAMELESS or not answer.body:
        raise MediaRefused("type" if answer.body else "unavailable")
    return Media(answer.body, mime)


async def answered(http: Transport, request: HttpRequest) -> HttpAnswer:
    """A good answer to a question about a file. Raises MediaRefused."""
    if not request.trusted:
        try:
            check_public(request.url)
        except NotSent as error:
            raise MediaRefused("address") from error
    try:
        answer = await http.request(request)
    except AnswerTooLarge as error:
        raise MediaRefused("too_large") from error
    except (NotSent, AnswerLost) as error:
        raise MediaRefused("unavailable") from error
    if answer.status in {400, 404, 410}:
        raise MediaRefused("gone")
    if answer.status in {401, 403}:
        raise MediaRefused("auth")
    if answer.status not in {200, 201}:
        raise MediaRefused("unavailable")
    return answer
