"""Templates of the platform: the list with what Meta says of each, bringing it up to date, handing in a new one."""

from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import template_uses, templates
from web import forms
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.template_pages import form_of, proposal_of, shown_template
from web.visitor import AppRequest, visitor

PLACE = "/settings/templates"


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def listed(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """All templates, those in trouble first."""
    return await _listed(request, done=done)


async def _listed(request: AppRequest, status: int = 200, *, done: str = "", problem: str = "") -> Response[str]:
    runtime = request.app.state.runtime
    records, known = await templates.channels_with_templates(runtime), await templates.everything(runtime)
    uses, now = await template_uses.uses(runtime), runtime.clock.now()
    names = {record.id: record.config.name for record in records}
    shown = [
        shown_template(
            one, names.get(one.channel_id, ""), now, uses.get((one.template.name, one.template.language), ())
        )
        for one in known
    ]
    rank = {"err": 0, "warn": 1, "info": 2, "ok": 3}
    return page(
        request,
        "settings/templates.html",
        status,
        channels=[(record.id, record.config.name, bool(record.config.settings.get("waba_id"))) for record in records],
        templates=sorted(shown, key=lambda t: (rank.get(t.chip[0], 4), t.name)),
        missing=await template_uses.missing(runtime, known),
        done=done,
        problem=problem,
    )


@post(f"{PLACE}/sync", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def sync(request: AppRequest) -> Response[str] | Redirect:
    """Ask the platform now."""
    runtime, number = request.app.state.runtime, forms.whole((await forms.fields(request)).get("channel"))
    if number is None:
        raise NotFound("channel", "")
    try:
        await templates.sync(runtime, number, visitor(request).actor)
    except Refused as refusal:
        return await _listed(request, 422, problem=sentence(refusal))
    return go(PLACE, done="synced")


@get(f"{PLACE}/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest) -> Response[str]:
    """The form of a new one."""
    form = form_of(await templates.channels_with_templates(request.app.state.runtime))
    return page(request, "settings/template_new.html", form=form)


@post(PLACE, permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def propose(request: AppRequest) -> Response[str] | Redirect:
    """Hand a new one in."""
    runtime, typed = request.app.state.runtime, await forms.fields(request)
    channel, proposal = forms.whole(typed.get("channel")), proposal_of(typed)
    try:
        made = await templates.propose(runtime, channel or 0, proposal, visitor(request).actor)
    except Refused as refusal:
        wrong = _wrong(refusal)
        form = form_of(
            await templates.channels_with_templates(runtime), typed, wrong, "" if wrong else sentence(refusal)
        )
        return page(request, "settings/template_new.html", 422, form=form)
    return go(f"{PLACE}/{channel}/{made.name}/{made.language}", done="proposed")


def _wrong(refusal: Refused) -> Mapping[str, str]:
    """Field to sentence, of a proposal that we refuse ourselves."""
    if refusal.code == "template_there":
        return {"name": sentence(refusal)}
    found = refusal.facts.get("problems") if refusal.code == "template_unusable" else ()
    pairs = found if isinstance(found, tuple) else ()
    return {str(name): sentence(Refused(str(code))) for name, code in reversed(pairs)}


@get(f"{PLACE}/{{number:int}}/{{name:str}}/{{tongue:str}}", permission=Permission.VIEW, include_in_schema=False)
async def template(
    request: AppRequest, number: FromPath[int], name: FromPath[str], tongue: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    """One template as a customer reads it, with all that is known of it."""
    runtime = request.app.state.runtime
    known = await templates.one(runtime, number, name, tongue)
    names = {record.id: record.config.name for record in await templates.channels_with_templates(runtime)}
    uses = await template_uses.uses(runtime)
    shown = shown_template(known, names.get(number, ""), runtime.clock.now(), uses.get((name, tongue), ()))
    return page(request, "settings/template.html", t=shown, done=done)
