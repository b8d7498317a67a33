"""What waits for a person's approval: the queue, and the decisions, from there or from the conversation."""

from collections.abc import Awaitable, Mapping
from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromPath, FromQuery, PathParameter
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_204_NO_CONTENT

from engine.core.errors import NotFound, Refused
from engine.services import approval_queue, live
from engine.services.approval_decisions import CONFLICTS, Decider, approve, extend, reject
from web import forms
from web.approval_cards import approval_card, approver_of
from web.i18n import gettext
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]
PLACE = "/conversations/{number:int}/approvals/{ident:str}"
NOT_YOURS = "approval_not_yours"


@get("/approvals", permission=Permission.VIEW, include_in_schema=False)
async def queue(request: AppRequest, flow: FromQuery[str] = "") -> Response[str]:
    """Everything that waits, the oldest first."""
    return await _page(request, flow)


@get("/approvals/news", permission=Permission.VIEW, include_in_schema=False)
async def news(request: AppRequest, flow: FromQuery[str] = "", pulse: FromQuery[str] = "") -> Response[str]:
    """The list again when something changed since `pulse`, else 204."""
    if await approval_queue.pulse(request.app.state.runtime) == pulse:
        return Response("", status_code=HTTP_204_NO_CONTENT)
    return await _page(request, flow, template="approvals/_queue.html")


@post(f"{PLACE}/approve", permission=Permission.APPROVE, include_in_schema=False, status_code=200)
async def accept(request: AppRequest, number: Number, ident: FromPath[str]) -> Response[str] | Redirect:
    """Send it as it is, or with the words of the form; 409 when somebody was first."""
    asked, form = await _form(request, number, ident)
    texts = _texts(form)
    deed = approve(request.app.state.runtime, asked, form.get("seen", ""), _decider(request), texts)
    return await _done(request, deed, number, form, gettext("Approved: the message leaves."))


@post(f"{PLACE}/reject", permission=Permission.APPROVE, include_in_schema=False, status_code=200)
async def refuse(request: AppRequest, number: Number, ident: FromPath[str]) -> Response[str] | Redirect:
    """Do not send it, and say why."""
    asked, form = await _form(request, number, ident)
    deed = reject(request.app.state.runtime, asked, form.get("reason", ""), _decider(request))
    return await _done(request, deed, number, form, gettext("Rejected: nothing of it is sent."))


@post(f"{PLACE}/extend", permission=Permission.APPROVE, include_in_schema=False, status_code=200)
async def wait(request: AppRequest, number: Number, ident: FromPath[str]) -> Response[str] | Redirect:
    """More time, once."""
    asked, form = await _form(request, number, ident)
    deed = extend(request.app.state.runtime, asked, _decider(request))
    return await _done(request, deed, number, form, gettext("There is more time now."))


async def _form(request: AppRequest, number: int, ident: str) -> tuple[int, Mapping[str, str]]:
    """The request of this conversation and what was sent about it. Raises NotFound for any other."""
    asked = forms.whole(ident)
    if asked is None:
        raise NotFound("approval", ident)
    await approval_queue.belongs(request.app.state.runtime, number, asked)
    return asked, await forms.fields(request)


def _decider(request: AppRequest) -> Decider:
    person = visitor(request)
    return Decider(person.actor, approver_of(person))


def _texts(form: Mapping[str, str]) -> dict[int, str]:
    """The words of each message by its place in the list, where the form has any."""
    found = {forms.whole(name.removeprefix("text.")): words for name, words in form.items() if name.startswith("text.")}
    return {place: words for place, words in found.items() if place is not None}


async def _done(
    request: AppRequest, deed: Awaitable[None], number: int, form: Mapping[str, str], said: str
) -> Response[str] | Redirect:
    """The list or the conversation again; what was refused is said where the list is shown."""
    flow = form.get("flow", "")
    try:
        await deed
    except Refused as refusal:
        status = 409 if refusal.code in CONFLICTS else 403 if refusal.code == NOT_YOURS else 422
        kept = {"id": number, "reason": form.get("reason", ""), "texts": _texts(form)}
        return await _page(request, flow, status, problem=sentence(refusal), kept=kept, template=_template(request))
    if wants_fragment(request):
        return await _page(request, flow, toast=said, template="approvals/_queue.html")
    if form.get("from") == "conversation":
        return go(f"/conversations/{number}")
    return go("/approvals", **({"flow": flow} if flow else {}))


def _template(request: AppRequest) -> str:
    return "approvals/_queue.html" if wants_fragment(request) else "approvals/queue.html"


async def _page(
    request: AppRequest,
    flow: str,
    status: int = 200,
    *,
    template: str = "approvals/queue.html",
    problem: str = "",
    toast: str = "",
    kept: Mapping[str, object] | None = None,
) -> Response[str]:
    runtime, person = request.app.state.runtime, visitor(request)
    there = await approval_queue.queue(runtime, flow)
    titles = dict(await live.live_slugs(runtime))
    return page(
        request,
        template,
        status,
        cards=[approval_card(waiting, there.now, person) for waiting in there.waiting],
        total=there.total,
        flow=flow,
        flows=[(slug, titles.get(slug, slug)) for slug in there.flows],
        pulse=there.pulse,
        problem=problem,
        toast=toast,
        kept=kept or {"id": 0, "reason": "", "texts": {}},
    )
