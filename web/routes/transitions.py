"""Arrows of a draft and the messages that they send: the panel, one field at a time, a new one, taking one away."""

import json
from collections.abc import Mapping

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import GuardError, InvalidDocument, NotFound, Refused, Stale
from engine.services import edit
from web import forms
from web.desk import desk
from web.draft_answers import NEW_TRANSITION, chosen, collision, refused, saved, stale, why
from web.draft_edits import action_edit, new_transition, seen_value, transition_edit
from web.fields import Typed, entry
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.undo import bringing_back
from web.visitor import AppRequest, visitor

KEYS = {"from": "frm"}
"""The document's word to the field's key, where they differ."""


@get("/flows/{slug:str}/draft/transitions/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The form for a new arrow; `from` is where it begins."""
    form = {"frm": request.query_params["from"]} if "from" in request.query_params else {}
    made = await desk(request.app.state.runtime, slug, view=view, sel=NEW_TRANSITION, pictures=False)
    made, panel = chosen(made, form=form)
    return page(request, made.panel, desk=made, p=panel, oob=False)


@post("/flows/{slug:str}/draft/transitions", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def add(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A new arrow."""
    form = dict(await forms.fields(request))
    view, runtime = form.get("view", "diagram"), request.app.state.runtime
    before = await edit.opened(runtime, slug)
    try:
        opened = await edit.edit(runtime, slug, new_transition(form), actor=visitor(request).actor)
    except (Refused, InvalidDocument, GuardError) as error:
        kept = {**form, "frm": form.get("from", "")}
        return await refused(request, slug, NEW_TRANSITION, view, Typed("new", (), why(error)), kept)
    made = next((ident for ident in opened.flow.arrows if ident not in before.flow.arrows), "")
    return await saved(request, slug, f"t:{made}", view, opened)


@get("/flows/{slug:str}/draft/transitions/{ident:str}", permission=Permission.VIEW, include_in_schema=False)
async def panel(
    request: AppRequest, slug: FromPath[str], ident: FromPath[str], view: FromQuery[str] = "diagram"
) -> Response[str]:
    """The panel of an arrow."""
    made, shown = chosen(await desk(request.app.state.runtime, slug, view=view, sel=f"t:{ident}", pictures=False))
    return page(request, made.panel, desk=made, p=shown, oob=False)


@route(
    "/flows/{slug:str}/draft/transitions/{ident:str}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Change one field: 200 with everything that changed, 422 with the field's message, 409 with both values."""
    form = await forms.fields(request)
    field, values = form.get("field", ""), await forms.several(request, "value")
    return await _changed(request, slug, f"t:{ident}", transition_edit(ident, field, values), values, form)


@route(
    "/flows/{slug:str}/draft/actions/{name:str}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change_action(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Change the text of a message; every arrow that sends it says the new words."""
    form = await forms.fields(request)
    values, sel = await forms.several(request, "value"), form.get("sel", "")
    raw = entry((await edit.opened(request.app.state.runtime, slug)).tree, "actions", name)
    if not raw:
        raise NotFound("action", name)
    try:
        wanted = action_edit(name, form.get("field", "text"), values, raw)
    except Refused as error:
        key = f"text-{name}"
        return await refused(request, slug, sel, form.get("view", "diagram"), Typed(key, values, why(error)))
    return await _changed(request, slug, sel, wanted, values, form)


async def _changed(
    request: AppRequest,
    slug: str,
    sel: str,
    wanted: Mapping[str, object],
    values: tuple[str, ...],
    form: Mapping[str, str],
) -> Response[str] | Redirect:
    view, field = form.get("view", "diagram"), str(wanted["field"])
    key = f"text-{wanted['id']}" if wanted["op"] == "set_action" else KEYS.get(field, field)
    try:
        opened = await edit.edit(
            request.app.state.runtime,
            slug,
            {**wanted, "seen": seen_value(form.get("seen"))},
            actor=visitor(request).actor,
            revision=forms.whole(form.get("revision")),
        )
    except (Refused, InvalidDocument, GuardError) as error:
        return await refused(request, slug, sel, view, Typed(key, values, why(error)))
    except Stale as error:
        return await stale(request, slug, sel, view, collision(error, request.url.path, field, values))
    return await saved(request, slug, sel, view, opened)


@post(
    "/flows/{slug:str}/draft/transitions/{ident:str}/delete",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def delete(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Take an arrow away; a toast offers to bring it back."""
    form = await forms.fields(request)
    runtime, view = request.app.state.runtime, form.get("view", "diagram")
    before = await edit.opened(runtime, slug)
    removal = {"op": "delete_transition", "id": ident}
    seen = forms.whole(form.get("revision"))
    opened = await edit.edit(runtime, slug, removal, actor=visitor(request).actor, revision=seen)
    arrow = before.flow.arrows.get(ident)
    toast: dict[str, object] = {
        "text": gettext("Transition deleted."),
        "undo": json.dumps(bringing_back(before.tree, opened.tree), ensure_ascii=False),
        "sel": f"t:{ident}",
    }
    return await saved(request, slug, f"s:{arrow.frm}" if arrow and arrow.frm else "", view, opened, toast=toast)
