"""A file of people as text: which lines are people, which are not and why. Any bytes become rows or reasons.

Columns are recognised by their heads (phone, name, email, tags, optin_at, optin_proof, or the Portuguese words for them)
and may be told otherwise. Nothing here knows who is known already.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core import identity
from engine.core.contact_dates import moment
from engine.core.flow import Millis
from engine.core.folding import fold, sanitise

__all__ = ["COLUMNS", "LARGEST", "MOST_ROWS", "Person", "Reading", "Trouble", "columns_of", "decoded", "people", "rows"]

LARGEST = 4 * 1024 * 1024
"""Bytes of a file."""
MOST_ROWS, MOST_COLUMNS, LONGEST, MOST_TAGS = 10_000, 60, 500, 20

COLUMNS = ("phone", "name", "email", "tags", "optin_at", "optin_proof")
HEADS: Mapping[str, tuple[str, ...]] = {
    "phone": ("phone", "telefone", "fone", "celular", "whatsapp", "numero", "number", "tel", "mobile"),
    "name": ("name", "nome", "cliente", "contato", "nome completo", "full name"),
    "email": ("email", "e-mail", "e mail", "mail"),
    "tags": ("tags", "tag", "etiquetas", "etiqueta"),
    "optin_at": ("optin_at", "opt-in", "optin", "data do consentimento", "data consentimento", "data", "consent date"),
    "optin_proof": ("optin_proof", "consentimento", "prova", "origem", "consent", "proof", "source"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A line that is a person. `phone` is canonical digits, `optin_at` None where the line does not say."""

    line: int
    phone: str
    spelled: str
    name: str = ""
    email: str = ""
    tags: tuple[str, ...] = ()
    optin_at: Millis | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that was not taken: `reason` is a code, `cell` what stands there."""

    line: int
    reason: str
    cell: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says. `columns` maps our names to the places of theirs."""

    heads: tuple[str, ...]
    columns: Mapping[str, int]
    people: tuple[Person, ...] = ()
    troubles: tuple[Trouble, ...] = field(default=())


def decoded(raw: bytes) -> str:
    """The text of a file: UTF-8 with or without its mark, UTF-16 with one, else Latin-1 as Excel writes it here."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every line that holds anything; at most one more than MOST_ROWS and the heads."""
    clean = "".join(c for c in text if c in "\n\r\t" or c >= " ").replace("\r\n", "\n").replace("\r", "\n")
    reader = csv.reader(io.StringIO(clean), delimiter=_delimiter(clean), strict=False)
    taken = 0
    while taken <= MOST_ROWS + 1:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a cell longer than the reader takes: the line says so by itself
            cells = ["\ufffd"]
        if any(cell.strip() for cell in cells):
            taken += 1
            yield reader.line_num, [cell[: LONGEST + 1].strip() for cell in cells[:MOST_COLUMNS]]


def columns_of(heads: Sequence[str]) -> dict[str, int]:
    """The places of the columns that we know by their heads."""
    folded = [fold(head).replace("_", " ").strip() for head in heads]
    found: dict[str, int] = {}
    for column, known in HEADS.items():
        names = [fold(name).replace("_", " ") for name in known]
        places = [names.index(head) * MOST_COLUMNS + at for at, head in enumerate(folded) if head in names]
        free = [place for place in sorted(places) if place % MOST_COLUMNS not in found.values()]
        if free:
            found[column] = free[0] % MOST_COLUMNS
    return found


def people(text: str, now: Millis, zone: str, chosen: Mapping[str, int] | None = None) -> Reading:
    """Every line as a person or as trouble. `chosen` are columns that somebody chose instead of those recognised.

    A number that stands twice in the file is one person: the first line counts, what it lacks comes from the others.
    """
    lines = rows(text)
    _, heads = next(lines, (0, []))
    columns = {**columns_of(heads), **(chosen or {})}
    columns = {name: at for name, at in columns.items() if name in COLUMNS and 0 <= at < len(heads)}
    if "phone" not in columns:
        return Reading(tuple(heads), columns, troubles=(Trouble(1, "no_phone_column"),))
    found: dict[str, Person] = {}
    troubles: list[Trouble] = []
    for count, (line, cells) in enumerate(lines):
        if count == MOST_ROWS:
            troubles.append(Trouble(line, "too_many_rows", str(MOST_ROWS)))
            break
        made = _person(line, cells, columns, now, zone)
        if isinstance(made, Trouble):
            troubles.append(made)
        elif made.phone in found:
            found[made.phone] = _joined(found[made.phone], made)
            troubles.append(Trouble(line, "twice_in_file", made.spelled))
        else:
            found[made.phone] = made
    return Reading(tuple(heads), columns, tuple(found.values()), tuple(troubles))


def _person(line: int, cells: Sequence[str], columns: Mapping[str, int], now: Millis, zone: str) -> Person | Trouble:
    def cell(name: str) -> str:
        at = columns.get(name, len(cells))
        return sanitise(cells[at])[0].strip() if at < len(cells) else ""

    long = next((name for name in columns if len(cell(name)) > LONGEST), None)
    if long is not None:
        return Trouble(line, "cell_too_long", cell(long)[:40])
    spelled = cell("phone")
    phone = identity.key(spelled.removeprefix("'"))
    if not spelled:
        return Trouble(line, "no_phone")
    if not phone.isascii() or not phone.isdigit() or not 10 <= len(phone) <= 15 or phone.startswith("0"):
        return Trouble(line, "phone_unreadable", spelled[:40])
    if phone.startswith(identity.BRAZIL) and not identity.is_brazilian(phone):
        return Trouble(line, "phone_unreadable", spelled[:40])
    email = cell("email")
    if email and (email.count("@") != 1 or email.startswith("@") or "." not in email.partition("@")[2] or " " in email):
        return Trouble(line, "email_unreadable", email[:80])
    said = cell("optin_at")
    optin_at = moment(said, zone) if said else None
    if said and optin_at is None:
        return Trouble(line, "date_unreadable", said[:40])
    if optin_at is not None and optin_at > now:
        return Trouble(line, "date_in_future", said[:40])
    tags = tuple(
        dict.fromkeys(t for tag in cell("tags").replace(";", ",").replace("|", ",").split(",") if (t := tag.strip()))
    )
    if len(tags) > MOST_TAGS:
        return Trouble(line, "too_many_tags", str(len(tags)))
    return Person(
        line=line,
        phone=phone,
        spelled=spelled,
        name=cell("name")[:200],
        email=email.lower(),
        tags=tags,
        optin_at=optin_at,
        words=cell("optin_proof"),
    )


def _joined(first: Person, other: Person) -> Person:
    return Person(
        line=first.line,
        phone=first.phone,
        spelled=first.spelled,
        name=first.name or other.name,
        email=first.email or other.email,
        tags=tuple(dict.fromkeys((*first.tags, *other.tags))),
        optin_at=first.optin_at if first.optin_at is not None else other.optin_at,
        words=first.words or other.words,
    )


def _delimiter(text: str) -> str:
    """Whichever stands most often in the first line."""
    head = next((line for line in text.split("\n") if line.strip()), "")
    return max(";,\t", key=lambda sign: (head.count(sign), sign == ";"))
