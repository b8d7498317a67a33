"""Channels: the list with how each one is doing, adding, changing, taking one out of use. For administrators alone."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import channels, number_check
from engine.services.channel_traffic import Traffic, traffic_of
from engine.services.channels import CHANNELS, ChannelRecord
from web import connection_edits, forms
from web.channel_pages import Chip, ShownChannel, checked_words, shown_channel
from web.connection_edits import Wrong
from web.connection_forms import Problem
from web.connection_forms import made as a_form
from web.connection_names import about_kind, kind_name
from web.flow_choices import flow_choices, usual_flow
from web.pages import go, page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/channels"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(request: AppRequest) -> Response[str]:
    """All channels."""
    runtime = request.app.state.runtime
    traffic, titles = await traffic_of(runtime), dict(await flow_choices(request))
    shown = [
        _shown(request, record, traffic, titles)
        for record in sorted(await CHANNELS.everything(runtime), key=lambda r: r.id)
    ]
    return page(request, "settings/channels.html", channels=shown)


@get(f"{PLACE}/new", permission=Permission.ADMINISTER, include_in_schema=False)
async def blank(request: AppRequest, kind: FromQuery[str] = "") -> Response[str]:
    """Which kind; then the form with its keys."""
    if kind not in channels.KEYS:
        kinds = [(name, kind_name(name), about_kind(name)) for name in channels.KEYS]
        return page(request, "settings/channel_kinds.html", kinds=kinds)
    return await _blank(request, kind)


async def _blank(
    request: AppRequest,
    kind: str,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
) -> Response[str]:
    flows = await flow_choices(request)
    form = a_form(PLACE, CHANNELS.keys(kind), flows, flow=usual_flow(flows), typed=typed, problem=problem)
    return page(
        request,
        "settings/channel_new.html",
        status,
        form=form,
        kind=kind,
        kind_name=kind_name(kind),
        about=about_kind(kind),
    )


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def add(request: AppRequest) -> Response[str] | Redirect:
    """A new channel; then its own page, which shows the address for the provider."""
    typed = await forms.fields(request)
    kind = typed.get("kind", "")
    if kind not in channels.KEYS:
        raise NotFound("channel kind", kind)
    made = await connection_edits.add(request, CHANNELS, kind, CHANNELS.keys(kind), typed)
    if isinstance(made, Wrong):
        return await _blank(request, kind, 422, typed, made.problem)
    return go(f"{PLACE}/{made.id}", done="added")


@get(f"{PLACE}/{{number:int}}", permission=Permission.ADMINISTER, include_in_schema=False)
async def channel(request: AppRequest, number: FromPath[int], done: FromQuery[str] = "") -> Response[str]:
    """One channel: its address, its keys, how to take it out of use."""
    return await _channel(request, await CHANNELS.by_id(request.app.state.runtime, number), done=done)


async def _channel(
    request: AppRequest,
    record: ChannelRecord,
    status: int = 200,
    *,
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
    done: str = "",
    checked: Chip | None = None,
    wrong: str = "",
) -> Response[str]:
    runtime, flows = request.app.state.runtime, await flow_choices(request)
    form = a_form(
        f"{PLACE}/{record.id}",
        CHANNELS.keys(record.config.kind),
        flows,
        name=record.config.name,
        flow=record.flow,
        settings=record.config.settings,
        kept=frozenset(record.config.secrets),
        typed=typed,
        problem=problem,
    )
    shown = _shown(request, record, await traffic_of(runtime), dict(flows))
    about = about_kind(record.config.kind)
    told = {"about": about, "done": done, "checked": checked, "wrong": wrong}
    return page(request, "settings/channel.html", status, channel=shown, form=form, **told)


@post(f"{PLACE}/{{number:int}}/check", permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def check(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """Ask the platform whether the number works."""
    runtime = request.app.state.runtime
    record = await CHANNELS.by_id(runtime, number)
    try:
        return await _channel(request, record, checked=checked_words(await number_check.check(runtime, record)))
    except Refused as refusal:
        return await _channel(request, record, 422, wrong=sentence(refusal))


@post(
    f"{PLACE}/{{number:int}}",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """Change one."""
    typed = await forms.fields(request)
    record = await CHANNELS.by_id(request.app.state.runtime, number)
    wrong = await connection_edits.change(request, CHANNELS, record, CHANNELS.keys(record.config.kind), typed)
    if wrong is not None:
        return await _channel(request, record, 422, typed=typed, problem=wrong.problem)
    return go(f"{PLACE}/{number}", done="changed")


@get(f"{PLACE}/{{number:int}}/remove", permission=Permission.ADMINISTER, include_in_schema=False)
async def farewell(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """What taking a channel out of use would mean, before it is done."""
    record = await CHANNELS.by_id(request.app.state.runtime, number)
    waiting = (await traffic_of(request.app.state.runtime)).get(number, Traffic()).waiting
    return page(
        request,
        "settings/remove.html",
        place=f"{PLACE}/{number}",
        name=record.config.name,
        what="channel",
        waiting=waiting,
    )


@post(
    f"{PLACE}/{{number:int}}/remove",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=303,
)
async def remove(request: AppRequest, number: FromPath[int]) -> Redirect:
    """Take one out of use."""
    await CHANNELS.by_id(request.app.state.runtime, number)
    await CHANNELS.remove(request.app.state.runtime, number, visitor(request).actor)
    return go(PLACE)


def _shown(
    request: AppRequest, record: ChannelRecord, traffic: Mapping[int, Traffic], titles: Mapping[str, str]
) -> ShownChannel:
    now = request.app.state.runtime.clock.now()
    title = titles.get(record.flow, record.flow)
    return shown_channel(record, traffic.get(record.id, Traffic()), now, site_of(request), title)
