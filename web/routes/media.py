"""Files that leads sent, and those that people sent to them: for whoever may read the conversation, and so that nothing in them runs (SEC-S20)."""

from collections.abc import Awaitable, Callable
from typing import Protocol
from urllib.parse import quote

from litestar import get
from litestar.response import Response

from engine.services import own_files, show_file
from web.permissions import Permission
from web.ranges import Unsatisfiable, wanted
from web.routes.conversations import Number
from web.visitor import AppRequest

SHOWN = ("image/", "audio/", "video/")
"""What pages show; everything else is only ever downloaded."""
NAMED = ("application/pdf",)
ANYTHING = "application/octet-stream"
POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
ENDINGS = {"audio/mpeg": "mp3", "audio/mp4": "m4a", "image/jpeg": "jpg", "application/pdf": "pdf", "video/3gpp": "3gp"}


class Stored(Protocol):
    """A file that can be had, whoever sent it."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def mime(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def bytes(self) -> int: ...


@get("/media/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def file(request: AppRequest, number: Number) -> Response[bytes]:
    """The file of a message, or the part of it that a player asks for."""
    runtime = request.app.state.runtime
    found = await show_file.stored(runtime, number)
    return await handed_out(request, found, lambda first, last: show_file.part(runtime, found, first, last))


@get("/sent/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def sent(request: AppRequest, number: Number) -> Response[bytes]:
    """A file that somebody of the team sent."""
    runtime = request.app.state.runtime
    found = await own_files.stored(runtime, number)
    return await handed_out(request, found, lambda first, last: own_files.part(runtime, found, first, last))


async def handed_out(
    request: AppRequest, found: Stored, read: Callable[[int, int], Awaitable[bytes]]
) -> Response[bytes]:
    """A file, or the part of it that a player asks for; `read` gets the bytes from the first to the last."""
    headers = _headers(found)
    try:
        asked = wanted(request.headers.get("range", ""), found.bytes)
    except Unsatisfiable:
        unmet = {**headers, "Content-Range": f"bytes */{found.bytes}"}
        return Response(b"", status_code=416, media_type=ANYTHING, headers=unmet)
    first, last = asked or (0, found.bytes - 1)
    if asked is not None:
        headers["Content-Range"] = f"bytes {first}-{last}/{found.bytes}"
    content = await read(first, last)
    return Response(content, status_code=200 if asked is None else 206, media_type=_type(found), headers=headers)


def _type(found: Stored) -> str:
    """The type that the file was seen to have, where a browser may know it."""
    return found.mime if found.mime.startswith(SHOWN) or found.mime in NAMED else ANYTHING


def _headers(found: Stored) -> dict[str, str]:
    how = "inline" if found.mime.startswith(SHOWN) else "attachment"
    return {
        "Content-Disposition": f"{how}; filename*=UTF-8''{quote(_name(found), safe='')}",
        "Content-Security-Policy": POLICY,
        "Accept-Ranges": "bytes",
    }


def _name(found: Stored) -> str:
    """The name that its sender gave it, without a path; else one of ours."""
    plain = "".join(char for char in found.name if char.isprintable()).strip(". ")
    ending = ENDINGS.get(found.mime, found.mime.partition("/")[2] if found.mime.startswith(SHOWN) else "bin")
    return plain or f"{found.kind}-{found.id}.{ending}"
