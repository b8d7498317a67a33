"""A flow said in the words of a page: the rows of panels and of the table. Reads a Flow, knows no request."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core import sentences
from engine.core.diagram.graph import graph, natural
from engine.core.diagram.rows import OTHERWISE, spoken
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Flow, Look, Send, Source, State, Text, Transition
from web import i18n

__all__ = ["Cell", "Column", "Line", "Matrix", "arrivals", "event_label", "labelled", "matrix", "outgoing", "text_of"]


@dataclass(frozen=True, slots=True)
class Line:
    """One arrow as a row of a panel. `look` is the target's, None when it goes back to the state before.

    `short` is the condition as the drawing says it.
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


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the table; more than one line that may meet is a conflict."""

    lines: tuple[Line, ...]
    conflict: bool
    ignored: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class Column:
    """One event of the table. `group` is where it comes from."""

    name: str
    label: str
    group: Source


@dataclass(frozen=True, slots=True)
class Matrix:
    """State by event, and the arrows from any state, each with its column."""

    columns: tuple[Column, ...]
    groups: tuple[tuple[Source, int], ...]
    rows: tuple[tuple[State, str, tuple[Cell, ...]], ...]
    anywhere: tuple[Line, ...]


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
    )


def _lines(flow: Flow, transitions: Iterable[Transition]) -> tuple[Line, ...]:
    return tuple(line(flow, t) for t in sorted(transitions, key=lambda t: natural(t.id)))


def outgoing(flow: Flow, state: str) -> tuple[Line, ...]:
    """The state's own arrows."""
    return _lines(flow, (t for t in flow.transitions if t.frm == state))


def anywhere(flow: Flow, state: str | None = None) -> tuple[Line, ...]:
    """The arrows from any state, those alone that `state` takes when given."""
    return _lines(flow, (t for t in flow.globals if state is None or state not in t.excepting))


def arrivals(flow: Flow, state: str) -> tuple[Line, ...]:
    """The arrows that lead here from elsewhere."""
    return _lines(flow, (t for t in flow.arrows.values() if t.to == state and t.frm != state))


def returns(flow: Flow) -> tuple[Line, ...]:
    """The arrows that go back to the state before."""
    return _lines(flow, (t for t in flow.transitions if t.to == PREVIOUS))


_ORDER = (Source.MESSAGE, Source.PAYMENT, Source.CLOCK, Source.HUMAN, Source.EFFECT, Source.API)


def matrix(flow: Flow, conflicts: frozenset[str], changed: frozenset[str]) -> Matrix:
    """The table: the same flow as the drawing, for reading row by row and for the keyboard.

    `conflicts` are the ids of transitions in a finding of ambiguity, `changed` those that differ from the live version.
    """
    used = {t.on for t in flow.transitions}
    names = [name for name in dict.fromkeys([*flow.events, TIMEOUT, EXHAUSTED]) if name in used]
    columns = tuple(
        Column(name, event_label(flow, name), source)
        for source in _ORDER
        for name in names
        if sentences.source(flow, name) is source
    )
    groups = tuple((source, count) for source in _ORDER if (count := sum(c.group is source for c in columns)))
    rows = tuple(
        (
            state,
            sentences.ladder(state, i18n.current()),
            tuple(_cell(flow, state, column.name, conflicts, changed) for column in columns),
        )
        for state in graph(flow).boxes
    )
    return Matrix(columns, groups, rows, anywhere(flow))


def _cell(flow: Flow, state: State, event: str, conflicts: frozenset[str], changed: frozenset[str]) -> Cell:
    group = flow.own_group(state.name, event)
    ids = {t.id for t in group}
    return Cell(
        lines=_lines(flow, group),
        conflict=len(ids & conflicts) > 1,
        ignored=(state.name, event) in flow.ignored,
        changed=bool(ids & changed),
    )


def messages(flow: Flow, transition: Transition) -> tuple[Send, ...]:
    """The messages that an arrow sends, in order."""
    found = (flow.actions.get(name) for name in transition.do)
    return tuple(action for action in found if isinstance(action, Send))
