"""A/B tests of a draft's arrows: begin one, add a variant, change the shares, choose who wins."""

from litestar import post, route
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.errors import NotFound, Refused
from engine.services import edit
from web import forms
from web.draft_answers import TRANSITION, refused, saved, why
from web.draft_changes import changed
from web.draft_edits import Edit
from web.fields import Typed
from web.i18n import gettext
from web.permissions import Permission
from web.split_panel import branches
from web.visitor import AppRequest, visitor

PLACE = "/flows/{slug:str}/draft/transitions/{ident:str}"


@post(f"{PLACE}/split", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def split(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """A twin of the arrow, which is shown to be changed."""
    view, runtime = (await forms.fields(request)).get("view", "diagram"), request.app.state.runtime
    before = await edit.opened(runtime, slug)
    try:
        wanted: Edit = {"op": "split_transition", "id": ident}
        opened = await edit.edit(runtime, slug, wanted, actor=visitor(request).actor)
    except Refused as error:
        return await refused(request, slug, f"{TRANSITION}:{ident}", view, Typed("shares", (), why(error)))
    made = next(name for name in opened.flow.arrows if name not in before.flow.arrows)
    text = gettext("Here is the new variant: change what it does.")
    return await saved(request, slug, f"{TRANSITION}:{made}", view, opened, undoable=text)


@route(
    f"{PLACE}/shares", http_method=["PATCH", "POST"], permission=Permission.EDIT, include_in_schema=False,
    status_code=200,
)  # fmt: skip
async def share(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """Other shares: all but the last are typed, the last one is what is left of 100."""
    flow = (await edit.opened(request.app.state.runtime, slug)).flow
    if ident not in flow.arrows:
        raise NotFound("transition", ident)
    names = [branch.arrow.id for branch in branches(flow, flow.arrows[ident])]

    def read(values: tuple[str, ...]) -> Edit:
        typed = [forms.whole(value.strip().removesuffix("%").strip()) for value in values]
        known = [part for part in typed if part is not None]
        if len(known) != len(names) - 1 or len(known) != len(typed) or sum(known) > 100:
            raise Refused("shares_sum")
        parts = [*known, 100 - sum(known)]
        return {"op": "set_shares", "id": ident, "value": dict(zip(names, parts, strict=True))}

    return await changed(request, slug, f"{TRANSITION}:{ident}", "shares", read)


@post(f"{PLACE}/winner", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def winner(request: AppRequest, slug: FromPath[str], ident: FromPath[str]) -> Response[str] | Redirect:
    """The test is over: this variant is for everybody, the others are deleted."""
    view, runtime = (await forms.fields(request)).get("view", "diagram"), request.app.state.runtime
    sel = f"{TRANSITION}:{ident}"
    try:
        opened = await edit.edit(runtime, slug, {"op": "end_split", "id": ident}, actor=visitor(request).actor)
    except Refused as error:
        return await refused(request, slug, sel, view, Typed("shares", (), why(error)))
    text = gettext("The test is over: this variant is for everybody.")
    return await saved(request, slug, sel, view, opened, undoable=text)
