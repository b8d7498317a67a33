"""The published versions: listed, opened, compared with each other or with the draft, brought back as the draft."""

import json

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core import sentences
from engine.core.diagram.graph import Drawing, natural
from engine.core.errors import NotFound, Refused, Stale
from engine.services import edit, publish, restore
from engine.store.flows import Publication
from web import forms, i18n
from web.change_words import rows
from web.comparing import compared, side
from web.desk import people_by_state
from web.diagram_view import drawn
from web.difference import BOTH, difference
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/versions", permission=Permission.VIEW, include_in_schema=False)
async def versions(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """Every published version, the newest first."""
    runtime = request.app.state.runtime
    there, found = await edit.opened(runtime, slug), await publish.review(runtime, slug, in_haste=True)
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
        changes=len(found.changes) if found.live is not None else None,
        people=people,
    )


@get("/flows/{slug:str}/versions/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def version(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str]:
    """One version as it was published: its drawing, its arrows as sentences, its document. Nothing can be changed."""
    runtime = request.app.state.runtime
    found = await _publication(request, slug, number)
    flow, there = await runtime.flow(slug, number), await edit.opened(runtime, slug)
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
        document=json.dumps(json.loads(await publish.shown(runtime, slug, number)), ensure_ascii=False, indent=1),
    )


async def _publication(request: AppRequest, slug: str, number: int) -> Publication:
    listed = await publish.publications(request.app.state.runtime, slug)
    found = next((one for one in listed if one.number == number), None)
    if found is None:
        raise NotFound("version", f"{slug}@{number}")
    return found


@get("/flows/{slug:str}/compare", permission=Permission.VIEW, include_in_schema=False)
async def compare(request: AppRequest, slug: FromPath[str], to: FromQuery[str] = "draft") -> Response[str]:
    """What differs from one version to another, or to the draft, and what happens differently."""
    runtime = request.app.state.runtime
    listed = await publish.publications(runtime, slug)
    there = await edit.opened(runtime, slug)
    frm = request.query_params.get("from") or (str(there.draft.live) if there.draft.live else "draft")
    old, new = await side(runtime, slug, frm), await side(runtime, slug, to)
    people = people_by_state(await publish.review(runtime, slug, in_haste=True))
    found, show = await compared(old, new, people), request.query_params.get("show", BOTH)
    return page(
        request,
        "versions/compare.html",
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        versions=listed,
        live=there.draft.live,
        old=old,
        new=new,
        people=people,
        changes=found.changes,
        behaviour=found.behaviour,
        before_name=old.name,
        after_name=new.name,
        show=show,
        svg=await difference(old.flow, new.flow, show),
    )


@get("/flows/{slug:str}/versions/{number:int}/restore", permission=Permission.EDIT, include_in_schema=False)
async def ask(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str]:
    """What bringing a version back as the draft would lose, before it is done."""
    return await _ask(request, slug, number, 200)


async def _ask(request: AppRequest, slug: str, number: int, status: int, problem: str = "") -> Response[str]:
    runtime = request.app.state.runtime
    found, there = await _publication(request, slug, number), await edit.opened(runtime, slug)
    live = None if there.draft.live is None else await runtime.flow(slug, there.draft.live)
    gone = await restore.lost(runtime, slug)
    return page(
        request,
        "versions/restore.html",
        status,
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        v=found,
        live=there.draft.live,
        revision=there.revision,
        same=found.sha256 == there.flow.sha256,
        changes=rows(live, there.flow, gone, {}),
        problem=problem,
    )


@post(
    "/flows/{slug:str}/versions/{number:int}/restore",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def bring_back(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str] | Redirect:
    """The draft becomes what the version said; 409 with the question again when the draft moved on meanwhile."""
    form = await forms.fields(request)
    revision = forms.whole(form.get("revision"))
    if revision is None:
        raise Refused("stale_fix")
    try:
        await restore.restore(request.app.state.runtime, slug, number, visitor(request).actor, revision)
    except Stale:
        words = gettext("The draft was changed while you were looking: see what would be lost now.")
        return await _ask(request, slug, number, 409, words)
    return go(f"/flows/{slug}/draft")
