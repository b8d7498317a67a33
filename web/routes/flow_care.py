"""A flow as a whole: its title, a copy of it, and whether it is archived. Nothing of it is ever deleted."""

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.services import archive, edit, new_flow
from web import forms, i18n
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.visitor import AppRequest, visitor

TITLE, COPY, ARCHIVE = "title", "duplicate", "archive"


@get("/flows/{slug:str}/manage", permission=Permission.EDIT, include_in_schema=False)
async def manage(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """Rename, duplicate, archive or bring back."""
    return await _page(request, slug, 200)


async def _page(
    request: AppRequest, slug: str, status: int, where: str = "", problem: str = "", typed: str = ""
) -> Response[str]:
    runtime = request.app.state.runtime
    opened = await edit.opened(runtime, slug)
    title = opened.flow.title.within(i18n.current())
    return page(
        request,
        "flows/manage.html",
        status,
        slug=slug,
        title=title,
        revision=opened.revision,
        archived=opened.draft.archived_at,
        live=opened.draft.live,
        inside=await archive.inside(runtime, slug),
        leads=await archive.leads(runtime, slug),
        problem={**dict.fromkeys((TITLE, COPY, ARCHIVE), ""), **({where: problem} if where else {})},
        typed={
            TITLE: title,
            COPY: gettext("Copy of %(title)s") % {"title": title},
            **({where: typed} if where else {}),
        },
    )


@post("/flows/{slug:str}/title", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def rename(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Another title, in the reader's language where the flow has one for each; the address stays. Raises Stale."""
    form = await forms.fields(request)
    typed, language = form.get("title", ""), i18n.current()
    runtime = request.app.state.runtime
    opened = await edit.opened(runtime, slug)
    before = opened.tree.get("title")
    try:
        title = new_flow.usable_title(typed)
    except Refused as refusal:
        return await _page(request, slug, 422, TITLE, sentence(refusal), typed)
    value: object = {**before, language: title} if isinstance(before, dict) else title
    change = {"op": "set_title", "value": value, "seen": before}
    await edit.edit(runtime, slug, change, actor=visitor(request).actor, revision=forms.whole(form.get("revision")))
    return go(f"/flows/{slug}/manage")


@post("/flows/{slug:str}/duplicate", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def duplicate(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A new flow with the same draft, opened in the editor."""
    form = await forms.fields(request)
    typed = form.get("title", "")
    try:
        made = await new_flow.copy(request.app.state.runtime, slug, typed, visitor(request).actor)
    except Refused as refusal:
        return await _page(request, slug, 422, COPY, sentence(refusal), typed)
    return go(f"/flows/{made}/draft")


@post("/flows/{slug:str}/archive", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def put_away(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Nobody new enters; 422 while a channel or a payment source still leads in."""
    try:
        await archive.archive(request.app.state.runtime, slug, visitor(request).actor)
    except Refused as refusal:
        return await _page(request, slug, 422, ARCHIVE, sentence(refusal))
    return go("/flows", tab="archived")


@post("/flows/{slug:str}/unarchive", permission=Permission.PUBLISH, include_in_schema=False, status_code=303)
async def bring_back(request: AppRequest, slug: FromPath[str]) -> Redirect:
    """As before it was archived."""
    await archive.bring_back(request.app.state.runtime, slug, visitor(request).actor)
    return go(
        "/flows", q="", tab="active" if (await edit.opened(request.app.state.runtime, slug)).draft.live else "drafts"
    )
