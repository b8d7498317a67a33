"""One transition as a row of cells: icon, event, condition, action, approval; the same on an arrow and inside a box."""

from engine.core.diagram.cells import SMALL, Cell, Ink, chip, icon, length, line, text
from engine.core.diagram.graph import Drawing
from engine.core.diagram.icons import EVENT_ICONS
from engine.core.diagram.labels import LONGEST_SENTENCE, key, shown
from engine.core.flow import PREVIOUS, Flow, Source, Transition
from engine.core.sentences import action_names, condition, event_name, needs_approval, source, transition_sentence

EVENT_TOKENS = {Source.PAYMENT: "pay", Source.CLOCK: "clock"}
OTHERWISE = {"pt": "senão", "en": "otherwise"}
EXCEPTING = {"pt": "menos {}", "en": "except {}"}


def spoken(table: dict[str, str], language: str) -> str:
    """The word of a language's table: English when the tag starts with en, else Portuguese."""
    return table["en" if language.startswith("en") else "pt"]


def is_stressed(transition: Transition, look: Drawing) -> bool:
    """Whether the transition is selected, was walked or has a problem."""
    return look.selected == f"t:{transition.id}" or transition.id in look.problems or transition.id in look.walked


def cells(flow: Flow, transition: Transition, look: Drawing, colour: Ink) -> tuple[Cell, ...]:
    """The row's cells, without what the box adds in front."""
    origin = source(flow, transition.on)
    wrong = transition.id in look.problems
    token = "err" if wrong else EVENT_TOKENS.get(origin, "ink")
    event = event_name(flow, transition.on, flow.states.get(transition.frm or ""), look.language)
    row = [icon(EVENT_ICONS[origin], token, colour), text(event, token, colour, bold=is_stressed(transition, look))]
    if transition.otherwise or transition.when is not None:
        asked = spoken(OTHERWISE, look.language) if transition.otherwise else condition(transition, look.language)
        row.append(chip(asked, "err" if wrong else "muted", "err" if wrong else "hair", colour))
    doing = action_names(flow, transition, look.language)
    if doing and look.actions:
        row.append(text(f"→ {doing}", "muted", colour, SMALL))
    if transition.excepting:
        names = ", ".join(sorted(transition.excepting))
        row.append(text(spoken(EXCEPTING, look.language).format(names), "muted", colour, SMALL))
    if needs_approval(flow, transition):
        row.append(icon("hand", "humano-bd", colour))
    return tuple(row)


def staying(flow: Flow, transition: Transition, look: Drawing, colour: Ink) -> tuple[Cell, ...]:
    """The cells of a row inside a box: it starts with the sign of staying, or of going back to where one was."""
    sign = "undo" if transition.to == PREVIOUS else "loop"
    return (icon(sign, "muted", colour), *cells(flow, transition, look, colour))


def linked(
    flow: Flow, transition: Transition, look: Drawing, row: tuple[Cell, ...], *, wide: float, paper: str = ""
) -> str:
    """The row as a cell that leads to its transition and says it as a sentence."""
    said = shown(transition_sentence(flow, transition, look.language), LONGEST_SENTENCE)
    return f'<TD HREF="#t:{key(transition.id)}" TITLE="{said}" ALIGN="LEFT"{paper}>{line(row, wide)}</TD>'


def widest(rows: list[tuple[Cell, ...]]) -> float:
    """The width that all rows get."""
    return max(map(length, rows))
