"""A lead's file out of the Evolution API: sent along as base64, or asked for by the id of its message."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.adapters.bodies import decode
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.media import FileOf, Media, MediaRefused, answered, plain_type, require_allowed
from engine.adapters.reading import mapping
from engine.core.errors import BodyTooLarge, UnreadableBody

_AROUND = 64 * 1024
"""Bytes of an answer beside the file."""


async def download(
    http: Transport, call: Callable[[str, Mapping[str, object]], HttpRequest], message: FileOf, limit: int
) -> Media:
    """The file of a message, at most `limit` bytes; `call` makes a request of a path and a body. Raises MediaRefused."""
    declared = plain_type(message.media.get("mime_type"))
    require_allowed(declared)
    longest = limit * 4 // 3 + _AROUND
    request = call("chat/getBase64FromMediaMessage", {"message": {"key": {"id": message.provider_id}}})
    answer = await answered(http, replace(request, max_answer=longest))
    try:
        body = decode(answer.body, longest)
    except (UnreadableBody, BodyTooLarge) as error:
        raise MediaRefused("unavailable") from error
    served = plain_type(body.get("mimetype"))
    require_allowed(served)
    content = from_base64(body.get("base64"))
    if content is None:
        raise MediaRefused("unavailable")
    if len(content) > limit:
        raise MediaRefused("too_large")
    return Media(content, declared or served)


def along(message: Mapping[str, object]) -> bytes | None:
    """The file that came inside a webhook, None where there is none that can be read."""
    return from_base64(message.get("base64") or mapping(message.get("message")).get("base64"))


def from_base64(value: object) -> bytes | None:
    """The bytes of a base64 text, also of a `data:` address; None for everything else, and for nothing."""
    if not isinstance(value, str):
        return None
    text = value.partition(",")[2] if value.startswith("data:") else value
    try:
        return base64.b64decode(text, validate=True) or None
    except (binascii.Error, ValueError):
        return None
