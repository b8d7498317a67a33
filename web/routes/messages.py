"""The messages that arrows of a draft send: their text, their pieces, and how they look while they are typed."""

from collections.abc import Mapping
from dataclasses import replace

from litestar import post, route
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core import edits
from engine.core.document import read
from engine.core.edits_tree import entry_of, rows_of
from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.core.flow import Send
from engine.services import edit
from web import forms
from web.desk import desk
from web.draft_answers import refused, saved, why
from web.draft_changes import changed
from web.draft_edits import Edit, action_edit, seen_value
from web.fields import Typed, entry
from web.i18n import gettext
from web.message_panel import message
from web.pages import page
from web.permissions import Permission
from web.piece_edits import deed, is_piece, piece_edit
from web.visitor import AppRequest, visitor

PLACE = "/flows/{slug:str}/draft/actions/{name:str}"


@route(PLACE, http_method=["PATCH", "POST"], permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def change_action(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Change the text of a message, or one of its pieces; every arrow that sends it says the new words."""
    form = await forms.fields(request)
    field, sel = form.get("field", "text"), form.get("sel", "")
    raw = entry((await edit.opened(request.app.state.runtime, slug)).tree, "actions", name)
    if not raw:
        raise NotFound("action", name)
    seen, key = form.get("seen"), f"{field.replace('.', '-')}-{name}"
    return await changed(request, slug, sel, field, lambda values: _edit(name, field, values, raw, seen), key=key)


def _edit(name: str, field: str, values: tuple[str, ...], raw: Mapping[str, object], seen: str | None) -> Edit:
    if is_piece(field):
        return piece_edit(name, field, values, seen_value(seen))
    return action_edit(name, field, values, raw)


@post(f"{PLACE}/pieces", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def change_pieces(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Add a piece to a message, move one or take it away, as `do` says."""
    runtime, form, values = (
        request.app.state.runtime,
        await forms.fields(request),
        await forms.several(request, "value"),
    )
    view, sel, field, do = form.get("view", "diagram"), form.get("sel", ""), form.get("field", ""), form.get("do")
    raw = entry((await edit.opened(runtime, slug)).tree, "actions", name)
    if not raw:
        raise NotFound("action", name)
    try:
        wanted = deed(name, form, values, _ids(raw))
        opened = await edit.edit(runtime, slug, wanted, actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        kind = f"parts-{'text' if len(values) == 1 else 'file'}" if field == "parts" else field.replace(".", "-")
        key = f"new-{kind}-{name}" if do == "add" else f"pieces-{name}"
        return await refused(request, slug, sel, view, Typed(key, values, why(error)))
    gone = gettext("Taken out of the message.") if do == "delete" else ""
    return await saved(request, slug, sel, view, opened, undoable=gone)


def _ids(action: Mapping[str, object]) -> list[str]:
    rows = [*rows_of(action, "buttons"), *rows_of(entry_of(action.get("list")), "rows")]
    return [str(row.get("id")) for row in rows]


@post(f"{PLACE}/preview", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def preview_action(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str]:
    """How a message would look with what is being typed; 204 while it cannot be read. Nothing is stored."""
    form, values = await forms.fields(request), await forms.several(request, "value")
    made = await desk(request.app.state.runtime, slug, pictures=False)
    raw = entry(made.tree, "actions", name)
    try:
        adding = form.get("do") == "add"
        field = form.get("field", "text")
        wanted = deed(name, form, values, _ids(raw)) if adding else _edit(name, field, values, raw, form.get("seen"))
        tree = edits.apply(made.tree, wanted)
        flow = read(tree)
    except (Refused, InvalidDocument, NotFound):
        return Response("", status_code=204, media_type="text/html")
    action = flow.actions[name]
    if not isinstance(action, Send):
        raise NotFound("message", name)
    return page(
        request, "draft/_preview_alone.html", message=message(replace(made, flow=flow, tree=tree), action, None)
    )
