"""The figures of a flow: one page, each of its tables as a file, and a burst wait that goes from there into the draft."""

import json

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.durations import compact
from engine.core.errors import InvalidDocument, Refused, Stale
from engine.core.flow import SECOND, Millis
from engine.services import edit
from engine.services.analysis import Question, analyse
from web import forms
from web.analysis_bursts import LONGEST_WAIT
from web.analysis_pages import page_of, query
from web.analysis_tables import TABLES, as_csv, table
from web.draft_answers import why
from web.draft_edits import seen_value
from web.flow_choices import chosen_flow, flow_choices
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.visitor import AppRequest, visitor

PLACE = "/analytics"
MOST_VERSIONS = 50
"""Of which an address may ask at once."""


@get(PLACE, permission=Permission.VIEW, include_in_schema=False)
async def first(request: AppRequest) -> Response[str] | Redirect:
    """The figures of the usual flow."""
    slug = await chosen_flow(request, "")
    return page(request, "analysis/no_flow.html") if slug is None else go(f"{PLACE}/{slug}")


@get(f"{PLACE}/{{slug:str}}", permission=Permission.VIEW, include_in_schema=False)
async def analysis(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """The whole page, or with `format=csv` one table of it."""
    if request.query_params.get("format") == "csv":
        return await _file(request, slug)
    return await _page(request, slug)


@post(f"{PLACE}/{{slug:str}}/wait", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def wait(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Put the wait that was tried into the draft; 422 where the draft cannot have it, 409 where somebody was first."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    tried = _wait(form.get("wait", ""))
    asked = _question({name: [form.get(name, "")] for name in ("range", "versions", "branch", "wait")})
    if tried is None:
        told = why(Refused("not_a_time", text=form.get("wait", "")))
        return await _page(request, slug, 422, asked=asked, problem=told)
    try:
        ceiling = max(tried, (await edit.opened(runtime, slug)).flow.debounce.ceiling)
        value = {"quiet": compact(tried), "ceiling": compact(ceiling)}
        change = {"op": "set_debounce", "value": value, "seen": seen_value(form.get("seen"))}
        await edit.edit(runtime, slug, change, actor=visitor(request).actor, revision=forms.whole(form.get("revision")))
    except (Refused, InvalidDocument) as error:
        return await _page(request, slug, 422, asked=asked, problem=why(error))
    except Stale:
        told = gettext("Somebody changed the burst wait of the draft meanwhile. Look at it and try again.")
        return await _page(request, slug, 409, asked=asked, problem=told)
    return go(f"{PLACE}/{slug}?{query(asked, saved='1')}#bursts")


async def _page(
    request: AppRequest, slug: str, status: int = 200, *, asked: Question | None = None, problem: str = ""
) -> Response[str]:
    runtime = request.app.state.runtime
    report = await analyse(runtime, slug, _asked(request) if asked is None else asked)
    opened = await edit.opened(runtime, slug)
    return page(
        request,
        "analysis/page.html",
        status,
        p=page_of(report),
        flows=await flow_choices(request),
        draft_wait=opened.flow.debounce,
        seen=json.dumps(opened.tree.get("debounce"), ensure_ascii=False),
        revision=opened.revision,
        problem=problem,
        saved=request.query_params.get("saved") == "1" and not problem,
    )


async def _file(request: AppRequest, slug: str) -> Response[str]:
    name = request.query_params.get("table", "funnel")
    name = name if name in TABLES else "funnel"
    report = await analyse(request.app.state.runtime, slug, _asked(request))
    made = table(report, name)
    days = f"{report.span.first:%Y%m%d}-{report.span.last:%Y%m%d}"
    headers = {"Content-Disposition": f'attachment; filename="{report.draft.slug}-{name}-{days}.csv"'}
    return Response(as_csv(made), media_type="text/csv", headers=headers)


def _asked(request: AppRequest) -> Question:
    return _question({name: request.query_params.getall(name, []) for name in request.query_params})


def _question(given: dict[str, list[str]]) -> Question:
    """From an address, which may say the days of a range apart and each version by itself; what makes no sense is left
    out.
    """

    def said(name: str) -> str:
        return (given.get(name) or [""])[-1]

    days = f"{said('from')}..{said('to')}" if said("from") and said("to") else said("range")
    numbers = [part for text in given.get("versions", []) for part in text.split(",")][:MOST_VERSIONS]
    return Question(
        range=days,
        versions=frozenset(number for part in numbers if (number := forms.whole(part.strip())) is not None),
        branch=said("branch"),
        wait=_wait(said("wait")),
    )


def _wait(text: str) -> Millis | None:
    seconds = forms.whole(text)
    return None if seconds is None or not 1 <= seconds <= LONGEST_WAIT else seconds * SECOND
