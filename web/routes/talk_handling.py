"""Handling a conversation: when the robot gets it back, where it is put, whose it is; and who else is here."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from litestar import get, post
from litestar.response import Redirect, Response

from engine.core.contact_dates import moment
from engine.core.errors import Refused
from engine.core.flow import MINUTE, Millis
from engine.services import assign, giving_back, presence, transcript
from engine.services.move_by_hand import Move, move
from web import forms
from web.i18n import gettext
from web.needing import needy
from web.pages import page
from web.permissions import Permission
from web.routes.conversations import Number
from web.talk_answers import changed, refused, token_of
from web.talk_here import WRITING, here, place
from web.visitor import AppRequest, visitor

SOON = 30 * MINUTE


@post("/conversations/{number:int}/give-back", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def give_back(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The robot gets the chat at a moment: in half an hour, tomorrow at nine, or the one that was typed."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    there = await transcript.page(runtime, number)
    zone = there.flow.timezone
    try:
        at = _moment(form, there.now, zone)
        await giving_back.give_back_at(runtime, number, at, visitor(request).actor)
    except Refused as refusal:
        return await refused(request, number, refusal, tab="hand")
    return await changed(request, number, gettext("The bot gets it back then."), tab="hand", main="facts")


@post("/conversations/{number:int}/move", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def put(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Into another state, without a message unless the arrow's action is asked for; 409 when it moved meanwhile."""
    runtime, form, person = request.app.state.runtime, await forms.fields(request), visitor(request)
    to, _, arrow = form.get("to", "").partition("|")
    held = {"send": True, "drop": False}.get(form.get("held", ""))
    letters = (await transcript.page(runtime, number)).held if held is not None else ()
    asked = Move(
        to=to,
        why=form.get("why", ""),
        seen=form.get("seen", ""),
        form=token_of(request, form.get("form", "")),
        arrow=arrow,
        give_back=form.get("back") == "yes",
        decisions={int(letter["id"]): bool(held) for letter in letters},
    )
    try:
        await move(runtime, number, asked, person.actor)
    except Refused as refusal:
        return await refused(request, number, refusal, tab="hand")
    return await changed(request, number, gettext("It was moved."), tab="hand", main="facts")


@post("/conversations/{number:int}/assign", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def give(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """To a colleague, or to nobody; 409 when somebody else gave it away meanwhile."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    to, was = forms.whole(form.get("to")), forms.whole(form.get("seen"))
    try:
        await assign.assign(runtime, number, to or 0, visitor(request).actor, seen=was or 0)
    except Refused as refusal:
        return await refused(request, number, refusal, tab="hand")
    return await changed(request, number, gettext("Noted whose it is."), tab="hand", main="facts")


@post("/conversations/{number:int}/here", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def look(request: AppRequest, number: Number) -> Response[str]:
    """The person has the conversation open, and perhaps writes; who else has."""
    runtime, person, form = request.app.state.runtime, visitor(request), await forms.fields(request)
    await transcript.page(runtime, number)
    if person.account is not None:
        writes = WRITING if form.get("writing") else ""
        await presence.look(runtime, place(number), person.account.id, writes)
    people = await here(runtime, number, person)
    return page(request, "conversations/_here.html", people=people, number=number)


@post(
    "/conversations/{number:int}/here/leave", permission=Permission.CONVERSE, include_in_schema=False, status_code=204
)
async def leave(request: AppRequest, number: Number) -> None:
    """The person closed it."""
    if (account := visitor(request).account) is not None:
        await presence.leave(request.app.state.runtime, place(number), account.id)


@get("/live/needing", permission=Permission.VIEW, include_in_schema=False)
async def needing(request: AppRequest) -> Response[str]:
    """The list of those that need somebody, for pages that are open."""
    people = await needy(request.app.state.runtime, phones=visitor(request).may(Permission.PHONES))
    current = forms.whole(request.query_params.get("current"))
    return page(request, "conversations/_list.html", others=people, current=current or 0)


def _moment(form: Mapping[str, str], now: Millis, zone: str) -> Millis:
    """The moment that a form names. Raises Refused("not_a_moment")."""
    if form.get("when") == "soon":
        return now + SOON
    day, hour = form.get("day", ""), form.get("hour", "")
    if form.get("when") == "tomorrow":
        day, hour = str(_day(now, zone) + timedelta(days=1)), "09:00"
    at = moment(f"{day} {hour}", zone) if day and hour else None
    if at is None:
        raise Refused("not_a_moment")
    return at


def _day(at: Millis, zone: str) -> date:
    """The day that it is where the flow's people live."""
    return datetime.fromtimestamp(at // 1000, UTC).astimezone(ZoneInfo(zone)).date()
