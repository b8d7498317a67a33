"""One transition as a row of cells: icon, event, condition, variant, action, approval; the same on an arrow and inside a box."""

from engine.core.diagram.cells import SMALL, Cell, Ink, chip, icon, length, line, text
from engine.core.diagram.graph import ADDED, CHANGED, REMOVED, Drawing, Mark
from engine.core.diagram.icons import EVENT_ICONS
from engine.core.diagram.labels import LONGEST_SENTENCE, NOTE, key, shown
from engine.core.diagram.palette import KINDS
from engine.core.flow import PREVIOUS, Flow, Source, Transition
from engine.core.sentences import (
    action_names,
    condition,
    event_name,
    needs_approval,
    number,
    source,
    transition_sentence,
    variant,
)

EVENT_TOKENS = {Source.PAYMENT: "pay", Source.CLOCK: "clock"}
OTHERWISE = {"pt": "senão", "en": "otherwise"}
SIGNS = {ADDED: "+ ", CHANGED: "~ ", REMOVED: "− "}
"""Before the name of what differs from another version: colour alone is no sign."""
EXCEPTING = {"pt": "menos {}", "en": "except {}"}


def spoken(table: dict[str, str], language: str) -> str:
    """The word of a language's table: English when the tag starts with en, else Portuguese."""
    return table["en" if language.startswith("en") else "pt"]


def mark_of(transition: Transition, look: Drawing) -> Mark | None:
    """How a transition differs from another version."""
    return look.marks.get(f"t:{transition.id}")


def is_stressed(transition: Transition, look: Drawing) -> bool:
    """Whether the transition is selected, was walked, differs or has a problem."""
    ident = transition.id
    chosen = look.selected == f"t:{ident}"
    return chosen or ident in look.problems or ident in look.walked or mark_of(transition, look) is not None


def cells(flow: Flow, transition: Transition, look: Drawing, colour: Ink) -> tuple[Cell, ...]:
    """The row's cells, without what the box adds in front."""
    origin = source(flow, transition.on)
    wrong = transition.id in look.problems
    mark = mark_of(transition, look)
    token = "err" if wrong else mark or EVENT_TOKENS.get(origin, "ink")
    event = event_name(flow, transition.on, flow.states.get(transition.frm or ""), look.language)
    sign, gone = SIGNS[mark] if mark else "", mark == REMOVED
    named = [text(transition.id, "muted", colour, SMALL)] if look.ids else []
    said = text(f"{sign}{event}", token, colour, bold=is_stressed(transition, look), struck=gone)
    row = [*named, icon(EVENT_ICONS[origin], token, colour), said]
    if transition.otherwise or transition.when is not None:
        asked = spoken(OTHERWISE, look.language) if transition.otherwise else condition(transition, look.language)
        strong = "err" if wrong else mark
        row.append(chip(asked, strong or "muted", strong or "hair", colour))
    if drawn := variant(flow, transition):
        row.append(chip(drawn, mark or "muted", mark or "hair", colour))
    doing = action_names(flow, transition, look.language)
    if doing and look.actions:
        row.append(text(f"→ {doing}", "muted", colour, SMALL))
    if transition.excepting:
        names = ", ".join(sorted(transition.excepting))
        row.append(text(spoken(EXCEPTING, look.language).format(names), "muted", colour, SMALL))
    if needs_approval(flow, transition):
        row.append(icon("hand", "humano-bd", colour))
    if look.notes and transition.note:
        row.append(icon("note", "muted", colour))
    return tuple(row)


def staying(
    flow: Flow, transition: Transition, look: Drawing, colour: Ink, went: int | None = None
) -> tuple[Cell, ...]:
    """The cells of a row inside a box: it starts with the sign of staying, of going back to where one was, or of going
    where too many lines lead to draw them all; then it ends with that state and how many conversations `went` there.
    """
    row = cells(flow, transition, look, colour)
    if transition.to in {transition.frm, PREVIOUS}:
        return (icon("undo" if transition.to == PREVIOUS else "loop", "muted", colour), *row)
    kind = KINDS[flow.states[transition.to].look]
    row = (icon("out", "muted", colour), *row, chip(transition.to, f"{kind}-fg", f"{kind}-bd", colour))
    return row if went is None else (*row, text(number(went, look.language), "muted", colour, SMALL, bold=True))


def linked(
    flow: Flow, transition: Transition, look: Drawing, row: tuple[Cell, ...], *, wide: float, paper: str = ""
) -> str:
    """The row as a cell that leads to its transition and says it as a sentence."""
    said = noted(transition_sentence(flow, transition, look.language), transition.note, look)
    return f'<TD HREF="#t:{key(transition.id)}" TITLE="{said}" ALIGN="LEFT"{paper}>{line(row, wide)}</TD>'


def noted(sentence: str, note: str | None, look: Drawing) -> str:
    """A sentence for a tooltip, with the team's note after it where notes are shown."""
    return shown(f"{sentence}{NOTE}{note}" if look.notes and note else sentence, LONGEST_SENTENCE)


def widest(rows: list[tuple[Cell, ...]]) -> float:
    """The width that all rows get."""
    return max(map(length, rows))
