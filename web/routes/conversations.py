"""One conversation: reading it, and what a person does in it. Each action answers with the parts that changed."""

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
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.refusals import sentence
from web.talk_pages import TABS, Talk, beat, talk
from web.visitor import AppRequest, visitor

TAKEN = 12 * HOUR
"""For how long taking over keeps the bot quiet, if nobody gives the conversation back."""
HELD = ("send", "drop")
Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]
"""No database holds a larger one; whoever makes one up is told so before it is asked."""


@get("/conversations/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def conversation(
    request: AppRequest, number: Number, tab: FromQuery[str] = "", msg: FromQuery[str] = ""
) -> Response[str]:
    """The page; `msg` is the line that is asked about."""
    there = await talk(request.app.state.runtime, number, visitor(request), tab=_tab(tab), msg=msg, others=True)
    return _page(request, there, text=text_for(request, f"/conversations/{number}/messages", "text"))


@get("/conversations/{number:int}/facts", permission=Permission.VIEW, include_in_schema=False)
async def facts(
    request: AppRequest, number: Number, tab: FromQuery[str] = "", msg: FromQuery[str] = ""
) -> Response[str]:
    """The panel alone, and beside it the transcript with the line marked."""
    there = await talk(request.app.state.runtime, number, visitor(request), tab=_tab(tab), msg=msg)
    return _parts(request, there, "facts")


@get("/conversations/{number:int}/news", permission=Permission.VIEW, include_in_schema=False)
async def news(
    request: AppRequest,
    number: Number,
    pulse: FromQuery[str] = "",
    tab: FromQuery[str] = "",
    msg: FromQuery[str] = "",
) -> Response[str]:
    """Everything again when something changed since `pulse`, else 204."""
    runtime = request.app.state.runtime
    if beat(await live_news.pulse(runtime, number), runtime.clock.now()) == pulse:
        return Response("", status_code=HTTP_204_NO_CONTENT)
    there = await talk(runtime, number, visitor(request), tab=_tab(tab), msg=msg)
    return _parts(request, there, "news")


@post("/conversations/{number:int}/pause", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def pause(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The bot is quiet for as long as the flow says."""
    runtime = request.app.state.runtime
    there = await transcript.page(runtime, number)
    await supervise.pause(runtime, number, there.flow.settings.human_pause, visitor(request).actor)
    return await _changed(request, number, gettext("The bot is paused."))


@post("/conversations/{number:int}/take", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def take(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A person answers from now on."""
    await supervise.pause(request.app.state.runtime, number, TAKEN, visitor(request).actor)
    return await _changed(request, number, gettext("You took over. Give it back when you are done."))


@post("/conversations/{number:int}/resume", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def resume(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The bot answers again; 422 with the question when messages were held back and nobody said what becomes of them."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    held = form.get("held", "")
    if held not in HELD and (await transcript.page(runtime, number)).held:
        there = await talk(runtime, number, visitor(request), others=not wants_fragment(request))
        if wants_fragment(request):
            return _parts(request, there, "head", 422, asking=True)
        return _page(request, there, 422, asking=True)
    await supervise.give_back(runtime, number, visitor(request).actor, send_held=held == "send")
    return await _changed(request, number, gettext("The bot answers again."))


@post("/conversations/{number:int}/seen", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def seen(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """Nothing more is to be done about it."""
    await supervise.seen(request.app.state.runtime, number, visitor(request).actor)
    return await _changed(request, number, gettext("It needs nobody any more."))


@post("/conversations/{number:int}/messages", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def write(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """A person's own message; 422 with the text kept when it cannot be sent. A form that was sent before does nothing."""
    runtime, form, person = request.app.state.runtime, await forms.fields(request), visitor(request)
    text, problem = form.get("text", ""), ""
    there = await talk(runtime, number, person)
    if there.bar.locked:
        problem = there.bar.locked
    else:
        try:
            await supervise.write_by_hand(runtime, number, text, _token(request, form.get("form", "")), person.actor)
        except Refused as refusal:
            problem = sentence(refusal)
    if not wants_fragment(request):
        if not problem:
            return go(f"/conversations/{number}")
        there = await talk(runtime, number, person, others=True)
        return _page(request, there, 422, text=text, problem=problem)
    there = await talk(runtime, number, person, tab=_tab(form.get("tab", "")), msg=form.get("msg", ""))
    kept = text if problem else ""
    return _parts(request, there, "compose", 422 if problem else 200, text=kept, problem=problem)


@post(
    "/conversations/{number:int}/sends/{ident:str}",
    permission=Permission.CONVERSE,
    include_in_schema=False,
    status_code=200,
)
async def decide(request: AppRequest, number: Number, ident: FromPath[str]) -> Response[str] | Redirect:
    """A person says whether a send arrived."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    there = await transcript.page(runtime, number)
    send = forms.whole(ident)
    if send is None or all(letter["id"] != send for letter in there.letters):
        raise NotFound("send", ident)
    arrived = form.get("arrived") == "yes"
    await supervise.settle_unknown(runtime, send, visitor(request).actor, arrived=arrived)
    said = gettext("Noted: it arrived.") if arrived else gettext("It is sent again.")
    return await _changed(request, number, said, tab="sends", main="facts")


@post("/conversations/{number:int}/opt-in", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def opt_in(request: AppRequest, number: Number) -> Response[str] | Redirect:
    """The customer wants messages, or wants them again."""
    words = (await forms.fields(request)).get("words", "")
    await supervise.opt_in(request.app.state.runtime, number, visitor(request).actor, words)
    return await _changed(request, number, gettext("Messages are allowed again."), tab="data", main="facts")


async def _changed(
    request: AppRequest, number: int, said: str, *, tab: str = "", main: str = "head"
) -> Response[str] | Redirect:
    """The parts for htmx, with the panel as it stood; without it the page again."""
    if not wants_fragment(request):
        return go(f"/conversations/{number}", **({"tab": tab} if tab else {}))
    form = await forms.fields(request)
    shown = tab or _tab(form.get("tab", ""))
    there = await talk(request.app.state.runtime, number, visitor(request), tab=shown, msg=form.get("msg", ""))
    return _parts(request, there, main, toast=said)


def _parts(request: AppRequest, there: Talk, main: str, status: int = 200, **values: object) -> Response[str]:
    return page(request, "conversations/changed.html", status, talk=there, main=main, **{**_rest(request), **values})


def _page(request: AppRequest, there: Talk, status: int = 200, **values: object) -> Response[str]:
    return page(request, "conversations/page.html", status, talk=there, **{**_rest(request), **values})


def _rest(request: AppRequest) -> dict[str, object]:
    """What the templates ask for beside the conversation, as it is on most days."""
    return {"text": "", "problem": "", "asking": False, "toast": "", "form": request.app.state.runtime.ids.hex(8)}


def _tab(tab: str) -> str:
    return tab if tab in TABS else ""


def _token(request: AppRequest, given: str) -> str:
    """The token of the form that was sent; one of our own when it is not ours."""
    ours = len(given) == 16 and all(c in "0123456789abcdef" for c in given)
    return given if ours else str(request.app.state.runtime.ids.hex(8))
