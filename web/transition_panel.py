"""The panel of an arrow, and the form for a new one."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import sentences
from engine.core.edits_approvals import approval_of
from engine.core.errors import NotFound
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Send, StateKind, Transition
from engine.core.guards.language import to_text
from engine.core.splits import heads
from web.condition_rows import ConditionPanel, condition_panel
from web.desk import Desk, source_names
from web.fields import Conflict, Field, Fields, NewPanel, Typed, row
from web.findings import sel_in
from web.firing_table import FiringTable, firing_table, rivals
from web.flow_words import Line, event_label, labelled, line, messages, text_of
from web.message_panel import Message, message
from web.split_panel import SplitPanel, split_panel

__all__ = ["TransitionPanel", "new_transition_panel", "transition_panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionPanel:
    """An arrow."""

    place: str
    t: Transition
    title: str
    line: Line
    fields: Mapping[str, Field]
    events: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    actions: tuple[tuple[str, str], ...]
    messages: tuple[Message, ...]
    group: tuple[Line, ...]
    problems: tuple[str, ...]
    notes_down: tuple[tuple[str, str], ...]
    """The fields to choose from, each with its words."""
    adding: Mapping[str, str]
    """A new message as it was typed, and under `problem` why it was not taken."""
    changed: bool
    split: SplitPanel
    approval: str
    """The approval state that it leads into, "" where it sends without asking."""
    may_ask: bool
    """Whether an approval can be switched on or off here at all."""
    asking_problem: str
    condition: ConditionPanel
    firing: FiringTable | None
    fired: int | None
    """How often it was taken in the last seven days, None where no version is live."""
    conflict: Conflict | None = None


def transition_panel(
    desk: Desk,
    ident: str,
    typed: Typed | None = None,
    conflict: Conflict | None = None,
    form: Mapping[str, str] | None = None,
) -> TransitionPanel:
    """The panel of an arrow; `form` is a new message that could not be taken. Raises NotFound."""
    arrow = desk.flow.arrows.get(ident)
    if arrow is None:
        raise NotFound("transition", ident)
    place = f"{desk.base}/transitions/{ident}"
    fields = Fields(place, row(desk.tree, ident), typed)
    fields.add("frm", arrow.frm or "", document_name="from")
    fields.add("on", arrow.on)
    fields.add("when", "otherwise" if arrow.otherwise else to_text(arrow.when) if arrow.when else "")
    fields.add("rows", "", document_name="when")
    fields.add("to", arrow.to)
    fields.add("do", arrow.do)
    sets = tuple(part for one in arrow.set for part in (one.field, to_text(one.value)))
    fields.add("set", sets, keep_empty=True)
    fields.add("note", arrow.note or "")
    told = line(desk.flow, arrow)
    return TransitionPanel(
        place=place,
        t=arrow,
        title=text_of(arrow.label) or told.event,
        line=told,
        fields=fields.made,
        events=events(desk.flow),
        actions=actions(desk.flow),
        messages=tuple(message(desk, send, typed) for send in messages(desk.flow, arrow)),
        group=_group(desk.flow, arrow),
        problems=tuple(f.message for f in desk.findings if f.severity == "error" and sel_in(f"t:{ident}", f)),
        notes_down=tuple((name, labelled(own.label, name)) for name, own in desk.flow.context.items()),
        adding={**(form or {}), "problem": typed.problem} if typed is not None and typed.key == "new-message" else {},
        changed=ident in desk.changed,
        condition=condition_panel(desk.flow, arrow, typed),
        firing=firing_table(desk.flow, arrow, desk.base),
        fired=desk.numbers.fired,
        approval=approval_of(desk.tree, ident),
        may_ask=_may_ask(desk.flow, arrow),
        asking_problem=typed.problem if typed is not None and typed.key == "approval" else "",
        split=split_panel(desk.flow, arrow, place, desk.numbers.split, desk.live, typed),
        conflict=conflict,
    )


def _may_ask(flow: Flow, arrow: Transition) -> bool:
    """It asks already, or it sends something and is no decision itself."""
    if _approval(flow, arrow.frm) or _approval(flow, arrow.to):
        return _approval(flow, arrow.to)
    return any(isinstance(flow.actions[name], Send) for name in arrow.do)


def _approval(flow: Flow, state: str | None) -> bool:
    known = flow.states.get(state or "")
    return known is not None and known.kind is StateKind.APPROVAL


def _group(flow: Flow, arrow: Transition) -> tuple[Line, ...]:
    """The arrows among which one has to be chosen when the event comes, if conditions choose: variants stand apart."""
    group = rivals(flow, arrow)
    return tuple(line(flow, t) for t in group) if len(heads(group)) > 1 else ()


def events(flow: Flow) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The events to choose from, by where they come from."""
    names = list(dict.fromkeys([*flow.events, TIMEOUT, EXHAUSTED]))
    groups = []
    for source, title in source_names().items():
        inside = tuple((name, event_label(flow, name)) for name in names if sentences.source(flow, name) is source)
        if inside:
            groups.append((title, inside))
    return tuple(groups)


def actions(flow: Flow) -> tuple[tuple[str, str], ...]:
    """The actions to choose from."""
    return tuple((name, labelled(action.label, name)) for name, action in flow.actions.items())


def new_transition_panel(desk: Desk, form: Mapping[str, str], problem: str | None = None) -> NewPanel:
    """The form for a new arrow."""
    given = {
        "frm": form.get("from", desk.flow.initial),
        # An arrow that was drawn from box to box has no event yet: somebody chooses it.
        "on": "" if form.get("to") else desk.flow.general_message,
        "to": "",
        "when": "",
        "do": "",
    }
    return NewPanel(form={**given, **form}, problem=problem, events=events(desk.flow), actions=actions(desk.flow))
