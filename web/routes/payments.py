"""Payment sources: what each notice becomes, adding, changing, taking one out of use. For administrators alone."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import bodies, unmatched
from engine.services.connections import Keys
from engine.services.source_events import EVENT_PREFIX
from engine.services.source_overview import overview, platforms
from engine.services.sources import EVENTS, SOURCES, SourceRecord
from web import connection_edits, forms
from web.connection_edits import Wrong
from web.connection_forms import Problem
from web.connection_forms import made as a_form
from web.connection_names import platform_name
from web.flow_choices import flow_choices, usual_flow
from web.pages import go, page, wants_fragment
from web.payment_words import shown_notice, shown_source
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/payments"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(request: AppRequest) -> Response[str]:
    """All sources, what their notices become, and the latest of them."""
    return await _listed(request)


async def _listed(
    request: AppRequest, status: int = 200, *, problems: Mapping[tuple[int, str], str] | None = None, only: int = 0
) -> Response[str]:
    """The page, or with `only` one source of it. `problems` are told beside the outcome of a source."""
    runtime = request.app.state.runtime
    titles, now = dict(await flow_choices(request)), runtime.clock.now()
    found = await overview(runtime)
    shown = [shown_source(one, now, titles.get(one.record.flow, one.record.flow)) for one in found]
    if only:
        alone = next((one for one in shown if one.id == only), None)
        if alone is None:
            raise NotFound("payment source", only)
        return page(request, "settings/_source.html", status, s=alone, problems=problems or {}, saved=status == 200)
    flows = {one.record.id: one.flows for one in found}
    latest = [
        shown_notice(
            notice, flows.get(notice.body.source_id or 0, ()), now, phones=visitor(request).may(Permission.PHONES)
        )
        for notice in await bodies.notices(runtime, [one.record for one in found])
    ]
    return page(
        request,
        "settings/payments.html",
        status,
        sources=shown,
        notices=latest,
        strays=(await unmatched.queue(runtime)).waiting,
        problems=problems or {},
        saved=False,
    )


@post(f"{PLACE}/{{number:int}}/events", permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def assign(request: AppRequest, number: FromPath[int]) -> Response[str] | Redirect:
    """What one outcome of a source becomes; 409 where somebody else chose otherwise first."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    record = await SOURCES.by_id(runtime, number)
    outcome, event, alone = form.get("outcome", ""), form.get("value", ""), wants_fragment(request)
    if outcome not in EVENTS:
        raise NotFound("outcome", outcome)
    only, now = number if alone else 0, record.events[outcome]
    if form.get("seen", now) not in (now, event) and event != now:
        words = sentence(Refused("chosen_otherwise", event=now))
        return await _listed(request, 409, problems={(number, outcome): words}, only=only)
    if event != now:
        # The usual event is not written down: should the usual change, the source follows.
        value = "" if event == EVENTS[outcome] else event
        try:
            actor = visitor(request).actor
            await SOURCES.change(runtime, number, actor, values={f"{EVENT_PREFIX}{outcome}": value})
        except Refused as error:
            return await _listed(request, 422, problems={(number, outcome): sentence(error)}, only=only)
    return await _listed(request, only=only) if alone else go(f"{PLACE}#source-{number}")


@get(f"{PLACE}/new", permission=Permission.ADMINISTER, include_in_schema=False)
async def blank(request: AppRequest, platform: FromQuery[str] = "") -> Response[str]:
    """Which platform; then the form with its keys."""
    names = [name for name, _ in platforms()]
    if platform not in names:
        known = [(platform_name(name), name) for name in names]
        return page(request, "settings/platforms.html", platforms=known)
    return await _blank(request, platform)


async def _blank(
    request: AppRequest,
    platform: str,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
) -> Response[str]:
    flows = await flow_choices(request)
    form = a_form(PLACE, _keys(platform), flows, flow=usual_flow(flows), platform=platform, typed=typed,
                problem=problem)  # fmt: skip
    name = platform_name(platform)
    return page(request, "settings/payment_new.html", status, form=form, platform=platform, platform_name=name)


def _keys(platform: str) -> Keys:
    """The keys of a platform itself; what outcomes become is chosen on the page of all sources."""
    keys = SOURCES.keys(platform)
    return Keys(tuple(key for key in keys.settings if not key.startswith(EVENT_PREFIX)), keys.secrets, keys.prefixes)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def add(request: AppRequest) -> Response[str] | Redirect:
    """A new source; then its own page, which shows the address for the platform."""
    typed = await forms.fields(request)
    platform = typed.get("platform", "")
    if platform not in dict(platforms()):
        raise NotFound("payment platform", platform)
    made = await connection_edits.add(request, SOURCES, platform, _keys(platform), typed)
    if isinstance(made, Wrong):
        return await _blank(request, platform, 422, typed, made.problem)
    return go(f"{PLACE}/{made.id}", done="added")


@get(f"{PLACE}/{{number:int}}", permission=Permission.ADMINISTER, include_in_schema=False)
async def source(request: AppRequest, number: FromPath[int], done: FromQuery[str] = "") -> Response[str]:
    """One source: its address, its keys, how to take it out of use."""
    return await _source(request, await SOURCES.by_id(request.app.state.runtime, number), done=done)


async def _source(
    request: AppRequest,
    record: SourceRecord,
    status: int = 200,
    *,
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
    done: str = "",
) -> Response[str]:
    form = a_form(
        f"{PLACE}/{record.id}",
        _keys(record.config.platform),
        await flow_choices(request),
        name=record.config.name,
        flow=record.flow,
        settings=record.config.settings,
        kept=frozenset(record.config.secrets),
        platform=record.config.platform,
        typed=typed,
        problem=problem,
    )
    return page(
        request,
        "settings/payment.html",
        status,
        name=record.config.name,
        platform_name=platform_name(record.config.platform),
        address_value=f"{site_of(request)}/hooks/pay/{record.token}",
        form=form,
        done=done,
    )


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
    record = await SOURCES.by_id(request.app.state.runtime, number)
    wrong = await connection_edits.change(request, SOURCES, record, _keys(record.config.platform), typed)
    if wrong is not None:
        return await _source(request, record, 422, typed=typed, problem=wrong.problem)
    return go(f"{PLACE}/{number}", done="changed")


@get(f"{PLACE}/{{number:int}}/remove", permission=Permission.ADMINISTER, include_in_schema=False)
async def farewell(request: AppRequest, number: FromPath[int]) -> Response[str]:
    """What taking a source out of use would mean, before it is done."""
    record = await SOURCES.by_id(request.app.state.runtime, number)
    name = record.config.name
    return page(request, "settings/remove.html", place=f"{PLACE}/{number}", name=name, what="source", waiting=0)


@post(
    f"{PLACE}/{{number:int}}/remove",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=303,
)
async def remove(request: AppRequest, number: FromPath[int]) -> Redirect:
    """Take one out of use."""
    await SOURCES.by_id(request.app.state.runtime, number)
    await SOURCES.remove(request.app.state.runtime, number, visitor(request).actor)
    return go(PLACE)
