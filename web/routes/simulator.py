"""The simulator: a flow is talked to as a customer would, on a clock of its own; nothing is sent to anybody."""

from collections.abc import Callable
from typing import Annotated, TypeAlias

from litestar import get, post
from litestar.params import FromPath, FromQuery, PathParameter
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused, Stale
from engine.services import publish, saved_tests
from engine.services.simulator import runs
from engine.services.simulator.runs import Run
from engine.services.simulator.steps import Step
from web import forms
from web.findings import key_of
from web.i18n import gettext
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.refusals import sentence
from web.sim_forms import clock_step, event_step, message_step
from web.sim_pages import sim_page
from web.sim_tests import start_page
from web.visitor import AppRequest, visitor

Number: TypeAlias = Annotated[int, PathParameter(ge=1, le=2**53)]
"""No database holds a larger one."""
Made: TypeAlias = Callable[[Run], Step]
"""Makes the step that a form asks for. Raises Refused."""
PLACE = "/flows/{slug:str}/simulator"
RUN = f"{PLACE}/{{number:int}}"


def step(deed: str) -> post:
    """The head of a route that does something in a run: with scripts it answers with the run, without them it goes there."""
    return post(f"{RUN}/{deed}", permission=Permission.EDIT, include_in_schema=False, status_code=200)


@get(PLACE, permission=Permission.EDIT, include_in_schema=False)
async def start(request: AppRequest, slug: FromPath[str], test: FromQuery[str] = "") -> Response[str]:
    """Where a run begins; the runs that there are, and the saved tests, played with `test` (`all`, or the number of one)."""
    return page(
        request, "simulator/start.html", s=await start_page(request.app.state.runtime, slug, visitor(request), test)
    )


@post(PLACE, permission=Permission.EDIT, include_in_schema=False, status_code=303)
async def begin(request: AppRequest, slug: FromPath[str]) -> Redirect:
    """A new run of the draft, of a `version`, or along the way of a `finding`."""
    form, runtime, actor = await forms.fields(request), request.app.state.runtime, visitor(request).actor
    if key := form.get("finding"):
        review = await publish.review(runtime, slug)
        found = next((finding for finding in review.findings if key_of(finding) == key), None)
        if found is None:
            raise NotFound("problem", key)
        made = await runs.start_at(runtime, slug, actor, review.revision, found)
    else:
        made = await runs.start(runtime, slug, actor, forms.whole(form.get("version")))
    return go(f"/flows/{slug}/simulator/{made}")


@get(RUN, permission=Permission.EDIT, include_in_schema=False)
async def show(
    request: AppRequest, slug: FromPath[str], number: Number, at: FromQuery[str] = "", saved: FromQuery[str] = ""
) -> Response[str]:
    """A run, or how it stood after its first `at` steps."""
    there = await _opened(request, slug, number)
    return await _shown(request, there, forms.whole(at), saved=saved[:80])


@step("message")
async def message(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """The customer writes, or taps a button."""
    form = await forms.fields(request)
    return await _act(request, await _opened(request, slug, number), lambda _: message_step(form))


@step("event")
async def event(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """A payment, an event, a repetition, a crash, or the customer is somebody else."""
    form = await forms.fields(request)
    return await _act(request, await _opened(request, slug, number), lambda there: event_step(there.flow, form))


@step("clock")
async def clock(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Time passes."""
    form = await forms.fields(request)
    return await _act(request, await _opened(request, slug, number), lambda _: clock_step(form))


@step("back")
async def back(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """One step back."""
    there, form = await _opened(request, slug, number), await forms.fields(request)
    try:
        _require_seen(there, form.get("seen"))
        there = await runs.back(request.app.state.runtime, there, forms.whole(form.get("at")))
    except Stale:
        return await _stale(request, slug, number)
    return await _after(request, there)


@step("reset")
async def reset(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Begin again."""
    there = await _opened(request, slug, number)
    try:
        await runs.reset(request.app.state.runtime, there)
    except Stale:
        return await _stale(request, slug, number)
    return await _after(request, await _opened(request, slug, number))


@step("save-as-test")
async def save(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Keep the run as a test, as far as it is shown."""
    there, form = await _opened(request, slug, number), await forms.fields(request)
    at, name = forms.whole(form.get("at")), form.get("name", "")
    runtime = request.app.state.runtime
    try:
        came = await runs.played(there, at)
        await saved_tests.add(runtime, there, came, name, visitor(request).actor)
    except Refused as error:
        return await _shown(request, there, at, 422, problem=sentence(error), typed_name=name)
    if wants_fragment(request):
        return await _shown(request, there, at, saved=name)
    return go(f"/flows/{slug}/simulator/{number}", saved=name[:80])


async def _opened(request: AppRequest, slug: str, number: int) -> Run:
    return await runs.opened(request.app.state.runtime, slug, number, visitor(request).actor)


async def _act(request: AppRequest, there: Run, made: Made) -> Response[str] | Redirect:
    form = await forms.fields(request)
    at = forms.whole(form.get("at"))
    try:
        _require_seen(there, form.get("seen"))
        there = await runs.act(request.app.state.runtime, there, made(there), at)
    except Refused as error:
        return await _shown(request, there, at, 422, problem=sentence(error), typed=form.get("text", ""))
    except Stale:
        return await _stale(request, there.row.flow, there.row.id)
    return await _after(request, there)


def _require_seen(there: Run, seen: str | None) -> None:
    """Raise Stale when the form was of the run as it was before somebody went on with it, in another window maybe."""
    if seen and forms.whole(seen) != there.row.revision:
        raise Stale("simulation", seen, there.row.revision)


async def _stale(request: AppRequest, slug: str, number: int) -> Response[str]:
    words = gettext("The run went on in another window: this is how it stands now.")
    return await _shown(request, await _opened(request, slug, number), None, 409, problem=words)


async def _after(request: AppRequest, there: Run) -> Response[str] | Redirect:
    if not wants_fragment(request):
        return go(f"/flows/{there.row.flow}/simulator/{there.row.id}")
    return await _shown(request, there, None)


async def _shown(request: AppRequest, there: Run, at: int | None, status: int = 200, **more: str) -> Response[str]:
    shown = None if at is None or at >= len(there.steps) else at
    made = await sim_page(there, await runs.played(there, shown), shown, **more)
    alone = wants_fragment(request)
    response = page(request, "simulator/_sim.html" if alone else "simulator/run.html", status, s=made)
    if alone:
        response.headers["HX-Push-Url"] = made.base if shown is None else f"{made.base}?at={shown}"
    return response
