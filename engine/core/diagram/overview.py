"""The overview of a flow that is drawn by phase, as DOT text: one box for each phase, one line for all arrows between two."""

from collections.abc import Sequence

from engine.core.diagram.cells import LARGE, Cell, Ink, blank, icon, ink, length, line, pill, text
from engine.core.diagram.dot import defaults
from engine.core.diagram.graph import Drawing
from engine.core.diagram.labels import shown
from engine.core.diagram.palette import heat
from engine.core.diagram.phases import Phase, between
from engine.core.diagram.stubs import ARROW, ARROWS, STATE, STATES, counted, said_beside
from engine.core.flow import Flow
from engine.core.sentences import number

KIND = "conversa"


def overview(flow: Flow, all_: Sequence[Phase], look: Drawing) -> str:
    """Same flow and look, same text. A box leads to the drawing of its phase, `#p:1`."""
    colour = ink(look.theme, icons=look.icons)
    lines = ["digraph fases {", *defaults(look, colour)]
    lines += [f'  "p{phase.number}" [{_box(phase, look, colour)}];' for phase in all_]
    for (start, end), count in between(flow, all_).items():
        words = counted(ARROW, ARROWS, count, look.language)
        pull = "weight=8" if start < end else "constraint=false, weight=1"
        lines.append(
            f'  "p{start}" -> "p{end}" [class="ar e-msg", style=solid, color="{colour["edge"]}", penwidth=1.4, {pull}, '
            f"label=<{said_beside(words, colour)}>];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _box(phase: Phase, look: Drawing, colour: Ink) -> str:
    holds = counted(STATE, STATES, len(phase.states), look.language)
    head: tuple[Cell, ...] = (
        icon("message", f"{KIND}-fg", colour, 13),
        text(f"{phase.number} · {phase.name}", f"{KIND}-fg", colour, LARGE, bold=True),
    )
    if look.counts is not None:
        people = sum(look.counts.get(name, 0) for name in phase.states)
        step = heat(people)
        border = f"heat{step}" if step else "hair"
        head = (*head, blank(8), pill(number(people, look.language), f"heat{step}", border, f"heat{step}-fg", colour))
    below = (text(holds, "muted", colour),)
    wide = max(length(head), length(below))
    wrong = any(name in look.problems for name in phase.states)
    edge, border = ("err", "3") if wrong else (f"{KIND}-bd", "1.4")
    said = shown(f"{phase.number} · {phase.name}, {holds}.")
    return (
        f'id="p-{phase.number}", class="estado k-{KIND}{" err" if wrong else ""}", '
        f'label=<<TABLE BORDER="{border}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" STYLE="ROUNDED" '
        f'COLOR="{colour[edge]}" BGCOLOR="{colour[f"{KIND}-bg"]}"><TR><TD HREF="#p:{phase.number}" TITLE="{said}" '
        f'CELLPADDING="4" ALIGN="LEFT">{line(head, wide)}</TD></TR>'
        f'<TR><TD CELLPADDING="4" ALIGN="LEFT">{line(below, wide)}</TD></TR></TABLE>>'
    )
