"""Files of people as pages show them: the columns, the first lines, what would be left out and why."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.contact_table import COLUMNS
from engine.core.flow import Millis
from engine.core.identity import display
from engine.core.spoofing import revealed
from engine.services.contact_files import Look
from engine.store.contact_files import StoredFile
from web.i18n import gettext
from web.words import moment, number

__all__ = [
    "Column",
    "Line",
    "ShownFile",
    "ShownLook",
    "chosen_of",
    "column_name",
    "reasons",
    "shown_file",
    "shown_look",
]

FIRST = 8
MOST_PROBLEMS = 200


@dataclass(frozen=True, slots=True)
class Column:
    """One of our columns, and which of theirs it is (-1: none)."""

    name: str
    label: str
    at: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was not taken."""

    line: int
    reason: str
    cell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLook:
    """A draft: what was recognised, the first people, the counts, the lines in trouble."""

    id: int
    name: str
    heads: tuple[tuple[int, str], ...]
    columns: tuple[Column, ...]
    first: tuple[tuple[str, ...], ...]
    people: int
    known: int
    opted_out: int
    without_proof: int
    troubles: tuple[Line, ...]
    more_troubles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFile:
    """A file that was taken in."""

    id: int
    name: str
    when: str
    who: str
    proof: str
    counts: tuple[tuple[str, str], ...]
    problems: tuple[Line, ...]
    more_problems: int


def column_name(column: str) -> str:
    """One of our columns in words."""
    return {
        "phone": gettext("Telephone"),
        "name": gettext("Name"),
        "email": gettext("E-mail"),
        "tags": gettext("Tags"),
        "optin_at": gettext("Consent: when"),
        "optin_proof": gettext("Consent: where from"),
    }[column]


def reasons() -> dict[str, str]:
    """Why a line was not taken, or is left out."""
    return {
        "phone_unreadable": gettext("not a telephone number"),
        "no_phone": gettext("without a telephone number"),
        "email_unreadable": gettext("not an e-mail address"),
        "date_unreadable": gettext("not a date"),
        "date_in_future": gettext("a date in the future"),
        "cell_too_long": gettext("a cell that is too long"),
        "too_many_tags": gettext("too many tags"),
        "too_many_rows": gettext("more lines than one file may have: this one and those after it were left"),
        "twice_in_file": gettext("the number stands in the file already: the lines were put together"),
        "no_phone_column": gettext("no column is the telephone"),
        "no_proof": gettext("taken in, left out of campaigns: no proof of consent"),
        "opted_out": gettext("taken in, left out of campaigns: asked for no more messages"),
    }


def chosen_of(typed: Mapping[str, str]) -> dict[str, int]:
    """The columns that somebody chose; -1 is none."""
    given = {name: typed.get(f"column.{name}", "") for name in COLUMNS}
    return {name: int(value) for name, value in given.items() if value.lstrip("-").isdecimal() and len(value) < 4}


def shown_look(look: Look) -> ShownLook:
    """A draft in the current language."""
    reading, words = look.reading, reasons()
    first = [
        (display(p.phone), revealed(p.name), p.email, ", ".join(p.tags), _when(p.optin_at), p.words)
        for p in reading.people[:FIRST]
    ]
    troubles = [Line(t.line, words.get(t.reason, t.reason), t.cell) for t in reading.troubles]
    return ShownLook(
        id=look.file.id,
        name=look.file.name,
        heads=tuple(enumerate(reading.heads)),
        columns=tuple(Column(name, column_name(name), reading.columns.get(name, -1)) for name in COLUMNS),
        first=tuple(first),
        people=len(reading.people),
        known=look.known,
        opted_out=look.opted_out,
        without_proof=look.without_proof,
        troubles=tuple(troubles[:MOST_PROBLEMS]),
        more_troubles=max(0, len(troubles) - MOST_PROBLEMS),
    )


def shown_file(file: StoredFile) -> ShownFile:
    """A file that was taken in, in the current language."""
    words = reasons()
    labels = {
        "people": gettext("People"),
        "new": gettext("New"),
        "known": gettext("Known before"),
        "proved": gettext("With proof of consent"),
        "no_proof": gettext("Without proof"),
        "opted_out": gettext("Out of messages"),
        "refused": gettext("Lines with a remark"),
    }
    return ShownFile(
        id=file.id,
        name=file.name,
        when=moment(file.at),
        who=file.who,
        proof=file.proof,
        counts=tuple((label, number(file.facts.get(key, 0))) for key, label in labels.items()),
        problems=tuple(
            Line(line, words.get(reason, reason), cell) for line, reason, cell in file.problems[:MOST_PROBLEMS]
        ),
        more_problems=max(0, len(file.problems) - MOST_PROBLEMS),
    )


def _when(at: Millis | None) -> str:
    return "" if at is None else moment(at)
