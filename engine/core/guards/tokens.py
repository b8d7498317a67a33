"""Guard text to tokens: names, numbers, durations, texts and signs, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from engine.core.errors import GuardError

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
"""Duration suffixes in milliseconds."""

_SIGNS = ("&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "(", ")", "[", "]", ",", ".")
_NUMBER = re.compile(r"\d+(?P<real>\.\d+)?(?P<power>[eE][+-]?\d+)?(?P<unit>[^\W\d]\w*)?", re.ASCII)
_NAME = re.compile(r"[^\W\d]\w*")
_SPACE = re.compile(r"[ \t\r\n]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "`": "`"}
_CODED = {"x": 2, "u": 4, "U": 8}


class Shape(Enum):
    """What a token is."""

    NAME = auto()
    INT = auto()
    DOUBLE = auto()
    DURATION = auto()
    TEXT = auto()
    SIGN = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a guard. `value` is the number, the milliseconds, the unescaped text, the name or the sign."""

    shape: Shape
    value: str | int | float
    position: int


def tokens(source: str) -> Iterator[Token]:
    """All tokens, the last one END. GuardError names what cannot be read."""
    at = _skip(source, 0)
    while at < len(source):
        if (name := _NAME.match(source, at)) is not None:
            yield Token(Shape.NAME, name.group(), at)
            at = name.end()
        elif (number := _NUMBER.match(source, at)) is not None:
            yield _number(number, at)
            at = number.end()
        elif source[at] in "'\"":
            text, end = _text(source, at)
            yield Token(Shape.TEXT, text, at)
            at = end
        else:
            sign = next((sign for sign in _SIGNS if source.startswith(sign, at)), None)
            if sign is None:
                raise GuardError(
                    f"{source[at]!r} means nothing here", at, code="bad_character", facts={"character": source[at]}
                )
            yield Token(Shape.SIGN, sign, at)
            at += len(sign)
        at = _skip(source, at)
    yield Token(Shape.END, "", len(source))


def _skip(source: str, at: int) -> int:
    space = _SPACE.match(source, at)
    return at if space is None else space.end()


def _number(found: re.Match[str], at: int) -> Token:
    unit = found["unit"]
    written = found.group()
    if unit is not None:
        if unit not in UNITS or found["real"] or found["power"]:
            raise GuardError(
                f"{written} is not a number or a duration", at, code="bad_number", facts={"written": written}
            )
        return Token(Shape.DURATION, int(written[: -len(unit)]) * UNITS[unit], at)
    if found["real"] or found["power"]:
        value = float(written)
        if value == float("inf"):
            raise GuardError(f"{written} is too large", at, code="number_too_large", facts={"written": written})
        return Token(Shape.DOUBLE, value, at)
    return Token(Shape.INT, int(written), at)


def _text(source: str, start: int) -> tuple[str, int]:
    quote, at, parts = source[start], start + 1, []
    while at < len(source) and source[at] != quote:
        if source[at] == "\\":
            character, at = _escaped(source, at)
        else:
            character, at = source[at], at + 1
        if "\ud800" <= character <= "\udfff":
            raise GuardError("half a character cannot stand alone", at - 1, code="bad_escape")
        parts.append(character)
    if at >= len(source):
        raise GuardError("a text is not closed", start, code="unfinished_text")
    return "".join(parts), at + 1


def _escaped(source: str, at: int) -> tuple[str, int]:
    letter = source[at + 1 : at + 2]
    if letter in _ESCAPES:
        return _ESCAPES[letter], at + 2
    digits = source[at + 2 : at + 2 + _CODED.get(letter, 0)]
    if letter in _CODED and re.fullmatch(rf"[0-9a-fA-F]{{{_CODED[letter]}}}", digits):
        code = int(digits, 16)
        if code <= 0x10FFFF:
            return chr(code), at + 2 + len(digits)
    raise GuardError(f"\\{letter} is not an escape", at, code="bad_escape", facts={"escape": letter})
