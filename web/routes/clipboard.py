"""Copying states of a draft, one or several, and pasting them into this flow or another."""

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, Refused
from engine.services import clipboard, edit
from web import forms
from web.draft_answers import COPYING, refused, saved, show, told_beside, why
from web.fields import Typed
from web.i18n import gettext, ngettext
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


@get("/flows/{slug:str}/draft/copying", permission=Permission.EDIT, include_in_schema=False)
async def choose(
    request: AppRequest, slug: FromPath[str], states: FromQuery[str] = "", view: FromQuery[str] = "diagram"
) -> Response[str]:
    """The panel in which several states are chosen; `states` (`NOVO,CONVERSA`) are already."""
    return await show(request, slug, f"{COPYING}:{states}", view, alone=True)


@post("/flows/{slug:str}/draft/copy", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def copy_several(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Copy the chosen states with the arrows among them and what they need; what is gone by now is left out."""
    view, wanted = (await forms.fields(request)).get("view", "diagram"), await forms.several(request, "state")
    runtime = request.app.state.runtime
    there = (await edit.opened(runtime, slug)).flow.states
    names = tuple(dict.fromkeys(name for name in wanted if name in there))
    sel = f"{COPYING}:{','.join(names)}"
    if not names:
        return await refused(request, slug, COPYING, view, Typed("copy", (), gettext("Choose at least one state.")))
    await clipboard.copy(runtime, slug, names, visitor(request).actor)
    if not wants_fragment(request):
        return go(f"/flows/{slug}/draft", view=view, sel=sel)
    said = ngettext(
        "%(num)s state copied. Open any flow and paste it there.",
        "%(num)s states copied. Open any flow and paste them there.",
        len(names),
    ) % {"num": len(names)}
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
