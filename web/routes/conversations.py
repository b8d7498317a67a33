"""One conversation: reading it, who answers, what becomes of a send. Each action answers with the parts that changed."""

from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromPath, FromQuery, PathParameter
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_204_NO_CONTENT

from engine.core.errors import NotFound, Refused
from engine.core.flow import HOUR
from engine.services import live_news, supervise, transcript
from web import forms
from web.i18n import gettext
from web.kept_form import text_for
from web.pages import wants_fragment
from web.permissions import Permission
from web.talk_answers import changed, parts, refused, tab_of, whole
from web.talk_pages import beat, talk
from web.visitor import AppRequest, visitor

TAKEN = 12 * HOUR
"""For how long taking over keeps the bot quiet, if nobody gives the conversation back."""
HELD = ("send", "drop")
Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]
"""No database holds a larger one; whoever makes one up is told so before it is asked."""


@get("/conversations/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def conversation(
    request: AppRequest,
    number: Number,
    tab: FromQuery[str] = "",
    msg: FromQuery[str] = "",
    depth: FromQuery[str] = "",
    mode: FromQuery[str] = "",
    template: FromQuery[str] = "",
) -> Response[str]:
    """The page; `msg` is the line that is asked about, `mode` what the composer is for."""
    runtime = request.app.state.runtime
    there = await talk(runtime, number, visitor(request), tab=tab_of(tab), msg=msg, depth=depth, others=True)
    kept = text_for(request, f"/conversations/{number}/messages", "text")
    return await whole(request, there, mode=mode, typed={"text": kept, "template": template})


@get("/conversations/{number:int}/facts", permission=Permission.VIEW, include_in_schema=False)
async def facts(
    request: AppRequest,
    number: Number,
    tab: FromQuery[str] = "",
    msg: FromQuery[str] = "",
    depth: FromQuery[str] = "",
) -> Response[str]:
    """The panel alone, and beside it the transcript with the line marked."""
    there = await talk(request.app.state.runtime, number, visitor(request), tab=tab_of(tab), msg=msg, depth=depth)
    return parts(request, there, "facts")


@get("/conversations/{number:int}/news", permission=Permission.VIEW, include_in_schema=False)
async def news(
    request: AppRequest,
    number: Number,
    pulse: FromQuery[str] = "",
    tab: FromQuery[str] = "",
    msg: FromQuery[str] = "",
    depth: FromQuery[str] = "",
) -> Response[str]:
    """Everything again when something changed since `pulse`, else 204."""
    runtime = request.app.state.runtime
    if beat(await live_news.pulse(runtime, number), runtime.clock.now()) == pulse:
        return Response("", status_code=HTTP_204_NO_CONTENT)
    there = await talk(runtime, number, visitor(request), tab=tab_of(tab), msg=msg, depth=depth)
    return parts(request, there, "news")


@post("/conversations/{number:int}/pause", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def pause(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The bot is quiet for as long as the flow says."""
    runtime = request.app.state.runtime
    there = await transcript.page(runtime, number)
    await supervise.pause(runtime, number, there.flow.settings.human_pause, visitor(request).actor)
    return await changed(request, number, gettext("The bot is paused."))


@post("/conversations/{number:int}/take", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def take(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A person answers from now on; 409 when somebody else does already."""
    person = visitor(request)
    user_id = person.account.id if person.account is not None else 0
    try:
        await supervise.take(request.app.state.runtime, number, TAKEN, person.actor, user_id)
    except Refused as refusal:
        return await refused(request, number, refusal)
    return await changed(request, number, gettext("You took over. Give it back when you are done."))


@post("/conversations/{number:int}/resume", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def resume(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The bot answers again; 422 with the question when messages were held back and nobody said what becomes of them."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    held = {"send": True, "drop": False}.get(form.get("held", ""))
    try:
        await supervise.give_back(runtime, number, visitor(request).actor, send_held=held)
    except Refused:  # held_undecided
        there = await talk(runtime, number, visitor(request), others=not wants_fragment(request))
        if wants_fragment(request):
            return parts(request, there, "head", 422, asking=True)
        return await whole(request, there, 422, asking=True)
    return await changed(request, number, gettext("The bot answers again."))


@post("/conversations/{number:int}/seen", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def seen(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Nothing more is to be done about it."""
    await supervise.seen(request.app.state.runtime, number, visitor(request).actor)
    return await changed(request, number, gettext("It needs nobody any more."))


@post(
    "/conversations/{number:int}/sends/{ident:str}",
    permission=Permission.CONVERSE,
    include_in_schema=False,
    status_code=200,
)
async def decide(request: AppRequest, number: Number, ident: FromPath[str]) -> Response[str] | Redirect:
    """A person says what becomes of a send: it arrived, it goes again, it is taken back; of a held one that it goes out
    or is dropped while the chat stays held.
    """
    runtime, form, actor = request.app.state.runtime, await forms.fields(request), visitor(request).actor
    there = await transcript.page(runtime, number)
    send = forms.whole(ident)
    if send is None or all(letter["id"] != send for letter in there.letters):
        raise NotFound("send", ident)
    tab = "hand" if form.get("held") in HELD else "sends"
    try:
        if form.get("held") in HELD:
            goes = form["held"] == "send"
            await supervise.decide_held(runtime, number, send, actor, send=goes)
            said = gettext("It goes out.") if goes else gettext("It is dropped.")
        elif form.get("stop"):
            await supervise.cancel_send(runtime, send, actor)
            said = gettext("It is taken back.")
        else:
            arrived = form.get("arrived") == "yes"
            await supervise.settle_unknown(runtime, send, actor, arrived=arrived)
            said = gettext("Noted: it arrived.") if arrived else gettext("It is sent again.")
    except Refused as refusal:
        return await refused(request, number, refusal, tab=tab)
    return await changed(request, number, said, tab=tab, main="facts")


@post("/conversations/{number:int}/opt-in", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def opt_in(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The customer wants messages, or wants them again."""
    words = (await forms.fields(request)).get("words", "")
    await supervise.opt_in(request.app.state.runtime, number, visitor(request).actor, words)
    return await changed(request, number, gettext("Messages are allowed again."), tab="data", main="facts")
