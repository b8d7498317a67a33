"""A file of a flow as a form brings it: its bytes or its text, kept to be put right, and its mistakes in words."""

from dataclasses import dataclass

from litestar.datastructures import UploadFile

from engine.core.document_messages import sentence
from engine.core.errors import InvalidDocument
from web import forms, i18n
from web.i18n import gettext
from web.visitor import AppRequest

__all__ = ["LARGEST", "Chosen", "Wrong", "chosen", "mistakes"]

LARGEST = 5 * 1024 * 1024
SHOWN_AGAIN = 300_000
"""Characters of a text that a page can bear to hold; a longer file has to be chosen again."""
MOST_MISTAKES = 30


@dataclass(frozen=True, slots=True)
class Wrong:
    """One mistake: where, which line of the text that is when it can be told, and what to do."""

    place: str
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was sent. `text` is what the page shows again, "" when it is too long or no text; `clash` says what to do
    when the name is taken, `taken` that it is.
    """

    content: bytes = b""
    name: str = ""
    text: str = ""
    clash: str = ""
    problem: str = ""
    taken: str = ""
    mistakes: tuple[Wrong, ...] = ()


async def chosen(request: AppRequest) -> Chosen:
    """The file of the form if one was chosen, else the text in it."""
    form = await forms.read(request)
    clash = str(form.get("clash", ""))
    file, typed = form.get("file"), form.get("text")
    if isinstance(file, UploadFile) and file.filename:
        content, name = await file.read(LARGEST + 1), file.filename
    else:
        # Not through forms.fields, which cuts what is longer than a field: a document may be.
        content, name = (typed if isinstance(typed, str) else "").encode("utf-8", "ignore"), ""
    if len(content) > LARGEST:
        words = gettext("The file is larger than %(limit)s MB.") % {"limit": LARGEST // 1024 // 1024}
        return Chosen(b"{}", name, clash=clash, problem=words)
    if not content.strip():
        return Chosen(b"", name, clash=clash, problem=gettext("Choose a file, or paste its text."))
    return Chosen(content, name, _shown(content), clash)


def _shown(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig").replace("\x00", "")
    except UnicodeDecodeError:
        return ""
    return text if len(text) <= SHOWN_AGAIN else ""


def mistakes(error: InvalidDocument) -> tuple[Wrong, ...]:
    """The mistakes, the first of many, in the reader's language."""
    found = [Wrong(one.place, _line(one.place), sentence(one, i18n.current())) for one in error.mistakes]
    left = len(found) - MOST_MISTAKES
    if left > 0:
        more = gettext("and %(num)s more, which these may have led to") % {"num": left}
        return (*found[:MOST_MISTAKES], Wrong("", None, more))
    return tuple(found)


def _line(place: str) -> int | None:
    """The line of a place `line:column`; a place inside the document has none."""
    line, colon, column = place.partition(":")
    return int(line) if colon and line.isdecimal() and column.isdecimal() else None
