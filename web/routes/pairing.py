"""Connecting a number whose session runs on a gateway: its QR code, its state, and the button that begins it."""

from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromQuery, PathParameter
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_204_NO_CONTENT

from engine.core.errors import Refused
from engine.core.troubles import OK, trouble
from engine.services import pairing
from engine.services.pairing import Seen
from web import forms
from web.link_words import trouble_words
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]
PLACE = "/settings/channels/{number:int}/pair"


@get(PLACE, permission=Permission.CONVERSE, include_in_schema=False)
async def pair(request: AppRequest, number: Number) -> Response[str]:
    """The page of one number: how its connection is, and the code if one waits to be read."""
    return await _page(request, await pairing.seen(request.app.state.runtime, number))


@get(f"{PLACE}/state", permission=Permission.CONVERSE, include_in_schema=False)
async def pair_state(request: AppRequest, number: Number, seen: FromQuery[str] = "") -> Response[str]:
    """The part that changes, when it is another one than was seen; else 204."""
    found = await pairing.seen(request.app.state.runtime, number)
    if _mark(found) == seen:
        return Response("", status_code=HTTP_204_NO_CONTENT)
    return page(request, "settings/_pair.html", 200, **_shown(found))


@get(f"{PLACE}/qr", permission=Permission.CONVERSE, include_in_schema=False)
async def pair_qr(request: AppRequest, number: Number) -> Response[bytes]:
    """The code as an image; it links a telephone, so nobody keeps it."""
    image = await pairing.picture(request.app.state.runtime, number)
    return Response(image, media_type="image/png")


@post(PLACE, permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def pair_begin(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Begin to connect; 422 when a number that was typed is none."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    typed = form.get("number", "").strip()[:40]
    base = await pairing.address_base(runtime)
    try:
        found = await pairing.begin(runtime, number, visitor(request).actor, base, typed)
    except Refused as refusal:
        if refusal.code != "phone_unreadable":
            raise
        there = await pairing.seen(runtime, number)
        return await _page(request, there, 422, typed=typed, problem=sentence(refusal))
    if found.unproved or found.link.pairing_code:
        # What the gateway said only now is not there any more after a redirect.
        return await _page(request, found, typed=typed)
    return go(f"/settings/channels/{number}/pair")


async def _page(
    request: AppRequest, found: Seen, status: int = 200, *, typed: str = "", problem: str = ""
) -> Response[str]:
    base = await pairing.address_base(request.app.state.runtime)
    return page(
        request,
        "settings/pair.html",
        status,
        **_shown(found),
        base=base,
        here_only=any(name in base for name in ("127.0.0.1", "localhost", "[::1]")),
        typed=typed,
        problem=problem,
        unproved=found.unproved,
    )


def _shown(found: Seen) -> dict[str, object]:
    """What the template reads. A code that waits to be read says so, whatever the gateway calls it."""
    link = found.link
    waits = link.state == "connecting" and link.qr is not None
    now = "awaits_qr" if waits else trouble(link.state) or OK
    return {
        "channel_id": found.id,
        "name": found.name,
        "state": now,
        "words": trouble_words(now),
        "detail": link.detail or "",
        "qr": waits,
        "code": link.pairing_code or "",
        "seen": _mark(found),
    }


def _mark(found: Seen) -> str:
    """Another text when there is something else to see."""
    return f"{found.link.state}-{found.link.count or 0}"
