"""A state as a box: its header with icon, name and count, and below it a row for each transition that stays, and for what
comes in from other phases.
"""

from engine.core.diagram.cells import LARGE, Cell, Ink, blank, icon, length, line, pill, text
from engine.core.diagram.graph import ANY, REMOVED, Drawing, Graph, is_clock
from engine.core.diagram.icons import STATE_ICONS
from engine.core.diagram.labels import key
from engine.core.diagram.palette import FINISHED, KINDS, heat
from engine.core.diagram.rows import SIGNS, linked, mark_of, noted, spoken, staying, widest
from engine.core.diagram.stubs import arrivals
from engine.core.flow import PREVIOUS, Look, State, Transition
from engine.core.sentences import number, state_sentence

PLAIN_BORDER, DIFFERENT_BORDER, SELECTED_BORDER, CURRENT_BORDER = "1.4", "2.4", "3", "3.5"
ANYWHERE = {"pt": "DE QUALQUER ESTADO", "en": "FROM ANY STATE"}
BEFORE = {"pt": "ESTADO ANTERIOR", "en": "STATE BEFORE"}
TABLE = 'CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'


def box(drawn: Graph, state: State, look: Drawing, colour: Ink) -> str:
    """The HTML-like label of a state."""
    kind = KINDS[state.look]
    own = drawn.inside.get(state.name, ())
    went = _went(drawn, own, look)
    rows = [staying(drawn.flow, t, look, colour, went.get(t.id)) for t in own]
    arriving = arrivals(state.name, look, colour, drawn.gathered.get(state.name, 0))
    every = [*rows, *(row for _, row in arriving)]
    gone = look.marks.get(f"s:{state.name}") == REMOVED
    words, ground = ("del", "del-bg") if gone else (f"{kind}-fg", f"{kind}-bg")
    head: tuple[Cell, ...] = (icon(STATE_ICONS[state.look], words, colour, 13), _name(state, words, look, colour))
    if look.notes and state.note:
        head = (*head, icon("note", words, colour))
    count = _count(state, look, colour)
    inner = max(length(head) + (count.width + 12 if count else 0), widest(every) if every else 0)
    if count is not None:
        head = (*head, blank(inner - length((*head, count)) - 2), count)
    said = noted(state_sentence(state, look.language, _counted(state, look)), state.note, look)
    body = (
        f'<TR><TD HREF="#s:{key(state.name)}" TITLE="{said}" CELLPADDING="4" ALIGN="LEFT">{line(head, inner)}</TD></TR>'
    )
    border, edge = _border(state, kind, look)
    style = "ROUNDED,DASHED" if gone else "ROUNDED"
    if every:
        listed = "".join(
            f"<TR>{linked(drawn.flow, t, look, row, wide=inner)}</TR>" for t, row in zip(own, rows, strict=True)
        ) + "".join(f"<TR>{start}{line(row, inner)}</TD></TR>" for start, row in arriving)
        body += (
            f'<TR><TD CELLPADDING="2" BORDER="1" SIDES="T" COLOR="{colour[edge]}"><TABLE BORDER="0" CELLBORDER="0" '
            f'CELLSPACING="0" CELLPADDING="1" STYLE="ROUNDED" BGCOLOR="{colour["canvas"]}">{listed}</TABLE></TD></TR>'
        )
    table = (
        f'<TABLE BORDER="{border}" {TABLE} STYLE="{style}" COLOR="{colour[edge]}" BGCOLOR="{colour[ground]}">'
        f"{body}</TABLE>"
    )
    if state.look in {Look.WON, Look.OUT}:  # a second outline: nothing leads out of here
        table = (
            f'<TABLE BORDER="1" STYLE="ROUNDED" COLOR="{colour[edge]}" CELLBORDER="0" CELLPADDING="2" '
            f'CELLSPACING="0"><TR><TD>{table}</TD></TR></TABLE>'
        )
    return table


def _went(drawn: Graph, own: tuple[Transition, ...], look: Drawing) -> dict[str, int]:
    """How many conversations went along each line that is written in this box, said in the last of its rows."""
    if look.traffic is None:
        return {}
    lines = {(t.frm or "", t.to, is_clock(drawn.flow, t)): t.id for t in own if t.to not in {t.frm, PREVIOUS}}
    return {ident: look.traffic.get(line, 0) for line, ident in lines.items()}


def classes(drawn: Graph, state: State, look: Drawing) -> str:
    """The style classes of a state's group."""
    ends = {
        end
        for t in drawn.flow.arrows.values()
        if f"t:{t.id}" == look.selected or t.id in look.problems or t.id in look.walked
        for end in (t.frm, t.to)
    }
    marks = {
        "sel": look.selected == f"s:{state.name}",
        "cur": look.current == state.name,
        "err": state.name in look.problems,
        "rel": state.name in ends or any(mark_of(t, look) for t in drawn.inside.get(state.name, ())),
        f"d-{look.marks.get(f's:{state.name}')}": f"s:{state.name}" in look.marks,
    }
    return " ".join(["estado", f"k-{KINDS[state.look]}", *(mark for mark, holds in marks.items() if holds)])


def portal(name: str, look: Drawing, colour: Ink) -> str:
    """The label of the box that stands for every state, or for the state before."""
    sign, words = ("bolt", ANYWHERE) if name == ANY else ("undo", BEFORE)
    said = text(spoken(words, look.language), "global", colour, LARGE, bold=True)
    return (
        f'<TABLE BORDER="1" STYLE="ROUNDED,DASHED" COLOR="{colour["global"]}" BGCOLOR="{colour["canvas"]}" '
        f'CELLBORDER="0" CELLSPACING="3" CELLPADDING="1"><TR>{icon(sign, "global", colour, 13).markup}{said.markup}'
        "</TR></TABLE>"
    )


def _name(state: State, token: str, look: Drawing, colour: Ink) -> Cell:
    mark = look.marks.get(f"s:{state.name}")
    sign = SIGNS[mark] if mark else ""
    return text(f"{sign}{state.name}", token, colour, LARGE, bold=True, struck=mark == REMOVED)


def _counted(state: State, look: Drawing) -> int | None:
    return None if look.counts is None else look.counts.get(state.name, 0)


def _count(state: State, look: Drawing, colour: Ink) -> Cell | None:
    count = _counted(state, look)
    if count is None:
        return None
    step = 0 if state.look in FINISHED else heat(count)
    return pill(
        number(count, look.language), f"heat{step}", f"heat{step}" if step else "hair", f"heat{step}-fg", colour
    )


def _border(state: State, kind: str, look: Drawing) -> tuple[str, str]:
    """Thickness and colour token of the outline, the strongest reason last."""
    border, edge = PLAIN_BORDER, f"{kind}-bd"
    if mark := look.marks.get(f"s:{state.name}"):
        border, edge = DIFFERENT_BORDER, mark
    if look.selected == f"s:{state.name}":
        border, edge = SELECTED_BORDER, "accent"
    if look.current == state.name:
        border, edge = CURRENT_BORDER, "accent"
    if state.name in look.problems:
        border, edge = SELECTED_BORDER, "err"
    return border, edge
