"""States of a draft: the panel, one field at a time, a new one, taking one away."""

import json

from litestar import get, post, route
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, Refused, Stale
from engine.services import edit
from web import forms
from web.desk import desk
from web.draft_answers import NEW_STATE, chosen, collision, refused, saved, stale, why
from web.draft_edits import new_state, seen_value, state_edit
from web.fields import Typed, entry
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.undo import bringing_back
from web.visitor import AppRequest, visitor


@get("/flows/{slug:str}/draft/states/new", permission=Permission.EDIT, include_in_schema=False)
async def blank(request: AppRequest, slug: FromPath[str], view: FromQuery[str] = "diagram") -> Response[str]:
    """The form for a new state."""
    made, panel = chosen(await desk(request.app.state.runtime, slug, view=view, sel=NEW_STATE, pictures=False))
    return page(request, made.panel, desk=made, p=panel, oob=False)


@post("/flows/{slug:str}/draft/states", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def add(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """A new state."""
    form = dict(await forms.fields(request))
    view = form.get("view", "diagram")
    try:
        change = new_state(form)
        opened = await edit.edit(request.app.state.runtime, slug, change, actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, NEW_STATE, view, Typed("new", (), why(error)), form)
    return await saved(request, slug, f"s:{change['id']}", view, opened)


@get("/flows/{slug:str}/draft/states/{name:str}", permission=Permission.VIEW, include_in_schema=False)
async def panel(
    request: AppRequest, slug: FromPath[str], name: FromPath[str], view: FromQuery[str] = "diagram"
) -> Response[str]:
    """The panel of a state."""
    made, shown = chosen(await desk(request.app.state.runtime, slug, view=view, sel=f"s:{name}", pictures=False))
    return page(request, made.panel, desk=made, p=shown, oob=False)


@route(
    "/flows/{slug:str}/draft/states/{name:str}",
    http_method=["PATCH", "POST"],
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Change one field: 200 with everything that changed, 422 with the field's message, 409 with both values."""
    form = await forms.fields(request)
    field, view, values = form.get("field", ""), form.get("view", "diagram"), await forms.several(request, "value")
    runtime, sel = request.app.state.runtime, f"s:{name}"
    raw = entry((await edit.opened(runtime, slug)).tree, "states", name)
    try:
        wanted = {**state_edit(name, field, values, raw), "seen": seen_value(form.get("seen"))}
        opened = await edit.edit(
            runtime, slug, wanted, actor=visitor(request).actor, revision=forms.whole(form.get("revision"))
        )
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, sel, view, Typed(field, values, why(error)))
    except Stale as error:
        return await stale(request, slug, sel, view, collision(error, request.url.path, field, values))
    renamed = str(wanted["name"]) if wanted["op"] == "rename_state" else name
    return await saved(request, slug, f"s:{renamed}", view, opened)


@post(
    "/flows/{slug:str}/draft/states/{name:str}/delete",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def delete(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Take a state away with its arrows; a toast offers to bring all of it back."""
    form = await forms.fields(request)
    runtime, view = request.app.state.runtime, form.get("view", "diagram")
    before = await edit.opened(runtime, slug)
    removal = {"op": "delete_state", "id": name}
    seen = forms.whole(form.get("revision"))
    try:
        opened = await edit.edit(runtime, slug, removal, actor=visitor(request).actor, revision=seen)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, f"s:{name}", view, Typed("name", (name,), why(error)))
    toast: dict[str, object] = {
        "text": gettext("State %(name)s deleted.") % {"name": name},
        "undo": json.dumps(bringing_back(before.tree, opened.tree), ensure_ascii=False),
        "sel": f"s:{name}",
    }
    return await saved(request, slug, "", view, opened, toast=toast)
