"""Campaigns: planned with what they would do, started after a confirmation, watched, stopped and resumed."""

from collections.abc import Awaitable, Mapping

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import campaign_choices, campaigns
from web import forms
from web.campaign_pages import choices, plan_of, shown_campaign, shown_count
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/campaigns"
TOKEN = 16


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest) -> Response[str]:
    """All of them, the newest first."""
    found = await campaigns.everything(request.app.state.runtime)
    return page(request, "campaigns/list.html", campaigns=[shown_campaign(one) for one in found])


@get(f"{PLACE}/new", permission=Permission.PUBLISH, include_in_schema=False)
async def blank(request: AppRequest) -> Response[str]:
    """The form of a plan; the query may fill it in, as it does when another template is chosen."""
    return await _form(request, {"per_minute": "30", "per_day": "250", **request.query_params})


@post(f"{PLACE}/new", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def count(request: AppRequest) -> Response[str]:
    """What the plan would do; nothing is started."""
    typed = dict(await forms.fields(request))
    return await _counted(request, typed)


@post(PLACE, permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def start(request: AppRequest) -> Response[str] | Redirect:
    """Start it, when the number of people is the one that was confirmed."""
    runtime, typed = request.app.state.runtime, dict(await forms.fields(request))
    token, seen = typed.get("form", ""), forms.whole(typed.get("seen"))
    ours = len(token) == TOKEN and all(c in "0123456789abcdef" for c in token)
    if typed.get("sure") != "yes" or not ours or seen is None:
        return await _counted(request, typed, 422, sentence(Refused("campaign_unsure")))
    try:
        number = await campaigns.start(runtime, plan_of(typed), token, seen, visitor(request).actor)
    except Refused as refusal:
        changed = refusal.code == "campaign_changed"
        return await _counted(request, typed, 409 if changed else 422, sentence(refusal))
    return go(f"{PLACE}/{number}")


@get(f"{PLACE}/{{number:int}}", permission=Permission.VIEW, include_in_schema=False)
async def campaign(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """How far one came."""
    return await _campaign(request, number)


@post(f"{PLACE}/{{number:int}}/pause", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def pause(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """Let it stand still."""
    return await _turned(request, number, campaigns.pause(request.app.state.runtime, number, visitor(request).actor))


@post(f"{PLACE}/{{number:int}}/stop", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def stop(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """End it."""
    return await _turned(request, number, campaigns.stop(request.app.state.runtime, number, visitor(request).actor))


@post(f"{PLACE}/{{number:int}}/resume", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def resume(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """Let it go on."""
    return await _turned(request, number, campaigns.resume(request.app.state.runtime, number, visitor(request).actor))


async def _turned(request: AppRequest, number: int, deed: Awaitable[None]) -> Response[str] | Redirect:
    try:
        await deed
    except Refused as refusal:
        return await _campaign(request, number, 422, sentence(refusal))
    return go(f"{PLACE}/{number}")


async def _campaign(request: AppRequest, number: int, status: int = 200, problem: str = "") -> Response[str]:
    shown = shown_campaign(await campaigns.one(request.app.state.runtime, number))
    return page(request, "campaigns/campaign.html", status, c=shown, problem=problem)


async def _counted(
    request: AppRequest, typed: Mapping[str, str], status: int = 200, problem: str = ""
) -> Response[str]:
    runtime, plan = request.app.state.runtime, plan_of(typed)
    try:
        found = shown_count(await campaigns.planned(runtime, plan), plan)
    except Refused as refusal:
        return await _form(request, typed, 422, sentence(refusal))
    values = {"plan": plan, "count": found, "typed": typed, "problem": problem, "form": runtime.ids.hex(8)}
    return page(request, "campaigns/confirm.html", status, **values)


async def _form(request: AppRequest, typed: Mapping[str, str], status: int = 200, problem: str = "") -> Response[str]:
    offered = await campaign_choices.offered(request.app.state.runtime)
    chosen = choices(offered.flows, offered.templates, offered.channels, offered.tags, offered.files)
    offer = chosen.chosen(typed.get("template", ""))
    return page(request, "campaigns/new.html", status, choices=chosen, offer=offer, typed=typed, problem=problem)
