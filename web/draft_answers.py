"""How the editor answers a change: with scripts the panel and everything else that changed, without them the page."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias
from urllib.parse import urlencode

from litestar.response import Redirect, Response

from engine.core.diagram.phases import phases
from engine.core.document_messages import sentence as document_sentence
from engine.core.errors import GuardError, InvalidDocument, Refused, Stale
from engine.core.flow import Flow
from engine.services import presence
from engine.services.edit import Opened
from web import i18n
from web.cell_panel import cell_of, cell_panel
from web.copy_panel import copy_panel
from web.desk import DIAGRAM, RULES, Desk, desk
from web.diagram_view import phase_for
from web.fields import Conflict, Typed, shown_value
from web.forms import whole
from web.lens import Lens, lens
from web.name_panel import all_names, name_panel
from web.pages import go, page, wants_fragment
from web.presence_words import presences
from web.refusals import sentence
from web.rule_panel import new_rule_panel, rule_panel
from web.rules_view import rule_words
from web.state_panel import new_state_panel, state_panel
from web.transition_panel import new_transition_panel, transition_panel
from web.visitor import AppRequest, visitor

STATE, TRANSITION, RULE, CELL, NAMED, PROBLEM, COPYING = "s", "t", "r", "c", "n", "p", "copying"
NEW_STATE, NEW_TRANSITION, NEW_RULE, NAMES = "new:state", "new:transition", "new:rule", "names"
Panel: TypeAlias = tuple[str, Any]
"""A template and what it reads."""
PANELS = {
    STATE: "draft/_state.html",
    TRANSITION: "draft/_transition.html",
    RULE: "draft/_rule.html",
    CELL: "draft/_cell.html",
    NAMED: "draft/_named.html",
    PROBLEM: "draft/_problem.html",
    COPYING: "draft/_copying.html",
}


async def show(
    request: AppRequest,
    slug: str,
    sel: str,
    view: str,
    *,
    status: int = 200,
    typed: Typed | None = None,
    conflict: Conflict | None = None,
    form: dict[str, str] | None = None,
    alone: bool = False,
    panel: Panel | None = None,
) -> Response[str]:
    """The page with something selected, or its panel alone; `typed` and `conflict` are to be corrected or chosen.

    `panel` stands in the place of the panel of what is selected.
    """
    runtime, look, who = request.app.state.runtime, lens(request), _who(request)
    made = await desk(runtime, slug, view=view, sel=sel, pictures=not alone, lens=look, who=who)
    redrawn = alone and panel is None and _needs_drawing(made, look)
    if redrawn:
        made = await desk(runtime, slug, view=view, sel=sel, lens=look, who=who)
    made, shown = _paneled(made, panel) or chosen(made, typed=typed, conflict=conflict, form=form)
    if not alone:
        made = await _in_company(request, made)
    template = "draft/_drawn_anew.html" if redrawn else made.panel if alone else "draft/editor.html"
    return page(request, template, status, desk=made, p=shown, oob=redrawn, toast=None)


def _needs_drawing(made: Desk, look: Lens) -> bool:
    """Whether what was selected is not in the drawing that the page has: another phase, or a problem's marks."""
    if look.before == made.sel or made.view == RULES:
        return False
    if f"{PROBLEM}:" in (made.sel[:2], look.before[:2]):
        return True
    every = phases(made.flow)
    seen = phase_for(made.flow, every, look.before, made.findings, look)
    return made.view == DIAGRAM and seen != phase_for(made.flow, every, made.sel, made.findings, look)


async def _in_company(request: AppRequest, made: Desk) -> Desk:
    """A whole page was opened: by whom is told to the others, who else is there is told on it."""
    here = visitor(request)
    if here.account is None or not here.may("edit"):
        return made
    there = await presence.look(request.app.state.runtime, made.slug, here.account.id, made.sel)
    return replace(made, people_here=presences(there))


def _paneled(made: Desk, panel: Panel | None) -> tuple[Desk, Any] | None:
    return None if panel is None else (replace(made, panel=panel[0]), panel[1])


async def told_beside(request: AppRequest, slug: str, sel: str, view: str, text: str) -> Response[str]:
    """The panel as it is with a toast, after something that changed no draft."""
    made = await desk(request.app.state.runtime, slug, view=view, sel=sel, pictures=False, who=_who(request))
    made, panel = chosen(made)
    return page(request, "draft/_told.html", desk=made, p=panel, oob=True, toast={"text": text, "step": None})


