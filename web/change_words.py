"""What differs between two versions of a flow, in the words of a page: one row a change, before and after."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.core import sentences
from engine.core.changes import Change
from engine.core.diagram.labels import key
from engine.core.durations import human
from engine.core.flow import Flow, Look, Send, State
from engine.core.rule_sentences import rule_sentence
from web import i18n
from web.flow_words import labelled, text_of
from web.i18n import gettext

__all__ = ["Row", "rows"]

STYLES = {"added": ("add", "+"), "removed": ("del", "−"), "changed": ("chg", "~")}


@dataclass(frozen=True, slots=True)
class Row:
    """One change. `look` is a state's kind; `people` the live conversations in the state, None where it says nothing;
    `place` names it in a drawing (`s-NOVO`, `t-t1`), "" where it has no place there.
    """

    style: str
    sign: str
    what: str
    name: str
    look: Look | None
    before: str
    after: str
    people: int | None
    place: str = ""


def rows(old: Flow | None, new: Flow, found: Iterable[Change], people: Mapping[str, int]) -> list[Row]:
    """The changes in words; against nothing (a first publication) everything is new and nothing needs saying."""
    if old is None:
        return []
    return [replace(row, place=_place(change)) for change in found for row in _row(old, new, change, people)]


def _place(change: Change) -> str:
    kind = {"states": "s", "transitions": "t", "globals": "t"}.get(change.section)
    return f"{kind}-{key(change.name)}" if kind is not None else ""


def _row(old: Flow, new: Flow, change: Change, people: Mapping[str, int]) -> list[Row]:
    style, sign = STYLES[change.kind]
    if change.section == "states":
        return _state(old, new, change, people.get(change.name, 0))
    if change.section in ("transitions", "globals"):
        before, after = _sentence(old, change.name), _sentence(new, change.name)
        frm = (new.arrows.get(change.name) or old.arrows[change.name]).frm
        counted = people.get(frm, 0) if frm is not None else None
        return [Row(style, sign, gettext("Transition"), change.name, None, before, after, counted)]
    if change.section == "actions":
        before, after = _action(old, change.name), _action(new, change.name)
        return [Row(style, sign, gettext("Action"), _action_name(old, new, change.name), None, before, after, None)]
    if change.section == "rules":
        number = int(change.name.strip("[]"))
        return [
            Row(
                style, sign, gettext("Safety rule"), str(number + 1), None, _rule(old, number), _rule(new, number), None
            )
        ]
    named = sections().get(change.section, change.section)
    details = ", ".join(change.fields)
    return [Row(style, sign, named, change.name, None, "", details, None)]


def sections() -> dict[str, str]:
    """The parts of a flow document."""
    return {
        "states": gettext("State"),
        "transitions": gettext("Transition"),
        "globals": gettext("From any state"),
        "actions": gettext("Action"),
        "events": gettext("Event"),
        "context": gettext("Field"),
        "understanding": gettext("Understanding"),
        "ignore": gettext("Ignored on purpose"),
        "rules": gettext("Safety rule"),
        "flow": gettext("The flow itself"),
    }


def _state(old: Flow, new: Flow, change: Change, people: int) -> list[Row]:
    style, sign = STYLES[change.kind]
    before, after = old.states.get(change.name), new.states.get(change.name)
    shown = after or before
    look = shown.look if shown is not None else None
    if before is None or after is None:
        removed = gettext("removed") if after is None else ""
        return [Row(style, sign, gettext("State"), change.name, look, _about(before), _about(after) or removed, people)]
    return [
        Row(style, sign, label, change.name, look, one, other, people)
        for label, one, other in _fields(before, after)
        if one != other
    ] or [Row(style, sign, gettext("State"), change.name, look, "", ", ".join(change.fields), people)]


def _fields(before: State, after: State) -> list[tuple[str, str, str]]:
    language = i18n.current()
    none = gettext("none")
    return [
        (
            gettext("Silence deadline"),
            sentences.ladder(before, language) or none,
            sentences.ladder(after, language) or none,
        ),
        (gettext("Spread of the deadline"), human(before.jitter, language), human(after.jitter, language)),
        (gettext("Kind"), sentences.look_name(before.look, language), sentences.look_name(after.look, language)),
        (gettext("What we are waiting for here"), text_of(before.waiting_for), text_of(after.waiting_for)),
        (gettext("What it is for"), before.kind.value, after.kind.value),
    ]


def _about(state: State | None) -> str:
    if state is None:
        return ""
    language = i18n.current()
    ladder = sentences.ladder(state, language)
    words = sentences.look_name(state.look, language)
    return gettext("%(kind)s, deadline %(deadline)s") % {"kind": words, "deadline": ladder} if ladder else words


def _sentence(flow: Flow, name: str) -> str:
    arrow = flow.arrows.get(name)
    return sentences.transition_sentence(flow, arrow, i18n.current()) if arrow is not None else ""


def _rule(flow: Flow, number: int) -> str:
    return rule_sentence(flow, flow.rules[number], i18n.current()) if number < len(flow.rules) else ""


def _action(flow: Flow, name: str) -> str:
    action = flow.actions.get(name)
    if action is None:
        return ""
    return text_of(action.text) if isinstance(action, Send) and action.text else type(action).__name__.lower()


def _action_name(old: Flow, new: Flow, name: str) -> str:
    action = new.actions.get(name) or old.actions.get(name)
    return labelled(action.label, name) if action is not None else name
