"""A flow said in the words of a page: the rows of panels. Reads a Flow, knows no request."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core import sentences
from engine.core.diagram.graph import natural
from engine.core.diagram.rows import OTHERWISE, spoken
from engine.core.flow import PREVIOUS, Flow, Look, Send, Source, State, Text, Transition
from web import i18n

__all__ = [
    "Line",
    "anywhere",
    "arrivals",
    "event_label",
    "labelled",
    "line",
    "lines",
    "messages",
    "outgoing",
    "text_of",
]


@dataclass(frozen=True, slots=True)
class Line:
    """One arrow as a row of a panel. `look` is the target's, None when it goes back to the state before.

    `short` is the condition as the drawing says it, `variant` which branch of a split it is ("A 50 %").
    """

    id: str
    event: str
    source: Source
    condition: str
    short: str
    actions: str
    to: str
    look: Look | None
    stays: bool
    approval: bool
    frm: str
    sentence: str
    variant: str


def text_of(text: Text | None) -> str:
    """A text in the reader's language, "" for none."""
    return text.within(i18n.current()) if text is not None else ""


def labelled(text: Text | None, name: str) -> str:
    """A label, else the name as words."""
    return text_of(text) or name.replace("_", " ")


def event_label(flow: Flow, name: str, state: State | None = None) -> str:
    """An event in words; a silence names the state's deadline."""
    return sentences.event_name(flow, name, state, i18n.current())


def line(flow: Flow, transition: Transition) -> Line:
    """An arrow as a row."""
    language = i18n.current()
    target = flow.states.get(transition.to)
    return Line(
        id=transition.id,
        event=event_label(flow, transition.on, flow.states.get(transition.frm or "")),
        source=sentences.source(flow, transition.on),
        condition=sentences.condition(transition, language),
        short=spoken(OTHERWISE, language) if transition.otherwise else sentences.condition(transition, language),
        actions=sentences.action_names(flow, transition, language),
        to=transition.to,
        look=target.look if target is not None else None,
        stays=transition.to == transition.frm,
        approval=sentences.needs_approval(flow, transition),
        frm=transition.frm or "",
        sentence=sentences.transition_sentence(flow, transition, language),
        variant=sentences.variant(flow, transition),
    )


def lines(flow: Flow, transitions: Iterable[Transition]) -> tuple[Line, ...]:
    """Arrows as rows, in their natural order."""
    return tuple(line(flow, t) for t in sorted(transitions, key=lambda t: natural(t.id)))


def outgoing(flow: Flow, state: str) -> tuple[Line, ...]:
    """The state's own arrows."""
    return lines(flow, (t for t in flow.transitions if t.frm == state))


def anywhere(flow: Flow, state: str | None = None) -> tuple[Line, ...]:
    """The arrows from any state, those alone that `state` takes when given."""
    return lines(flow, (t for t in flow.globals if state is None or state not in t.excepting))


def arrivals(flow: Flow, state: str) -> tuple[Line, ...]:
    """The arrows that lead here from elsewhere."""
    return lines(flow, (t for t in flow.arrows.values() if t.to == state and t.frm != state))


def returns(flow: Flow) -> tuple[Line, ...]:
    """The arrows that go back to the state before."""
    return lines(flow, (t for t in flow.transitions if t.to == PREVIOUS))


def messages(flow: Flow, transition: Transition) -> tuple[Send, ...]:
    """The messages that an arrow sends, in order."""
    found = (flow.actions.get(name) for name in transition.do)
    return tuple(action for action in found if isinstance(action, Send))
