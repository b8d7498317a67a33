"""New things of a draft that have a name: an event, a message, a field; and a message that an arrow sends from now on."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import InvalidDocument, NotFound, Refused
from engine.services import edit
from web import forms
from web.draft_answers import NAMED, NAMES, TRANSITION, refused, saved, why
from web.fields import Typed
from web.name_panel import KINDS
from web.new_names import new_message, new_name
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@post("/flows/{slug:str}/draft/names/{kind:str}", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def add(request: AppRequest, slug: FromPath[str], kind: FromPath[str]) -> Response[str] | Redirect:
    """Add an event, a message or a field."""
    if kind not in KINDS:
        raise NotFound("name", kind)
    form, runtime = dict(await forms.fields(request)), request.app.state.runtime
    view, flow = form.get("view", "diagram"), (await edit.opened(runtime, slug)).flow
    try:
        change = new_name(flow, kind, form)
        opened = await edit.edit(runtime, slug, change, actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, NAMES, view, Typed(f"new-{kind}", (), why(error)), form)
    return await saved(request, slug, f"{NAMED}:{kind}:{change['id']}", view, opened)


@post(
    "/flows/{slug:str}/draft/transitions/{ident:str}/messages",
    permission=Permission.EDIT,
    include_in_schema=False,
    status_code=200,
)
async def add_message(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Write a message that this arrow sends after what it does already; both are one change."""
    form, runtime, sel = dict(await forms.fields(request)), request.app.state.runtime, f"{TRANSITION}:{ident}"
    view, arrow = form.get("view", "diagram"), (await edit.opened(runtime, slug)).flow.arrows.get(ident)
    if arrow is None:
        raise NotFound("transition", ident)
    try:
        message = new_message(form)
        does = {"op": "set_transition", "id": ident, "field": "do", "value": [*arrow.do, message["id"]]}
        opened = await edit.edit_all(runtime, slug, (message, does), actor=visitor(request).actor)
    except (Refused, InvalidDocument) as error:
        return await refused(request, slug, sel, view, Typed("new-message", (), why(error)), form)
    return await saved(request, slug, sel, view, opened)
