"""The panel of one square of the table: what becomes of an event in a state, and what can be done about it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from engine.core.checks.coverage import Cover, coverage
from engine.core.flow import EXHAUSTED, TIMEOUT, State
from web.desk import Desk, unreached
from web.findings import Fix
from web.flow_words import Line, anywhere, event_label, lines
from web.i18n import gettext
from web.matrix import cover_words

__all__ = ["CellPanel", "cell_of", "cell_panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPanel:
    """A square. `words` say what becomes of the event, `why` the same in a sentence; `fixes` are edits of one click."""

    state: State
    event: str
    label: str
    cover: Cover
    words: str
    why: str
    lines: tuple[Line, ...]
    fixes: tuple[Fix, ...]
    own: bool
    """Whether arrows of its own are in it."""
    place: str
    """Where it is changed as a whole."""
    others: tuple[tuple[str, str], ...]
    """The other squares that have arrows: address and words."""
    problem: str = ""
    conflict: None = None


def cell_of(desk: Desk, name: str) -> tuple[str, str] | None:
    """The state and the event of a selection `STATE:event`; None where there are none such."""
    state, _, event = name.partition(":")
    known = state in desk.flow.states and (event in desk.flow.events or event in (TIMEOUT, EXHAUSTED))
    return (state, event) if known else None


def cell_panel(desk: Desk, state: str, event: str, problem: str = "") -> CellPanel:
    """The panel of a square that there is; `problem` is why it could not be changed."""
    flow = desk.flow
    cover = (desk.covers or coverage(flow, unreached(desk.findings)))[state, event]
    label = event_label(flow, event, flow.states[state])
    return CellPanel(
        state=flow.states[state],
        event=event,
        label=label,
        cover=cover,
        words=cover_words(flow, cover, state, event),
        why=_why(cover) % {"state": state, "event": label},
        lines=(*lines(flow, flow.own_group(state, event)), *(t for t in anywhere(flow, state) if t.event == label)),
        fixes=tuple(_fixes(desk, state, event, cover)),
        own=bool(flow.own_group(state, event)),
        place=f"{desk.base}/cells/{quote(state)}/{quote(event)}",
        others=tuple(_others(desk, state, event)),
        problem=problem,
    )


def _others(desk: Desk, state: str, event: str) -> Iterator[tuple[str, str]]:
    squares = dict.fromkeys(
        (t.frm or "", t.on) for box in desk.states for t in desk.flow.transitions if t.frm == box.name
    )
    for frm, on in squares:
        if (frm, on) != (state, event):
            yield f"{frm}:{on}", f"{frm} · {event_label(desk.flow, on, desk.flow.states.get(frm))}"


def _why(cover: Cover) -> str:
    return {
        Cover.HANDLED: gettext("In %(state)s, an arrow answers “%(event)s”, whatever the conversation's data are."),
        Cover.FALLS_BACK: gettext(
            "In %(state)s, “%(event)s” has no arrow of its own: a more general event answers it."
        ),
        Cover.PARTLY: gettext("In %(state)s, the conditions of the arrows may leave “%(event)s” without an answer."),
        Cover.IGNORED: gettext("In %(state)s, “%(event)s” is recorded and not answered, because the flow says so."),
        Cover.LOST: gettext("In %(state)s, nobody answers “%(event)s”: the message is recorded and that is all."),
        Cover.NOTHING: gettext("In %(state)s, “%(event)s” changes nothing: it is recorded and ignored."),
    }[cover]


def _fixes(desk: Desk, state: str, event: str, cover: Cover) -> list[Fix]:
    """Saying that it is on purpose, and letting the event count as the general one where that is answered."""
    flow = desk.flow
    if cover not in (Cover.LOST, Cover.PARTLY):
        return []
    found = []
    general, kind = flow.general_message, flow.events.get(event)
    answered = flow.own_group(state, general) or flow.global_group(state, general)
    if kind is not None and event != general and kind.falls_back_to is None and answered:
        edit: dict[str, object] = {"op": "set_event", "id": event, "field": "falls_back_to", "value": general}
        found.append(
            Fix(gettext("Treat it as “%(event)s”") % {"event": event_label(flow, general)}, json.dumps([edit]))
        )
    edit = {"op": "ignore", "state": state, "event": event}
    found.append(Fix(gettext("Ignore it here on purpose"), json.dumps([edit])))
    return found
