"""The switch of an arrow: what it sends waits for a person's approval, or leaves by itself."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.edits_approvals import approval_of
from engine.core.errors import Refused
from engine.services import edit
from web import forms
from web.draft_answers import TRANSITION, refused, saved, why
from web.fields import Typed
from web.i18n import gettext
from web.permissions import Permission
from web.routes.splits import PLACE
from web.visitor import AppRequest, visitor

KEY = "approval"
"""The place of the panel where a refusal is told."""


@post(f"{PLACE}/approval", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def approval(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """`ask` is "on" or "off"; 422 with the reason beside the switch."""
    form = await forms.fields(request)
    asks, view, sel = form.get("ask") == "on", form.get("view", "diagram"), f"{TRANSITION}:{ident}"
    there = await edit.opened(request.app.state.runtime, slug)
    if asks is bool(approval_of(there.tree, ident)):
        return await saved(request, slug, sel, view, there)  # pressed twice: it stands as it was wanted
    wanted = {"op": "ask_approval" if asks else "drop_approval", "id": ident}
    try:
        opened = await edit.edit(request.app.state.runtime, slug, wanted, actor=visitor(request).actor)
    except Refused as error:
        return await refused(request, slug, sel, view, Typed(KEY, (), why(error)))
    text = (
        gettext("The message waits in %(state)s until somebody approves it.")
        if asks
        else gettext("It sends by itself again.")
    )
    return await saved(request, slug, sel, view, opened, undoable=text % {"state": opened.flow.arrows[ident].to})
