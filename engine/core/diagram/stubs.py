"""What shows beyond the edge of a phase: a stub for each state of another one, and a stub for each phase that leads here."""

from collections.abc import Iterable

from engine.core.diagram.cells import LARGE, SMALL, Ink, text
from engine.core.diagram.graph import Drawing
from engine.core.diagram.labels import key, shown
from engine.core.diagram.rows import spoken
from engine.core.flow import State
from engine.core.sentences import number, state_sentence

PHASE = {"pt": "fase {}", "en": "phase {}"}
FROM_PHASE = {"pt": "Vem da fase {}", "en": "From phase {}"}
ARROW, ARROWS = {"pt": "{} seta", "en": "{} arrow"}, {"pt": "{} setas", "en": "{} arrows"}
STATE, STATES = {"pt": "{} estado", "en": "{} state"}, {"pt": "{} estados", "en": "{} states"}


def counted(one: dict[str, str], many: dict[str, str], count: int, language: str) -> str:
    """A number with its noun."""
    return spoken(one if count == 1 else many, language).format(number(count, language))


def stub(state: State, look: Drawing, colour: Ink) -> str:
    """The label of a state of another phase: its name, and which phase that is."""
    phase = spoken(PHASE, look.language).format(look.beyond.stubs[state.name])
    said = f"{state_sentence(state, look.language).removesuffix('.')}, {phase}."
    return _dashed(f"s:{key(state.name)}", said, state.name, phase, colour)


def coming_in(look: Drawing, colour: Ink) -> Iterable[str]:
    """A stub for each phase from which arrows come, and how many they are to each state; they are drawn over there."""
    incoming = look.beyond.incoming
    for phase in sorted({phase for phase, _ in incoming}):
        name = spoken(FROM_PHASE, look.language).format(phase)
        total = sum(count for (origin, _), count in incoming.items() if origin == phase)
        words = counted(ARROW, ARROWS, total, look.language)
        label = _dashed(f"p:{phase}", f"{name}, {words}.", name, words, colour)
        yield f'  "@phase{phase}" [id="p-{phase}", class="portal", label=<{label}>];'
    for (phase, state), count in sorted(incoming.items()):
        words = counted(ARROW, ARROWS, count, look.language)
        yield (
            f'  "@phase{phase}" -> "{key(state)}" [class="ar e-msg", style=dotted, color="{colour["edge"]}", '
            f"penwidth=1.4, weight=2, label=<{said_beside(words, colour)}>];"
        )


def said_beside(words: str, colour: Ink) -> str:
    """The label of a line that stands for several arrows."""
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD WIDTH="4"></TD>'
        f'<TD BGCOLOR="{colour["canvas"]}"><TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR>'
        f"{text(words, 'muted', colour, SMALL).markup}</TR></TABLE></TD></TR></TABLE>"
    )


def _dashed(target: str, said: str, name: str, below: str, colour: Ink) -> str:
    rows = text(name, "ink", colour, LARGE, bold=True).markup, text(below, "muted", colour, SMALL).markup
    inner = "".join(f"<TR>{row}</TR>" for row in rows)
    return (
        f'<TABLE BORDER="1" STYLE="ROUNDED,DASHED" COLOR="{colour["edge"]}" BGCOLOR="{colour["canvas"]}" CELLBORDER="0" '
        f'CELLSPACING="0" CELLPADDING="0"><TR><TD HREF="#{target}" TITLE="{shown(said)}" CELLPADDING="4" ALIGN="LEFT">'
        f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{inner}</TABLE></TD></TR></TABLE>'
    )
