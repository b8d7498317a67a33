"""A/B tests of a draft's arrows: begin one, add a variant, change the shares, choose who wins."""

import json

from litestar import post, route
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core.edits_splits import shares_now
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
from web.undo import bringing_back
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
    undo = json.dumps(_back(before, opened, ident, made), ensure_ascii=False)
    toast: dict[str, object] = {
        "text": gettext("Here is the new variant: change what it does."), "undo": undo, "sel": f"{TRANSITION}:{ident}",
    }  # fmt: skip
    return await saved(request, slug, f"{TRANSITION}:{made}", view, opened, toast=toast)


def _back(before: edit.Opened, after: edit.Opened, ident: str, made: str) -> list[Edit]:
    """The edits that take a new variant out again, with its own messages and what the rules say of them."""
    shares = {name: part for name, part in (shares_now(before.tree, ident) or {}).items() if part is not None}
    found: list[Edit] = [{"op": "delete_transition", "id": made}]
    if len(shares) > 1:
        found.append({"op": "set_shares", "id": ident, "value": shares})
    if before.tree.get("rules") != after.tree.get("rules"):
        found.append({"op": "set_flow", "field": "rules", "value": before.tree.get("rules")})
    return [*found, *({"op": "delete_action", "id": n} for n in after.flow.actions if n not in before.flow.actions)]


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
    before, sel = await edit.opened(runtime, slug), f"{TRANSITION}:{ident}"
    try:
        opened = await edit.edit(runtime, slug, {"op": "end_split", "id": ident}, actor=visitor(request).actor)
    except Refused as error:
        return await refused(request, slug, sel, view, Typed("shares", (), why(error)))
    undo = json.dumps(bringing_back(before.tree, opened.tree), ensure_ascii=False)
    toast: dict[str, object] = {
        "text": gettext("The test is over: this variant is for everybody."),
        "undo": undo,
        "sel": sel,
    }
    return await saved(request, slug, sel, view, opened, toast=toast)
