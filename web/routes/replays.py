"""Last week's conversations decided again by the draft: begin, and see how far it is (R62)."""

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.services import edit, replay_jobs
from web import i18n
from web.pages import go, page, wants_fragment
from web.permissions import Permission
from web.replay_words import progress
from web.visitor import AppRequest, visitor


@post("/flows/{slug:str}/publish/replay", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def begin(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Begin one, or find the one that goes on; answered at once, and it goes on whoever leaves."""
    job_id = await replay_jobs.begin(request.app.state.runtime, slug, visitor(request).actor)
    if not wants_fragment(request):
        return go(f"/flows/{slug}/publish/replay/{job_id}")
    return await _page(request, slug, job_id, "publish/_replay.html")


@get("/flows/{slug:str}/publish/replay/{job:str}", permission=Permission.VIEW, include_in_schema=False)
async def replay(
    request: AppRequest, slug: FromPath[str], job: FromPath[str], seen: FromQuery[int] = -1
) -> Response[str]:
    """How far it is, or what it found; for scripts 204 while it is no further than `seen`."""
    fragment = wants_fragment(request)
    found, stopped = await replay_jobs.job(request.app.state.runtime, slug, job)
    if fragment and found.status == "going" and found.done == seen and not stopped:
        return Response("", status_code=204, media_type="text/html")
    return await _page(request, slug, job, "publish/_replay.html" if fragment else "publish/replay.html")


async def _page(request: AppRequest, slug: str, job_id: str, template: str) -> Response[str]:
    runtime = request.app.state.runtime
    there, (found, stopped) = await edit.opened(runtime, slug), await replay_jobs.job(runtime, slug, job_id)
    rows = list(found.result.get("differences", ()))
    old = {number: await runtime.flow(slug, number) for number in {row["version"] for row in rows}}
    people = await replay_jobs.people(runtime, {row["conversation"] for row in rows})
    phones = visitor(request).may(Permission.PHONES)
    told = progress(found, there.flow, old, people, stopped=stopped, phones=phones)
    title = there.flow.title.within(i18n.current())
    return page(request, template, slug=slug, title=title, replay=told)
