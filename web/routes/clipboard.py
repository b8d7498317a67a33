"""Copying a state of a draft, and pasting it into this flow or another."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, Refused
from engine.services import clipboard, edit
from web import forms
from web.draft_answers import saved, show, told_beside, why
from web.i18n import gettext
from web.pages import go, wants_fragment
from web.paste_panel import paste_panel, paste_refused
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@post(
    "/flows/{slug:str}/draft/states/{name:str}/copy",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def copy(request: AppRequest, slug: FromPath[str], name: FromPath[str]) -> Response[str] | Redirect:
    """Copy a state with what it needs; it stays copied until another one is."""
    form = await forms.fields(request)
    await clipboard.copy(request.app.state.runtime, slug, (name,), visitor(request).actor)
    view, sel = form.get("view", "diagram"), f"s:{name}"
    if not wants_fragment(request):
        return go(f"/flows/{slug}/draft", view=view, sel=sel)
    said = gettext("%(state)s copied. Open any flow and paste it there.") % {"state": name}
    return await told_beside(request, slug, sel, view, said)


@post("/flows/{slug:str}/draft/paste", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def paste(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Paste what was copied; the panel says what came along, under which names, and what could not."""
    form, runtime = await forms.fields(request), request.app.state.runtime
    view = form.get("view", "diagram")
    try:
        opened, carried = await clipboard.paste(runtime, slug, visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        panel = "draft/_pasted.html", paste_refused(why(error))
        return await show(request, slug, "", view, status=422, alone=wants_fragment(request), panel=panel)
    panel = "draft/_pasted.html", paste_panel(opened.flow, carried)
    sel = f"s:{carried.states[0]}"
    if not wants_fragment(request):
        return await show(request, slug, sel, view, panel=panel)
    there = await edit.opened(runtime, slug)
    return await saved(request, slug, sel, view, there, undoable=gettext("Pasted."), panel=panel)
