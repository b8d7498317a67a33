"""The built-in phone: a page on which anybody who has its secret address plays a customer."""

from urllib.parse import quote, unquote

from litestar import get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_204_NO_CONTENT

from engine.core.errors import NotFound, Refused
from engine.core.identity import display
from engine.services import own_files, phone_page
from web import forms
from web.auth import is_https
from web.i18n import gettext
from web.pages import go, page, wants_fragment
from web.permissions import Door
from web.refusals import sentence
from web.routes.conversations import Number
from web.routes.media import handed_out
from web.visitor import AppRequest
from web.words import clock

COOKIE = "trilho_phone"
A_WEEK = 7 * 86_400
SHORTEST, LONGEST = 8, 15
"""Digits of a number."""


@get("/phone/{token:str}", permission=Door.PUBLIC, include_in_schema=False)
async def screen(request: AppRequest, token: FromPath[str]) -> Response[str]:
    """The chat of this browser's number, or the choice of one."""
    there = await phone_page.phone(request.app.state.runtime, token)
    who = _who(request)
    if who is None:
        return page(request, "phone/start.html", phone=there, token=token, number=_fresh(request), name="", problem="")
    return await _chat(request, token, there, who)


@get("/phone/{token:str}/chat", permission=Door.PUBLIC, include_in_schema=False)
async def chat(request: AppRequest, token: FromPath[str], seen: FromQuery[str] = "") -> Response[str]:
    """The bubbles, when there are others than those that were seen; else 204."""
    runtime = request.app.state.runtime
    there, who = await phone_page.phone(runtime, token), _who(request)
    bubbles = [] if who is None else await phone_page.bubbles(runtime, there, who[0])
    if who is None or _mark(bubbles) == seen:
        return Response("", status_code=HTTP_204_NO_CONTENT)
    return page(request, "phone/_chat.html", 200, token=token, **_shown(request, bubbles), oob=False)


@get("/phone/{token:str}/files/{number:int}", permission=Door.PUBLIC, include_in_schema=False)
async def file(request: AppRequest, token: FromPath[str], number: Number) -> Response[bytes]:
    """A file that the team sent to this browser's number; nobody else's is there."""
    runtime = request.app.state.runtime
    there, who = await phone_page.phone(runtime, token), _who(request)
    bubbles = [] if who is None else await phone_page.bubbles(runtime, there, who[0])
    if all(bubble.own != number for bubble in bubbles):
        raise NotFound("file", number)
    found = await own_files.stored(runtime, number)
    return await handed_out(request, found, lambda first, last: own_files.part(runtime, found, first, last))


@post("/phone/{token:str}/messages", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def say(request: AppRequest, token: FromPath[str]) -> Response[str] | Redirect:
    """The customer writes or taps; 422 with the text kept when it cannot be sent."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    there, who = await phone_page.phone(runtime, token), _who(request)
    if who is None:
        return go(f"/phone/{token}")
    text, problem = form.get("text", ""), ""
    button, _, title = form.get("tap", "").partition("|")
    try:
        answer = await phone_page.say(
            runtime,
            token,
            who[0],
            title or text,
            name=who[1],
            form=form.get("form", "")[:40],
            button=button,
        )
        if answer.status != 200:
            problem = gettext("It did not get through. Try again.")
    except Refused as refusal:
        problem = sentence(refusal)
    kept = text if problem or title else ""
    if not wants_fragment(request):
        if not problem:
            return go(f"/phone/{token}")
        return await _chat(request, token, there, who, 422, text=kept, problem=problem)
    shown = _shown(request, await phone_page.bubbles(runtime, there, who[0]))
    values = {"text": kept, "problem": problem, "form": runtime.ids.hex(8), "oob": True}
    return page(request, "phone/_said.html", 422 if problem else 200, token=token, **shown, **values)


@post("/phone/{token:str}/begin", permission=Door.PUBLIC, include_in_schema=False, status_code=200)
async def begin(request: AppRequest, token: FromPath[str]) -> Response[str] | Redirect:
    """Take a name and a number, or let go of them to begin again with others."""
    form = await forms.fields(request)
    there = await phone_page.phone(request.app.state.runtime, token)
    if form.get("again"):
        response = go(f"/phone/{token}")
        response.set_cookie(_cookie(request, token, ""))
        return response
    name, number = form.get("name", "").strip()[:60], "".join(c for c in form.get("number", "") if c in "0123456789")
    if not SHORTEST <= len(number) <= LONGEST:
        problem = gettext("A number has %(low)s to %(high)s digits.") % {"low": SHORTEST, "high": LONGEST}
        values = {"number": form.get("number", "")[:40], "name": name, "problem": problem}
        return page(request, "phone/start.html", 422, phone=there, token=token, **values)
    response = go(f"/phone/{token}")
    response.set_cookie(_cookie(request, token, f"{number}|{quote(name, safe='')}"))
    return response


async def _chat(
    request: AppRequest,
    token: str,
    there: phone_page.Phone,
    who: tuple[str, str],
    status: int = 200,
    *,
    text: str = "",
    problem: str = "",
) -> Response[str]:
    runtime = request.app.state.runtime
    shown = _shown(request, await phone_page.bubbles(runtime, there, who[0]))
    values = {"name": who[1], "number": display(who[0]), "form": runtime.ids.hex(8), "text": text, "problem": problem}
    return page(request, "phone/screen.html", status, phone=there, token=token, oob=False, **shown, **values)


def _shown(request: AppRequest, bubbles: list[phone_page.Bubble]) -> dict[str, object]:
    """The bubbles with their times; only the last ones of the bot can still be tapped."""
    last = max((place for place, bubble in enumerate(bubbles) if bubble.mine), default=-1)
    rows = [(bubble, clock(bubble.at), place > last) for place, bubble in enumerate(bubbles)]
    return {"rows": rows, "seen": _mark(bubbles), "tap_form": request.app.state.runtime.ids.hex(8)}


def _mark(bubbles: list[phone_page.Bubble]) -> str:
    return f"{len(bubbles)}-{bubbles[-1].at}" if bubbles else "0"


def _who(request: AppRequest) -> tuple[str, str] | None:
    """Number and name of this browser, from the cookie; None for one that is not ours."""
    number, _, name = request.cookies.get(COOKIE, "").partition("|")
    if not (number.isascii() and number.isdecimal() and SHORTEST <= len(number) <= LONGEST):
        return None
    return number, unquote(name)[:60]


def _fresh(request: AppRequest) -> str:
    """A Brazilian-looking number that no operator has: mobiles do not begin with 90."""
    drawn = int(request.app.state.runtime.ids.hex(4), 16) % 10_000_000
    return display(f"551190{drawn:07d}")


def _cookie(request: AppRequest, token: str, value: str) -> Cookie:
    return Cookie(
        key=COOKIE,
        value=value,
        max_age=A_WEEK if value else 0,
        path=f"/phone/{token}",
        secure=is_https(request),
        httponly=True,
        samesite="lax",
    )
