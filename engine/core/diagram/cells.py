"""Cells of HTML-like labels: an icon, a text of known width, a chip, a row that is as wide as its neighbours.

Icons. An icon's cell is empty and its background names icon and token (`#1eIITT`); whoever finishes the SVG puts the
symbol there. Image files were tried first: this Graphviz leaves them out of PNG without a word, and in SVG they would
have no colour of the page. An id on the cell was tried too: Graphviz writes it only around links, and links must not
nest. DOT that leaves the house (`icons=False`) keeps the empty cell, so that its layout is the same.

Width. Tables inside cells stretch to their cell and share the slack among all columns, so every row gets a last, empty
cell as wide as what it lacks; widths come from `metrics`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.diagram.icons import ICONS
from engine.core.diagram.labels import clean, escaped
from engine.core.diagram.metrics import width
from engine.core.diagram.palette import TOKENS, Theme, colours

ICON_NAMES = tuple(ICONS)
SMALL, NORMAL, LARGE = 10, 11, 12
GAP = 2
"""Points between the cells of a row."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a row: its markup and how many points wide it is."""

    markup: str
    width: float


@dataclass(frozen=True, slots=True)
class Ink:
    """A theme's colours, ready for markup."""

    table: Mapping[str, str]
    icons: bool = True

    def __getitem__(self, token: str) -> str:
        return self.table[token]


def ink(theme: Theme, *, icons: bool) -> Ink:
    return Ink(colours(theme), icons)


def icon_code(name: str, token: str) -> str:
    """The colour that stands for an icon in a token's colour; Graphviz writes colours in small letters."""
    return f"#1e{ICON_NAMES.index(name):02x}{TOKENS.index(token):02x}"


def icon(name: str, token: str, colour: Ink, size: int = NORMAL) -> Cell:
    """An icon in a token's colour."""
    code = f' BGCOLOR="{icon_code(name, token)}"' if colour.icons else ""
    return Cell(f'<TD FIXEDSIZE="TRUE" WIDTH="{size}" HEIGHT="{size}"{code}></TD>', size)


def text(
    words: str,
    token: str,
    colour: Ink,
    size: int = NORMAL,
    *,
    bold: bool = False,
    struck: bool = False,
    longest: int = 60,
) -> Cell:
    """A text, cut to what a diagram can bear; the sentence in TITLE has the rest."""
    said = clean(words, longest)
    wide = width(said, size, bold=bold) + 2
    inner = f"<S>{escaped(said)}</S>" if struck and said else escaped(said)
    inner = f"<B>{inner}</B>" if bold and said else inner
    font = f'<FONT POINT-SIZE="{size}" COLOR="{colour[token]}">{inner}</FONT>' if said else ""
    return Cell(f'<TD ALIGN="LEFT" WIDTH="{wide:.0f}">{font}</TD>', round(wide))


def chip(words: str, token: str, border: str, colour: Ink) -> Cell:
    """A boxed text: the condition of a transition."""
    said = clean(words, 40)
    wide = width(said, SMALL) + 8
    return Cell(
        f'<TD BORDER="1" STYLE="ROUNDED" COLOR="{colour[border]}" BGCOLOR="{colour["canvas"]}" CELLPADDING="2" '
        f'WIDTH="{wide:.0f}"><FONT POINT-SIZE="{SMALL}" COLOR="{colour[token]}">{escaped(said)}</FONT></TD>',
        round(wide),
    )


def pill(words: str, fill: str, border: str, token: str, colour: Ink) -> Cell:
    """A small filled box with a number."""
    wide = max(24, round(width(words, SMALL, bold=True) + 10))
    return Cell(
        f'<TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="16"><TABLE BORDER="1" STYLE="ROUNDED" COLOR="{colour[border]}" '
        f'BGCOLOR="{colour[fill]}" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD WIDTH="{wide - 2}" '
        f'HEIGHT="14"><FONT POINT-SIZE="{SMALL}" COLOR="{colour[token]}"><B>{escaped(words)}</B></FONT></TD></TR></TABLE></TD>',
        wide,
    )


def blank(points: float) -> Cell:
    """Nothing, that wide."""
    return Cell(f'<TD WIDTH="{points:.0f}"></TD>', points)


def length(cells: tuple[Cell, ...]) -> float:
    """How wide a row of cells is, gaps and margins of its table included."""
    return sum(cell.width for cell in cells) + GAP * (len(cells) + 1)


def line(cells: tuple[Cell, ...], wide: float) -> str:
    """A table of one row, as wide as asked."""
    lacking = wide - length(cells) - GAP
    filled = (*cells, blank(lacking)) if lacking > 1 else cells
    row = "".join(cell.markup for cell in filled)
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="{GAP}"><TR>{row}</TR></TABLE>'
