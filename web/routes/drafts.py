"""The editor's page, its drawing, its empty panel, and repairs that a finding offers."""

import json

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import NotFound
from engine.services import edit, first_steps, publish
from engine.services.scenarios.from_path import scenario_of
from web import forms
from web.desk import desk
from web.draft_answers import PROBLEM, saved, show
from web.draft_edits import fixed
from web.findings import key_of
from web.lens import lens
from web.pages import page
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/draft", permission=Permission.VIEW, include_in_schema=False)
async def draft(
    request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram", sel: FromQuery[str] = ""
) -> Response[str]:
    """The editor with what `sel` names: `s:STATE`, `t:transition`, `r:number` of a rule, `c:STATE:event`, `new:…`."""
    if (account := visitor(request).account) is not None:
        await first_steps.opened(request.app.state.runtime, account.id)
    form = {name: request.query_params[name] for name in ("from", "on", "to", "form") if name in request.query_params}
    return await show(request, slug, sel, view, form=form)


@get("/flows/{slug:str}/draft/nothing", permission=Permission.VIEW, include_in_schema=False)
async def nothing(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The panel when nothing is selected."""
    return await show(request, slug, "", view, alone=True)


@get("/flows/{slug:str}/draft/proofs", permission=Permission.VIEW, include_in_schema=False)
async def proofs(
    request: AppRequest,
    slug: FromPath[str],
    view: FromQuery[str] = "diagram",
    sel: FromQuery[str] = "",
    seen: FromQuery[int] = -1,
) -> Response[str]:
    """How far the proofs are, 204 when no further than `seen`; once they are made, what they say."""
    who = visitor(request).actor.who
    made = await desk(request.app.state.runtime, slug, view=view, sel=sel, who=who, lens=lens(request))
    if made.going is not None and made.going[0] == seen:
        return Response("", status_code=204, media_type="text/html")
    return page(request, "draft/_proofs.html", desk=made, oob=True)


@get("/flows/{slug:str}/draft/problems/{key:str}/scenario.json", permission=Permission.VIEW, include_in_schema=False)
async def scenario(request: AppRequest, slug: FromPath[str], key: FromPath[str]) -> Response[str]:
    """The path of a problem as a file for `trilho scenario`: the real engine goes the same way. Raises Refused."""
    runtime = request.app.state.runtime
    opened, review = await edit.opened(runtime, slug), await publish.review(runtime, slug)
    found = next((finding for finding in review.findings if key_of(finding) == key), None)
    if found is None:
        raise NotFound("problem", key)
    text = json.dumps(scenario_of(opened.tree, found), ensure_ascii=False, indent=1) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{found.code}.json"'}
    return Response(text, media_type="application/json", headers=headers)


@get("/flows/{slug:str}/draft/problems/{key:str}", permission=Permission.VIEW, include_in_schema=False)
async def problem(
    request: AppRequest, slug: FromPath[str], key: FromPath[str], view: FromQuery[str] = "diagram"
) -> Response[str]:
    """The panel of a problem, and the drawing with what it is about marked."""
    return await show(request, slug, f"{PROBLEM}:{key}", view, alone=True)


@post("/flows/{slug:str}/draft/fixes", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def repair(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Make the edits that a finding offered; all or none."""
    form = await forms.fields(request)
    opened = await edit.edit_all(
        request.app.state.runtime,
        slug,
        fixed(form.get("fix", "")),
        actor=visitor(request).actor,
        revision=forms.whole(form.get("revision")),
    )
    return await saved(request, slug, form.get("sel", ""), form.get("view", "diagram"), opened)
