"""Replies to choose from: the settings page of those who write them, whether they edit flows or talk with customers."""

from collections.abc import Mapping
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused, Stale
from engine.services import canned
from web import forms
from web.desk_words import who
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.routes.conversations import Number
from web.visitor import AppRequest, visitor
from web.words import ago

PLACE = "/settings/replies"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReply:
    """A reply, by whom and when it was written, and when that was to the millisecond, for whoever changes it."""

    id: int
    shortcut: str
    text: str
    by: str
    at: int


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """All of them; whoever may write has a form under each."""
    return await _listed(request, done=done)


@post(PLACE, permission=Permission.REPLIES, include_in_schema=False, status_code=200)
async def write(request: AppRequest) -> Response[str] | Redirect:
    """A new one, or another text of one; what is refused comes back with what was typed."""
    form = await forms.fields(request)
    number, seen = forms.whole(form.get("id")) or 0, forms.whole(form.get("at")) or 0
    try:
        await canned.change(
            request.app.state.runtime,
            number,
            form.get("shortcut", ""),
            form.get("text", ""),
            visitor(request).actor,
            seen=seen,
        )
    except Stale as stale:
        problem = gettext("Somebody else changed it meanwhile to: “%(text)s”. Yours is still in the field.") % {
            "text": stale.theirs
        }
        return await _listed(request, 409, typed=form, problem=problem)
    except Refused as refusal:
        return await _listed(request, 422, typed=form, problem=sentence(refusal))
    return go(PLACE, done="kept")


@post(f"{PLACE}/{{number:int}}/remove", permission=Permission.REPLIES, include_in_schema=False, status_code=303)
async def remove(request: AppRequest, number: Number) -> Redirect:
    """Forget one."""
    await canned.remove(request.app.state.runtime, number, visitor(request).actor)
    return go(PLACE, done="removed")


async def _listed(
    request: AppRequest,
    status: int = 200,
    *,
    done: str = "",
    typed: Mapping[str, str] | None = None,
    problem: str = "",
) -> Response[str]:
    runtime = request.app.state.runtime
    now = runtime.clock.now()
    replies = [
        ShownReply(
            id=one.id, shortcut=one.shortcut, text=one.text, by=f"{who(one.who)} · {ago(one.at, now)}", at=one.at
        )
        for one in await canned.everything(runtime)
    ]
    form = {} if typed is None else {"shortcut": "", "text": "", **typed}
    wrong = forms.whole(form.get("id")) or 0
    if wrong and all(one.id != wrong for one in replies):
        raise NotFound("reply", wrong)
    values = {"typed": form, "wrong": wrong, "problem": problem, "done": done}
    may = visitor(request).may(Permission.REPLIES)
    return page(request, "settings/replies.html", status, replies=replies, may=may, **values)
