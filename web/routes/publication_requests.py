"""A publication that waits for a second person: approving it, saying no, taking it back."""

from typing import Annotated, TypeAlias

from litestar import post
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import four_eyes
from web import forms
from web.pages import go
from web.permissions import Fresh, Permission
from web.publish_deeds import done, place
from web.publish_pages import Typed, review_page
from web.refusals import sentence
from web.visitor import AppRequest, visitor

PLACE = "/flows/{slug:str}/publish/requests/{number:int}"
Number: TypeAlias = Annotated[int, PathParameter(le=2**53)]


@post(
    f"{PLACE}/approve",
    permission=Permission.PUBLISH,
    fresh=Fresh.PUBLISHING,
    include_in_schema=False,
    status_code=200,
)
async def approve(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Publish what somebody else asked for; refused as publishing is, and to whoever asked."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    found = await four_eyes.request(runtime, slug, number)

    async def deed(_note: str) -> str:
        made = await four_eyes.approve(runtime, slug, number, visitor(request).actor)
        return f"/flows/{slug}/publish" if made is None else f"/flows/{slug}/versions/{made}"

    return await done(request, slug, {**form, "note": found.note}, deed, source=found.source)


@post(f"{PLACE}/refuse", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def turn_down(request: AppRequest, slug: FromPath[str], number: Number) -> Response[str] | Redirect:
    """Say no, with a reason."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    found = await four_eyes.request(runtime, slug, number)
    reason = " ".join(form.get("reason", "").split())
    try:
        await four_eyes.turn_down(runtime, slug, number, visitor(request).actor, reason)
    except Refused as refused:
        return await review_page(request, slug, 422, source=found.source, typed=Typed(form, sentence(refused)))
    return go(place(slug, found.source))


@post(f"{PLACE}/withdraw", permission=Permission.PUBLISH, include_in_schema=False, status_code=303)
async def withdraw(request: AppRequest, slug: FromPath[str], number: Number) -> Redirect:
    """Nobody needs to look any more."""
    found = await four_eyes.request(request.app.state.runtime, slug, number)
    await four_eyes.withdraw(request.app.state.runtime, slug, number, visitor(request).actor)
    return go(place(slug, found.source))
