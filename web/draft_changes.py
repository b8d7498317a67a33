"""One change of a draft, made and answered: a field that saves by itself, something that is taken away."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from litestar.response import Redirect, Response

from engine.core.errors import GuardError, InvalidDocument, Refused, Stale
from engine.core.flow import Flow
from engine.services import edit, undoing
from web import forms
from web.draft_answers import NAMED, STATE, TRANSITION, collision, refused, saved, stale, why
from web.draft_edits import Edit, seen_value
from web.fields import Typed
from web.i18n import gettext
from web.people_names import name_of
from web.visitor import AppRequest, visitor
from web.words import ago


async def changed(
    request: AppRequest,
    slug: str,
    sel: str,
    field: str,
    read: Callable[[tuple[str, ...]], Edit],
    *,
    key: str | None = None,
    values: tuple[str, ...] | None = None,
) -> Response[str] | Redirect:
    """Change one field: 200 with everything that changed, 422 with the field's message, 409 with both values.

    `read` makes the edit of what was typed; `key` is the field's name on the panel, where that is another one; `values`
    is what was typed, where the form says it in other fields than `value`.
    """
    form = await forms.fields(request)
    values = values if values is not None else await forms.several(request, "value")
    view, seen = form.get("view", "diagram"), seen_value(form.get("seen"))
    try:
        wanted = read(values)
        opened = await _edited(request, slug, {**wanted, "seen": seen}, form)
    except (Refused, InvalidDocument, GuardError) as error:
        return await refused(request, slug, sel, view, Typed(key or field, values, why(error)))
    except Stale as error:
        conflict = collision(error, request.url.path, field, values)
        by = await changed_by(request, slug, forms.whole(form.get("revision")) or 0, str(wanted.get("id")), field)
        return await stale(request, slug, sel, view, replace(conflict, by=by))
    return await saved(request, slug, _called_now(wanted, sel), view, opened)


async def changed_by(request: AppRequest, slug: str, since: int, *names: str) -> str:
    """Who changed a field since the reader's page was made, and when; "" where that is not known."""
    runtime = request.app.state.runtime
    told = await undoing.who_changed(runtime, slug, visitor(request).actor.who, since, *names)
    if told is None:
        return ""
    said = {"who": await name_of(runtime, told.who), "when": ago(told.at, runtime.clock.now())}
    return gettext("%(who)s changed this %(when)s") % said


def _called_now(wanted: Edit, sel: str) -> str:
    """The selection after the change: what was renamed is selected by its new name."""
    verb, _, kind = str(wanted["op"]).partition("_")
    if verb != "rename":
        return sel
    return f"{STATE}:{wanted['name']}" if kind == "state" else f"{NAMED}:{kind}:{wanted['name']}"


async def removed(request: AppRequest, slug: str, sel: str, wanted: Edit, text: str) -> Response[str] | Redirect:
    """Take something away; a toast says `text` and offers to take that back."""
    form = await forms.fields(request)
    before = await edit.opened(request.app.state.runtime, slug)
    opened = await _edited(request, slug, wanted, form)
    return await saved(request, slug, _origin(before.flow, sel), form.get("view", "diagram"), opened, undoable=text)


async def _edited(request: AppRequest, slug: str, wanted: Edit, form: Mapping[str, str]) -> edit.Opened:
    revision = forms.whole(form.get("revision"))
    return await edit.edit(request.app.state.runtime, slug, wanted, actor=visitor(request).actor, revision=revision)


def _origin(flow: Flow, sel: str) -> str:
    """The state in which an arrow begins, to be shown when the arrow is gone; nothing for all else."""
    kind, _, name = sel.partition(":")
    arrow = flow.arrows.get(name) if kind == TRANSITION else None
    return f"{STATE}:{arrow.frm}" if arrow and arrow.frm else ""
