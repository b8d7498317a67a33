"""Buttons and options of a message: one more, or one taken away."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.services import edit
from web import forms
from web.draft_answers import refused, saved, why
from web.fields import Typed, entry
from web.i18n import gettext
from web.message_edits import added, dropped
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@post(
    "/flows/{slug:str}/draft/actions/{name:str}/choices",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def change(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """`field` is "buttons" or "list"; `drop` the id of what goes, else `title` is that of a new one, under `opens` if the
    list is new too.
    """
    form, runtime = dict(await forms.fields(request)), request.app.state.runtime
    field, view, sel = form.get("field", ""), form.get("view", "diagram"), form.get("sel", "")
    raw = entry((await edit.opened(runtime, slug)).tree, "actions", name)
    if not raw or field not in ("buttons", "list"):
        raise NotFound("action", name)
    try:
        if drop := form.get("drop"):
            value = dropped(raw.get(field), drop)
        else:
            value = added(field, raw.get(field), form.get("title", ""), form.get("opens", ""))
        wanted = {"op": "set_action", "id": name, "field": field, "value": value}
        opened = await edit.edit(runtime, slug, wanted, actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, sel, view, Typed(f"choice-{name}", (), why(error)), form)
    return await saved(request, slug, sel, view, opened, undoable=gettext("Taken away.") if drop else "")
