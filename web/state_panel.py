"""The panel of a state, and the form for a new one."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import sentences
from engine.core.durations import human
from engine.core.errors import NotFound
from engine.core.flow import Look, State, StateKind
from web import i18n
from web.desk import Desk
from web.fields import Conflict, Field, Fields, NewPanel, Typed, entry
from web.flow_words import Line, anywhere, arrivals, outgoing, text_of
from web.i18n import gettext

__all__ = ["StatePanel", "new_state_panel", "state_panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePanel:
    """A state."""

    place: str
    state: State
    fields: Mapping[str, Field]
    looks: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    outgoing: tuple[Line, ...]
    anywhere: tuple[Line, ...]
    arrivals: tuple[Line, ...]
    people: int
    typical: str
    """How long conversations are here, in words; "" where nobody is."""
    soon: int
    """How many whose silence ends in ten minutes."""
    changed: bool
    open_more: bool
    renaming: bool
    conflict: Conflict | None = None


def state_panel(desk: Desk, name: str, typed: Typed | None = None, conflict: Conflict | None = None) -> StatePanel:
    """The panel of a state. Raises NotFound."""
    state = desk.flow.states.get(name)
    if state is None:
        raise NotFound("state", name)
    place = f"{desk.base}/states/{name}"
    raw = entry(desk.tree, "states", name)
    language, stay = i18n.current(), desk.numbers.stay
    fields = Fields(place, raw, typed)
    fields.add("look", state.look.value)
    fields.add("kind", state.kind.value)
    fields.add("deadline", ", ".join(human(step, language) for step in state.deadline))
    fields.add("jitter", human(state.jitter, language) if state.jitter else "")
    fields.add("waiting_for", text_of(state.waiting_for))
    fields.add("resting", "yes" if state.resting else "")
    fields.add("note", state.note or "")
    fields.add("name", name)
    return StatePanel(
        place=place,
        state=state,
        fields=fields.made,
        looks=looks(),
        kinds=kinds(),
        outgoing=outgoing(desk.flow, name),
        anywhere=anywhere(desk.flow, name),
        arrivals=arrivals(desk.flow, name),
        people=desk.people.get(name, 0),
        typical=human(stay.typical, language) if stay is not None and stay.typical is not None else "",
        soon=stay.soon if stay is not None else 0,
        changed=name in desk.changed,
        open_more=typed is not None and typed.key in ("kind", "jitter", "resting"),
        renaming=typed is not None and typed.key == "name",
        conflict=conflict,
    )


def looks() -> tuple[tuple[str, str], ...]:
    """The kinds of states as they are drawn, with their names."""
    named = ((look.value, sentences.look_name(look, i18n.current())) for look in Look)
    return tuple((value, name[:1].upper() + name[1:]) for value, name in named)


def kinds() -> tuple[tuple[str, str], ...]:
    """What a state may be for, with words."""
    words = {
        StateKind.NORMAL: gettext("Waits for the customer"),
        StateKind.APPROVAL: gettext("Waits for a person's approval"),
        StateKind.EFFECT: gettext("Waits for an action's result"),
        StateKind.FINAL: gettext("The end"),
        StateKind.OPTOUT: gettext("The customer's way out"),
    }
    return tuple((kind.value, words[kind]) for kind in StateKind)


def new_state_panel(form: Mapping[str, str], problem: str | None = None) -> NewPanel:
    """The form for a new state."""
    return NewPanel(form={"name": "", "look": Look.TALK.value, "deadline": "", **form}, problem=problem, looks=looks())
