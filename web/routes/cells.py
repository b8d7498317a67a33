"""Squares of the table, an event in a state: the panel of one, emptying it, copying another one into it."""

from collections.abc import Callable

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import GuardError, InvalidDocument, NotFound, Refused
from engine.services import edit
from engine.services.edit import Opened
from web import forms
from web.cell_edits import cleared, pasted
from web.draft_answers import CELL, refused, saved, show, why
from web.draft_edits import Edit
from web.fields import Typed
from web.i18n import gettext
from web.permissions import Permission
from web.visitor import AppRequest, visitor

VIEW = "table"
SQUARE = "/flows/{slug:str}/draft/cells/{name:str}/{event:str}"


@get(SQUARE, permission=Permission.VIEW, include_in_schema=False)
async def cell(
    request: AppRequest, slug: FromPath[str], name: FromPath[str], event: FromPath[str], view: FromQuery[str] = VIEW
) -> Response[str]:
    """The panel of a square: an event in the state of that name."""
    return await show(request, slug, f"{CELL}:{name}:{event}", view, alone=True)


@post(f"{SQUARE}/clear", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def clear(
    request: AppRequest, slug: FromPath[str], name: FromPath[str], event: FromPath[str]
) -> Response[str] | Redirect:
    """Take the arrows of a square away; a toast offers to bring them back."""
    return await _changed(
        request, slug, (name, event), lambda there: cleared(there.flow, name, event), gettext("Cell cleared.")
    )


@post(f"{SQUARE}/paste", permission=Permission.EDIT, include_in_schema=False, status_code=200)
async def paste(
    request: AppRequest, slug: FromPath[str], name: FromPath[str], event: FromPath[str]
) -> Response[str] | Redirect:
    """The arrows of another square, `copied`, in place of those of this one; `c:STATE:event` or without the `c:`."""
    copied = (await forms.fields(request)).get("copied", "").removeprefix(f"{CELL}:")
    return await _changed(
        request,
        slug,
        (name, event),
        lambda there: pasted(there.flow, there.tree, copied, name, event),
        gettext("Cell copied."),
    )


async def _changed(
    request: AppRequest, slug: str, square: tuple[str, str], wanted: Callable[[Opened], list[Edit]], text: str
) -> Response[str] | Redirect:
    runtime, view = request.app.state.runtime, (await forms.fields(request)).get("view", VIEW)
    sel = f"{CELL}:{square[0]}:{square[1]}"
    before = await edit.opened(runtime, slug)
    if square[0] not in before.flow.states:
        raise NotFound("state", square[0])
    try:
        edits = wanted(before)
        opened = await edit.edit_all(runtime, slug, edits, actor=visitor(request).actor) if edits else before
    except (Refused, InvalidDocument, GuardError) as error:
        return await refused(request, slug, sel, view, Typed("square", (), why(error)))
    return await saved(request, slug, sel, view, opened, undoable=text if edits else "")
