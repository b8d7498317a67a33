"""What shows of lines that are not drawn: beyond the edge of a phase a stub for each state where its arrows lead and a row for
each phase that leads here, and in a box where too many lines lead how many there are.
"""

from engine.core.diagram.cells import LARGE, SMALL, Cell, Ink, icon, text
from engine.core.diagram.graph import Drawing
from engine.core.diagram.labels import key, shown
from engine.core.diagram.rows import spoken
from engine.core.flow import State
from engine.core.sentences import number, state_sentence

PHASE = {"pt": "fase {}", "en": "phase {}"}
FROM_PHASE_ONE = {"pt": "{} seta da fase #", "en": "{} arrow from phase #"}
FROM_PHASE = {"pt": "{} setas da fase #", "en": "{} arrows from phase #"}
FROM_BOX = {"pt": "+ {} seta escrita na sua caixa", "en": "+ {} arrow written in its box"}
FROM_BOXES = {"pt": "+ {} setas escritas nas suas caixas", "en": "+ {} arrows written in their boxes"}
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


def arrivals(state: str, look: Drawing, colour: Ink, gathered: int = 0) -> list[tuple[str, tuple[Cell, ...]]]:
    """What comes to a state from each other phase, and the arrows that are rows of other boxes, where it is drawn: the
    beginning of a cell that leads there, its cells.
    """
    found: list[tuple[str, tuple[Cell, ...]]] = []
    if gathered:
        words = counted(FROM_BOX, FROM_BOXES, gathered, look.language)
        found.append(('<TD ALIGN="LEFT">', (icon("enter", "muted", colour), text(words, "muted", colour, SMALL))))
    for (phase, name), count in sorted(look.beyond.incoming.items()):
        if name == state:
            words = counted(FROM_PHASE_ONE, FROM_PHASE, count, look.language).replace("#", str(phase))
            start = f'<TD HREF="#p:{phase}" TITLE="{shown(f"{state}: {words}.")}" ALIGN="LEFT">'
            found.append((start, (icon("enter", "muted", colour), text(words, "muted", colour, SMALL))))
    return found


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