def chosen(
    made: Desk,
    *,
    typed: Typed | None = None,
    conflict: Conflict | None = None,
    form: dict[str, str] | None = None,
) -> tuple[Desk, Any]:
    """The panel of what is selected; a selection that is gone selects nothing."""
    kind, _, name = made.sel.partition(":")
    if made.sel == NAMES:
        return replace(made, panel="draft/_names.html"), all_names(made, form, typed)
    if kind == NAMED and (named := name_panel(made, name, typed, conflict)) is not None:
        return replace(made, panel=PANELS[NAMED]), named
    if made.sel == NEW_STATE:
        return replace(made, panel="draft/_new_state.html"), new_state_panel(
            form or {}, typed.problem if typed else None
        )
    if made.sel == NEW_TRANSITION:
        panel = new_transition_panel(made, form or {}, typed.problem if typed else None)
        return replace(made, panel="draft/_new_transition.html"), panel
    if made.sel == NEW_RULE:
        return replace(made, panel=PANELS[RULE]), new_rule_panel(made, form or {}, typed.problem if typed else None)
    if kind == RULE and (number := whole(name)) is not None:
        if number < len(made.flow.rules):
            return replace(made, panel=PANELS[RULE]), rule_panel(
                made, number, form if typed else None, typed.problem if typed else None, conflict
            )
        if conflict is not None:
            # It is gone; what was typed can still be added as a new one.
            return replace(made, sel=NEW_RULE, panel=PANELS[RULE]), new_rule_panel(made, form or {}, gone=True)
    if kind == COPYING:
        return replace(made, panel=PANELS[COPYING]), copy_panel(made, name, typed.problem if typed else "")
    if kind == PROBLEM and (found := next((one for one in made.findings if one.key == name), None)) is not None:
        return replace(made, panel=PANELS[PROBLEM]), found
    if kind == CELL and (cell := cell_of(made, name)) is not None:
        return replace(made, panel=PANELS[CELL]), cell_panel(made, *cell, problem=typed.problem if typed else "")
    if kind == STATE and name in made.flow.states:
        return replace(made, panel=PANELS[STATE]), state_panel(made, name, typed, conflict)
    if kind == TRANSITION and name in made.flow.arrows:
        return replace(made, panel=PANELS[TRANSITION]), transition_panel(made, name, typed, conflict, form)
    return replace(made, sel=""), None


async def saved(
    request: AppRequest,
    slug: str,
    sel: str,
    view: str,
    opened: Opened,
    *,
    toast: dict[str, object] | None = None,
    undoable: str = "",
    panel: Panel | None = None,
) -> Response[str] | Redirect:
    """After a change: the panel, and out of band the drawing, problems, chips and buttons that it may have changed.

    `undoable` is a toast about the reader's newest change that offers to take it back.
    """
    query = {"view": view, **({"sel": sel} if sel else {})}
    if not wants_fragment(request):
        return go(f"/flows/{slug}/draft", **query)
    runtime, who = request.app.state.runtime, _who(request)
    made = await desk(runtime, slug, view=view, sel=sel, opened=opened, just_saved=True, who=who, lens=lens(request))
    made, shown = _paneled(made, panel) or chosen(made)
    if undoable:
        toast = {"text": undoable, "step": made.undo.back.number if made.undo.back else None}
    response = page(request, "draft/_saved_all.html", desk=made, p=shown, oob=True, toast=toast)
    response.headers["HX-Push-Url"] = f"/flows/{slug}/draft?{urlencode(query, safe=':')}"
    return response


def _who(request: AppRequest) -> str:
    return visitor(request).actor.who


async def refused(
    request: AppRequest, slug: str, sel: str, view: str, typed: Typed, form: dict[str, str] | None = None
) -> Response[str]:
    """422: with scripts the panel with the field's message, without them the page; what was typed is kept."""
    alone = wants_fragment(request)
    return await show(request, slug, sel, view, status=422, typed=typed, form=form, alone=alone)


async def stale(
    request: AppRequest, slug: str, sel: str, view: str, conflict: Conflict, form: dict[str, str] | None = None
) -> Response[str]:
    """409: the card with both values, on top of the panel with theirs."""
    alone = wants_fragment(request)
    return await show(request, slug, sel, view, status=409, conflict=conflict, form=form, alone=alone)


def why(error: InvalidDocument | GuardError | Refused) -> str:
    """The sentence for the field."""
    if isinstance(error, Refused):
        return sentence(error)
    if isinstance(error, InvalidDocument):
        return "; ".join(document_sentence(mistake, i18n.current()) for mistake in error.mistakes[:3])
    return str(error)


def collision(error: Stale, action: str, field: str, values: Sequence[str]) -> Conflict:
    """Both values of a field that two people changed."""
    language = i18n.current()
    return Conflict(
        action=action,
        field=field,
        mine=tuple(values),
        mine_shown=shown_value(field, error.mine, language),
        theirs=json.dumps(error.theirs, ensure_ascii=False),
        theirs_shown=shown_value(field, error.theirs, language),
    )


def rule_collision(error: Stale, action: str, flow: Flow) -> Conflict:
    """Both sentences of a rule that two people changed."""
    return Conflict(
        action=action.removesuffix("/delete"),
        field="rule",
        mine=(json.dumps(error.mine, ensure_ascii=False),),
        mine_shown=rule_words(flow, error.mine),
        theirs=json.dumps(error.theirs, ensure_ascii=False),
        theirs_shown=rule_words(flow, error.theirs),
    )
