"""The search over conversations: names, telephone numbers, what was said."""

from litestar import get
from litestar.params import FromQuery
from litestar.response import Response

from engine.services import find_talks
from engine.services.find_talks import Result
from web.desk_words import called, moment_of, phoned
from web.found_words import where_words
from web.pages import page
from web.permissions import Permission
from web.visitor import AppRequest, visitor

LONGEST = 200


@get("/conversations", permission=Permission.VIEW, include_in_schema=False)
async def found(request: AppRequest, q: FromQuery[str] = "") -> Response[str]:
    """What fits `q`, each with where it was found."""
    runtime, phones = request.app.state.runtime, visitor(request).may(Permission.PHONES)
    words = q.replace("\0", "").strip()[:LONGEST]
    results = await find_talks.find(runtime, words, phones=phones)
    now = runtime.clock.now()
    return page(
        request,
        "live/found.html",
        words=words,
        phones=phones,
        results=[(one, _name(one, phones=phones), moment_of(one.active_at, now)) for one in results],
        where_words=where_words,
        phoned=lambda phone: phoned(phone, whole=phones),
        full=len(results) >= find_talks.MOST,
    )


def _name(one: Result, *, phones: bool) -> str:
    return called(one.name, one.phone, whole=phones)
