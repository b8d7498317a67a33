"""Publishing a draft: the review of what would happen, and the act; the versions that were published."""

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core import sentences
from engine.core.diagram.graph import Drawing, natural
from engine.core.errors import NotFound
from engine.services import edit, publish
from web import forms, i18n
from web.desk import drawn
from web.pages import page
from web.permissions import Permission
from web.publish_deeds import done
from web.publish_pages import review_page
from web.publish_words import plan_from
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/publish", permission=Permission.VIEW, include_in_schema=False)
async def review(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """What publishing would do."""
    return await review_page(request, slug)


@post("/flows/{slug:str}/publish", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def act(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Publish; 422 with the review again when checks, note or people stand against it, 409 when the draft moved on."""
    form = await forms.fields(request)

    async def deed(note: str) -> str:
        number = await publish.publish(
            request.app.state.runtime,
            slug,
            note,
            visitor(request).actor,
            forms.whole(form.get("revision")),
            seen=forms.whole(form.get("live")),
            plan=plan_from(form),
        )
        return f"/flows/{slug}/versions/{number}"

    return await done(request, slug, form, deed)


@get("/flows/{slug:str}/versions", permission=Permission.VIEW, include_in_schema=False)
async def versions(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """Every published version, the newest first."""
    runtime = request.app.state.runtime
    there, found = await edit.opened(runtime, slug), await publish.review(runtime, slug)
    people: dict[int, int] = {}
    for row in found.standing:
        people[row.version] = people.get(row.version, 0) + row.people
    return page(
        request,
        "versions/list.html",
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        versions=await publish.publications(runtime, slug),
        live=found.live,
        people=people,
    )


@get("/flows/{slug:str}/versions/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def version(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str]:
    """One version as it was published: its drawing and its arrows as sentences. Nothing here can be changed."""
    runtime = request.app.state.runtime
    found = next((one for one in await publish.publications(runtime, slug) if one.number == number), None)
    if found is None:
        raise NotFound("version", f"{slug}@{number}")
    flow = await runtime.flow(slug, number)
    there = await edit.opened(runtime, slug)
    svg, _ = await drawn(flow, Drawing(language=i18n.current()), None)
    arrows = sorted(flow.arrows.values(), key=lambda t: natural(t.id))
    return page(
        request,
        "versions/version.html",
        slug=slug,
        title=flow.title.within(i18n.current()),
        v=found,
        live=there.draft.live,
        svg=svg,
        sentences=[sentences.transition_sentence(flow, t, i18n.current()) for t in arrows],
    )
