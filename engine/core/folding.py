"""Texts made safe to keep and easy to compare: control characters out, accents and case folded, invisibles seen."""

import re
import unicodedata
from dataclasses import dataclass

_BREAKS = re.compile(r"\r\n?")
_HARMFUL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HALVES = re.compile(r"[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_JOINERS = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\ufe0e\ufe0f\u034f\u2061\u2062\u2063\u2064")
"""Characters without width that may stand inside a word."""

_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5")
"""Letters by category that show nothing (Hangul fillers, the empty braille cell…)."""


@dataclass(frozen=True, slots=True)
class Word:
    """One folded word and where it stands in the text as written, end not included."""

    text: str
    start: int
    end: int


def sanitise(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as it may be kept, and what was taken out, as `U+0000` (R35).

    NUL and the other C0 controls go, line breaks become one newline each and tabs stay; half a surrogate pair becomes
    U+FFFD; the rest is composed (NFC), so that one word has one spelling.
    """
    text = _BREAKS.sub("\n", text)
    bad = sorted({*_HARMFUL.findall(text), *_HALVES.findall(text)})
    if bad:
        text = _HALVES.sub(_REPLACEMENT, _HARMFUL.sub("", text))
    return unicodedata.normalize("NFC", text), tuple(f"U+{ord(char):04X}" for char in bad)


def visible(text: str) -> bool:
    """Whether a person sees anything at all: not so for nothing, blanks, and characters without a shape."""
    return any(_shows(char) for char in text)


def _shows(char: str) -> bool:
    if char in _BLANK or char in _JOINERS or char.isspace():
        return False
    # Control, format, surrogate and unassigned characters, separators and marks without a letter to stand on.
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs", "Mn", "Me")


def fold(text: str) -> str:
    """Lower case without accents and without invisible characters: "PÁRE" and "pare" are one word."""
    return "".join(_folded(char) for char in text)


def _folded(char: str) -> str:
    if char.isascii():
        return char.lower()
    decomposed = unicodedata.normalize("NFKD", char).casefold()
    return "".join(c for c in decomposed if c not in _JOINERS and not unicodedata.combining(c))


def spans(text: str) -> tuple[Word, ...]:
    """The folded words of a text with their places; punctuation, symbols and emoji separate words."""
    found: list[Word] = []
    letters: list[str] = []
    start = end = 0
    for index, char in enumerate(text):
        if char in _JOINERS or (letters and unicodedata.combining(char)):
            continue
        folded = _folded(char)
        if folded and all(part.isalnum() for part in folded):
            start = start if letters else index
            end = index + 1
            letters.append(folded)
        elif letters:
            found.append(Word("".join(letters), start, end))
            letters = []
    if letters:
        found.append(Word("".join(letters), start, end))
    return tuple(found)


def words(text: str) -> tuple[str, ...]:
    """The folded words of a text, in order."""
    return tuple(word.text for word in spans(text))
