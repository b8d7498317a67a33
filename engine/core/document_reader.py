"""Reading one place of a tree: typed access that notes every mistake and goes on.

A `Place` is a value with its address. Each method gives the value in the asked type, or None after noting what is
wrong, so that one pass over a document finds all of its mistakes.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from engine.core import durations
from engine.core.document_messages import mistake
from engine.core.errors import Mistake
from engine.core.flow import Millis, Text

LONGEST_TEXT = 8_192
LONGEST_NAME = 64
NAME = re.compile(r"[^\W\d_]\w*")
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters, which databases and WhatsApp refuse or drop, and halves of surrogate pairs, which are no text."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass
class Notes:
    """The mistakes found so far."""

    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, place: str, code: str, **facts: object) -> None:
        """What is quoted from the document is made fit to be shown: it may be anybody's."""
        told = {name: printable(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        self.mistakes.append(mistake(printable(place), code, told))


def printable(text: str) -> str:
    """The text with U+FFFD for what cannot be shown or written down."""
    return _ODD.sub("\ufffd", text)


def close(value: str, known: Collection[str]) -> str:
    """The known name that looks most like a misspelt one, or nothing."""
    folded = {name.lower(): name for name in known}
    found = get_close_matches(value.lower()[:LONGEST_NAME], list(folded), n=1, cutoff=0.7)
    return folded[found[0]] if found else ""


def shape(value: object) -> str:
    """What a value is, said so that both languages understand it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    if isinstance(value, str):
        return f"“{value[:40]}”"
    return "null" if value is None else str(value)[:40]


@dataclass(frozen=True)
class Place:
    """A value of the tree and where it stands (`transitions[4].to`)."""

    value: object
    path: str
    notes: Notes

    def wrong(self, code: str, **facts: object) -> None:
        self.notes.add(self.path, code, **facts)

    def at(self, key: str) -> str:
        key = key if len(key) <= LONGEST_NAME else f"{key[:LONGEST_NAME]}…"
        return f"{self.path}.{key}" if self.path else key

    def table(self, known: Collection[str], required: Collection[str] = ()) -> dict[str, "Place"]:
        """The entries of a table with fixed keys; unknown ones are mistakes, `null` means not set."""
        entries = self.entries()
        for key, entry in entries.items():
            if key not in known:
                entry.wrong("unknown_key", key=key[:LONGEST_NAME], close=close(key, known))
        for key in required:
            if entries.get(key) is None and isinstance(self.value, Mapping):
                self.wrong("missing", key=key)
        return {key: entry for key, entry in entries.items() if key in known}

    def entries(self, limit: int = 20_000) -> dict[str, "Place"]:
        """The entries of a table whose keys are the author's own."""
        if not isinstance(self.value, Mapping):
            self.wrong("not_table", found=shape(self.value))
            return {}
        if len(self.value) > limit:
            self.wrong("too_many", count=len(self.value), limit=limit)
            return {}
        found = {}
        for key, value in self.value.items():
            if not isinstance(key, str):
                self.wrong("odd_key", found=shape(key))
            elif value is not None:
                found[key] = Place(value, self.at(key), self.notes)
        return found

    def items(self, *, filled: bool = False, limit: int = 20_000) -> list["Place"]:
        """The entries of a list, numbered from 0."""
        if not isinstance(self.value, list | tuple):
            self.wrong("not_list", found=shape(self.value))
            return []
        if len(self.value) > limit:
            self.wrong("too_many", count=len(self.value), limit=limit)
            return []
        if filled and not self.value:
            self.wrong("empty_list")
        return [Place(entry, f"{self.path}[{index}]", self.notes) for index, entry in enumerate(self.value)]

    def some(self, *, filled: bool = False) -> list["Place"]:
        """One entry or a list of them: `on: pediu_preco` and `on: [pediu_preco]` are the same."""
        return self.items(filled=filled) if isinstance(self.value, list | tuple) else [self]

    def string(self, *, blank: bool = False, limit: int = LONGEST_TEXT) -> str | None:
        if not isinstance(self.value, str):
            self.wrong("not_text", found=shape(self.value))
            return None
        if len(self.value) > limit:
            self.wrong("too_long", length=len(self.value), limit=limit)
            return None
        if not blank and not self.value.strip():
            self.wrong("empty_text")
            return None
        if odd := sorted(set(_ODD.findall(self.value))):
            self.wrong("odd_character", found=", ".join(f"U+{ord(char):04X}" for char in odd[:5]))
            return None
        return self.value

    def strings(self, *, filled: bool = False) -> tuple[str, ...]:
        found = (entry.string() for entry in self.items(filled=filled))
        return tuple(text for text in found if text is not None)

    def text(self) -> Text | None:
        """One string, or one per language."""
        if not isinstance(self.value, Mapping):
            plain = self.string()
            return None if plain is None else Text((("", plain),))
        versions = []
        for language, entry in self.entries(50).items():
            if not _LANGUAGE.fullmatch(language):
                entry.wrong("unknown_key", key=language[:LONGEST_NAME], close="")
            elif (words := entry.string()) is not None:
                versions.append((language, words))
        if not self.value:
            self.wrong("empty_table")
        return Text(tuple(versions)) if versions else None

    def flag(self) -> bool:
        if isinstance(self.value, bool):
            return self.value
        self.wrong("not_flag", found=shape(self.value))
        return False

    def integer(self, low: int | None = None, high: int | None = None) -> int | None:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.wrong("not_integer", found=shape(self.value))
            return None
        if low is not None and self.value < low:
            self.wrong("below", limit=low)
            return None
        if high is not None and self.value > high:
            self.wrong("above", limit=high)
            return None
        return self.value

    def duration(self, *, zero: bool = False) -> Millis | None:
        read = durations.parse(self.value) if isinstance(self.value, str) else None
        if read is None:
            self.wrong("not_duration", value=str(self.value)[:LONGEST_NAME])
            return None
        if read == 0 and not zero:
            self.wrong("not_positive")
            return None
        return read

    def choice(self, kind: type[Choice]) -> Choice | None:
        options = [str(option) for option in kind]
        if isinstance(self.value, str) and self.value in options:
            return kind(self.value)
        value = str(self.value)[:LONGEST_NAME]
        self.wrong("not_a_choice", value=value, options=", ".join(options), close=close(value, options))
        return None

    def name(self) -> str | None:
        """A name that the author gives: letters with or without accents, digits, `_`."""
        value = self.string(limit=LONGEST_TEXT)
        if value is not None and (not NAME.fullmatch(value) or len(value) > LONGEST_NAME):
            self.wrong("not_a_name", value=value[:LONGEST_NAME])
            return None
        return value

    def known(self, kind: str, names: Collection[str]) -> str | None:
        """A name that has to exist; `kind` is state, event, action or field."""
        value = self.string()
        if value is None or value in names:
            return value
        self.wrong(f"unknown_{kind}", value=value[:LONGEST_NAME], close=close(value, names))
        return None

    def named(self, limit: int, read: Callable[[str, "Place"], object]) -> None:
        """Every entry of a table of the author's own names, read one by one."""
        for name, entry in self.entries(limit).items():
            if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
                entry.wrong("not_a_name", value=name[:LONGEST_NAME])
            else:
                read(name, entry)
