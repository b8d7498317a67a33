"""The table of the editor: state by event, each square with its arrows and what becomes of the event there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core import sentences
from engine.core.checks.coverage import Cover
from engine.core.diagram.graph import graph
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow, Source, State
from web import i18n
from web.flow_words import Line, anywhere, event_label, lines
from web.i18n import gettext

__all__ = ["Cell", "Column", "Matrix", "Only", "cover_words", "matrix"]

Only: TypeAlias = Literal["lost", "changed"]
_ORDER = (Source.MESSAGE, Source.PAYMENT, Source.CLOCK, Source.HUMAN, Source.EFFECT, Source.API)
UNANSWERED = (Cover.LOST, Cover.PARTLY)
_TOLD = (Cover.LOST, Cover.PARTLY, Cover.IGNORED, Cover.FALLS_BACK)
ICONS: Mapping[Cover, str] = {
    Cover.HANDLED: "bolt", Cover.FALLS_BACK: "down", Cover.PARTLY: "alert", Cover.IGNORED: "ban", Cover.LOST: "alert",
}  # fmt: skip
"""Of a square without an arrow of its own: what is handled there is so by an arrow from any state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One square. More than one line that may meet is a conflict; `marked`: a problem that is looked at is about it.

    `icon` and `words` say what becomes of the event, "" where the lines say it already or there is nothing to say.
    """

    key: str
    lines: tuple[Line, ...]
    conflict: bool
    changed: bool
    marked: bool
    cover: Cover
    icon: str
    words: str


@dataclass(frozen=True, slots=True)
class Column:
    """One event of the table. `group` is where it comes from."""

    name: str
    label: str
    group: Source


@dataclass(frozen=True, slots=True)
class Matrix:
    """State by event, and the arrows from any state, each with its column. `lost` squares leave somebody unanswered."""

    columns: tuple[Column, ...]
    groups: tuple[tuple[Source, int], ...]
    rows: tuple[tuple[State, str, tuple[Cell, ...]], ...]
    anywhere: tuple[Line, ...]
    lost: int


def matrix(
    flow: Flow,
    covers: Mapping[tuple[str, str], Cover],
    conflicts: Collection[str] = (),
    changed: Collection[str] = (),
    marked: Collection[str | tuple[str, str]] = (),
    *,
    only: Only | None = None,
) -> Matrix:
    """The same flow as the drawing, for reading row by row and for the keyboard.

    `conflicts` are the ids of transitions in a finding of ambiguity, `changed` those that differ from the live version,
    `marked` ids and (state, event) of a problem that is looked at. `only` leaves out what is answered
    ("lost") or what is as in the live version ("changed").
    """
    lost = {place for place, cover in covers.items() if cover in UNANSWERED}
    own = {t.on for t in flow.transitions}
    told = {event for (_, event), cover in covers.items() if cover in _TOLD and _is_message(flow, event)}
    places = lost if only == "lost" else _different(flow, changed)
    shown = {event for _, event in places} if only else own | told
    columns = tuple(
        Column(name, event_label(flow, name), source)
        for source in _ORDER
        for name in dict.fromkeys([*flow.events, TIMEOUT, EXHAUSTED])
        if name in shown and sentences.source(flow, name) is source
    )
    boxes = [state for state in graph(flow).boxes if not only or any(state.name == at for at, _ in places)]
    rows = tuple(
        (
            state,
            sentences.ladder(state, i18n.current()),
            tuple(_cell(flow, state, c.name, covers[state.name, c.name], conflicts, changed, marked) for c in columns),
        )
        for state in boxes
    )
    groups = tuple((source, count) for source in _ORDER if (count := sum(c.group is source for c in columns)))
    own_anywhere = [line for line in anywhere(flow) if line.id in changed] if only else anywhere(flow)
    return Matrix(columns, groups, rows, () if only == "lost" else tuple(own_anywhere), len(lost))


def _different(flow: Flow, changed: Collection[str]) -> set[tuple[str, str]]:
    """The squares whose arrows differ from the live version, and of a state that differs itself the one of its silence."""
    arrows = {(t.frm or "", t.on) for t in flow.transitions if t.id in changed}
    return arrows | {(name, TIMEOUT) for name in flow.states if name in changed}


def _cell(
    flow: Flow,
    state: State,
    event: str,
    cover: Cover,
    conflicts: Collection[str],
    changed: Collection[str],
    marked: Collection[str | tuple[str, str]],
) -> Cell:
    group = flow.own_group(state.name, event)
    ids = {t.id for t in group}
    plain = bool(group) and cover in (Cover.HANDLED, Cover.NOTHING)
    return Cell(
        key=f"c:{state.name}:{event}",
        lines=lines(flow, group),
        conflict=len(ids & set(conflicts)) > 1,
        changed=bool(ids & set(changed)),
        marked=bool(ids & set(marked)) or (state.name, event) in marked,
        cover=cover,
        icon=ICONS.get(cover, ""),
        words="" if plain else cover_words(flow, cover, state.name, event),
    )


def cover_words(flow: Flow, cover: Cover, state: str, event: str) -> str:
    """What becomes of an event, in a word or two; "" for nothing."""
    return {
        Cover.HANDLED: gettext("from any state"),
        Cover.FALLS_BACK: gettext("counts as “%(event)s”") % {"event": event_label(flow, taken_as(flow, state, event))},
        Cover.PARTLY: gettext("sometimes unanswered"),
        Cover.IGNORED: gettext("ignored on purpose"),
        Cover.LOST: gettext("unanswered"),
        Cover.NOTHING: "",
    }[cover]


def taken_as(flow: Flow, state: str, event: str) -> str:
    """The first event that it falls back to and that has an arrow here; the event itself where none has."""
    others = flow.fallbacks(event)[1:]
    return next((name for name in others if flow.own_group(state, name) or flow.global_group(state, name)), event)


def _is_message(flow: Flow, event: str) -> bool:
    return sentences.source(flow, event) is Source.MESSAGE
