"""Tags of people, given and taken away: on a page for one or several cards of the desk, and in a conversation's panel."""

from collections.abc import Sequence

from litestar import get, post
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import tags
from engine.services.tags import Tagged
from web import forms
from web.desk_words import called
from web.pages import go, local_path, page, wants_fragment
from web.permissions import Permission
from web.refusals import sentence
from web.routes.conversations import Number
from web.visitor import AppRequest, visitor

MOST = 100
"""People at once."""


@get("/live/tags", permission=Permission.CONVERSE, include_in_schema=False)
async def look(request: AppRequest) -> Response[str]:
    """The people of the conversations `c`, their tags, and the forms that change them."""
    given = request.query_params.dict().get("c", [])
    there = await _people(request, [str(one) for one in given])
    return _page(request, there, str(request.query_params.get("back") or ""))


@post("/live/tags", permission=Permission.CONVERSE, include_in_schema=False, status_code=200)
async def change(request: AppRequest) -> Response[str] | Redirect:
    """Give all of them a tag or take one away; then the same forms, or without htmx the page that it began on."""
    form = await forms.fields(request)
    there = await _people(request, await forms.several(request, "c"))
    ids, back, problem = [one.conversation_id for one in there], form.get("back", ""), ""
    try:
        await _changed(request, ids)
    except Refused as refusal:
        problem = sentence(refusal)
    if not problem and not wants_fragment(request):
        return go(local_path(back, "/live"))
    there = await tags.of(request.app.state.runtime, ids)
    return _page(request, there, back, 422 if problem else 200, problem, form.get("add", "") if problem else "")


@post("/conversations/{number:int}/tags", permission=Permission.CONVERSE, include_in_schema=False, status_code=303)
async def change_one(request: AppRequest, number: Number) -> Redirect:
    """The same from the panel of a conversation."""
    await _changed(request, [number])
    return go(f"/conversations/{number}", tab="data")


async def _changed(request: AppRequest, ids: Sequence[int]) -> None:
    form = await forms.fields(request)
    await tags.change(
        request.app.state.runtime,
        ids,
        visitor(request).actor,
        add=form.get("add", ""),
        colour=forms.whole(form.get("colour", "")),
        remove=form.get("remove", ""),
    )


async def _people(request: AppRequest, given: Sequence[str]) -> tuple[Tagged, ...]:
    ids = [number for one in given if (number := forms.whole(one)) is not None and number < 2**53]
    if not ids or len(ids) > MOST:
        raise NotFound("conversation", ", ".join(given)[:100])
    return await tags.of(request.app.state.runtime, list(dict.fromkeys(ids)))


def _page(
    request: AppRequest, there: Sequence[Tagged], back: str, status: int = 200, problem: str = "", text: str = ""
) -> Response[str]:
    phones = visitor(request).may(Permission.PHONES)
    return page(
        request,
        "live/_tagging.html" if wants_fragment(request) else "live/tagging.html",
        status,
        people=[(one.conversation_id, called(one.name, one.phone, whole=phones)) for one in there],
        tags=sorted({tag for one in there for tag in one.tags}),
        onward=local_path(back, f"/live?flow={there[0].flow}"),
        problem=problem,
        text=text,
    )
