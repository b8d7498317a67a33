"""Notices that were not taken in as they should: listed with the reason, looked into, processed again."""

from urllib.parse import urlencode

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import bodies
from engine.services.bodies import PAGE, VERDICTS
from engine.services.replay_body import replay
from web.body_pages import listed_body, looked_into
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/settings/webhooks"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(
    request: AppRequest, verdict: FromQuery[str] = "", door: FromQuery[str] = "", before: FromQuery[str] = ""
) -> Response[str]:
    """Those to look at, the newest first; `door` is channel:3 or source:2."""
    runtime = request.app.state.runtime
    known = await bodies.doors(runtime)
    chosen = next((one for one in known if f"{one[0]}:{one[1]}" == door), None)
    verdict = verdict if verdict in VERDICTS else ""
    found = await bodies.to_review(runtime, verdict=verdict or None, door=chosen, before=before or None)
    door = door if chosen else ""
    kept = [(name, value) for name, value in (("verdict", verdict), ("door", door)) if value]
    more = urlencode([*kept, ("before", found[-1].id)]) if len(found) == PAGE else ""
    return page(
        request,
        "settings/webhooks.html",
        rows=[listed_body(body, known, runtime.clock.now()) for body in found],
        doors=[(f"{sort}:{number}", config.name) for (sort, number), config in known.items()],
        more=more,
        verdict=verdict,
        door=door,
    )


@get(f"{PLACE}/{{ident:str}}", permission=Permission.ADMINISTER, include_in_schema=False)
async def body(request: AppRequest, ident: FromPath[str], done: FromQuery[str] = "") -> Response[str]:
    """One: what is in it, what became of each thing, the body itself."""
    return await _body(request, ident, done=done)


async def _body(
    request: AppRequest, ident: str, status: int = 200, *, problem: str = "", done: str = ""
) -> Response[str]:
    seen = await bodies.looked_into(request.app.state.runtime, ident)
    shown = looked_into(seen, phones=visitor(request).may(Permission.PHONES))
    return page(request, "settings/webhook.html", status, b=shown, problem=problem, done=done)


@post(f"{PLACE}/{{ident:str}}/replay", permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def again(request: AppRequest, ident: FromPath[str]) -> Response[str] | Redirect:
    """Process one again; what was processed before stays as it is."""
    try:
        done = await replay(request.app.state.runtime, ident, visitor(request).actor)
    except Refused as error:
        return await _body(request, ident, 422, problem=sentence(error))
    told = "already" if done.before == "parsed" else done.verdict
    return go(f"{PLACE}/{ident}", done=told)
