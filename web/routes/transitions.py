"""Arrows of a draft and the messages that they send: the panel, one field at a time, a new one, taking one away."""

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import GuardError, InvalidDocument, NotFound, Refused
from engine.services import edit
from web import forms
from web.condition_rows import condition_of
from web.draft_answers import NEW_TRANSITION, refused, saved, show, why
from web.draft_changes import changed, removed
from web.draft_edits import new_transition, transition_edit
from web.fields import Typed
from web.i18n import gettext
from web.permissions import Permission
from web.visitor import AppRequest, visitor

KEYS = {"from": "frm"}
"""The document's word to the field's key, where they differ."""


@get("/flows/{slug:str}/draft/transitions/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The form for a new arrow; `from` is where it begins, `to` where it leads, `on` the event."""
    form = {name: request.query_params[name] for name in ("from", "on", "to") if name in request.query_params}
    return await show(request, slug, NEW_TRANSITION, view, form=form, alone=True)


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
    return await show(request, slug, f"t:{ident}", view, alone=True)


@route(
    "/flows/{slug:str}/draft/transitions/{ident:str}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Change one field of an arrow; its condition comes as text or as rows."""
    form, sel = await forms.fields(request), f"t:{ident}"
    field = form.get("field", "")
    if field == "when" and "left" in form:
        return await _by_rows(request, slug, ident, form.get("view", "diagram"))
    key = KEYS.get(field, field)
    return await changed(request, slug, sel, field, lambda values: transition_edit(ident, field, values), key=key)


async def _by_rows(request: AppRequest, slug: str, ident: str, view: str) -> Response[str] | Redirect:
    arrow = (opened := await edit.opened(request.app.state.runtime, slug)).flow.arrows.get(ident)
    if arrow is None:
        raise NotFound("transition", ident)
    columns = [await forms.several(request, name) for name in ("left", "sign", "right")]
    given = list(zip(*columns, strict=False))
    try:
        text = condition_of(opened.flow, arrow.on, given)
    except Refused as error:
        typed = Typed("rows", tuple(part for row in given for part in row), why(error))
        return await refused(request, slug, f"t:{ident}", view, typed)
    return await changed(
        request, slug, f"t:{ident}", "when", lambda values: transition_edit(ident, "when", values), values=(text,)
    )


@post(
    "/flows/{slug:str}/draft/transitions/{ident:str}/delete",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def delete(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Take an arrow away."""
    removal = {"op": "delete_transition", "id": ident}
    return await removed(request, slug, f"t:{ident}", removal, gettext("Transition deleted."))
