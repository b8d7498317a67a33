"""How WhatsApp shows a text: *bold*, _italic_, ~struck~, `mono` and ```mono```, quotes, lists, links.

A sign opens where no letter or digit stands before it and no blank after it, and closes the other way round, on the same
line; ``` goes over lines. What does not close is shown as it is typed.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Line", "Run", "lines"]

_SIGNS = {"*": "bold", "_": "italic", "~": "struck", "`": "mono"}
_FENCED = re.compile(r"```(.+?)```", re.DOTALL)
_LINK = re.compile(r"https?://[^\s<>\"]{1,2000}")
_QUOTE, _POINT = re.compile(r"> ?(?=\S)"), re.compile(r"[-*] (?=\S)")


@dataclass(frozen=True, slots=True)
class Run:
    """Words that look the same; `marks` are bold, italic, struck, mono, link."""

    text: str
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `kind` is plain, quote, point (of a list) or mono."""

    kind: str
    runs: tuple[Run, ...]


def lines(text: str) -> tuple[Line, ...]:
    """The text, line by line."""
    found: list[Line] = []
    start = 0
    for fence in _FENCED.finditer(text):
        if not fence[1].strip():
            continue
        found += _several(text[start : fence.start()])
        found += [Line("mono", (Run(row, frozenset({"mono"})),)) for row in fence[1].strip("\n").split("\n")]
        start = fence.end()
    return (*found, *_several(text[start:]))


def _several(text: str) -> list[Line]:
    plain = text.strip("\n")
    return [_line(row) for row in plain.split("\n")] if plain else []


def _line(row: str) -> Line:
    for kind, opening in (("quote", _QUOTE), ("point", _POINT)):
        if (begun := opening.match(row)) is not None:
            return Line(kind, tuple(_runs(row[begun.end() :], frozenset())))
    return Line("plain", tuple(_runs(row, frozenset())))


def _runs(row: str, marks: frozenset[str]) -> Iterator[Run]:
    closers = {sign: [at for at in range(1, len(row)) if row[at] == sign and _closes(row, at)] for sign in _SIGNS}
    links = {found.start(): found.end() for found in _LINK.finditer(row)}
    start = at = 0
    while at < len(row):
        if at in links:
            yield from _plain(row[start:at], marks)
            yield Run(row[at : links[at]], marks | {"link"})
            start = at = links[at]
            continue
        sign = row[at]
        if sign in _SIGNS and _opens(row, at):
            nearest = bisect_left(closers[sign], at + 2)
            if nearest < len(closers[sign]):
                end = closers[sign][nearest]
                yield from _plain(row[start:at], marks)
                inside, more = row[at + 1 : end], marks | {_SIGNS[sign]}
                yield from _plain(inside, more) if sign == "`" else _runs(inside, more)
                start = at = end + 1
                continue
        at += 1
    yield from _plain(row[start:], marks)


def _plain(text: str, marks: frozenset[str]) -> Iterator[Run]:
    if text:
        yield Run(text, marks)


def _opens(row: str, at: int) -> bool:
    return (at == 0 or not row[at - 1].isalnum()) and at + 1 < len(row) and not row[at + 1].isspace()


def _closes(row: str, at: int) -> bool:
    return (at + 1 == len(row) or not row[at + 1].isalnum()) and not row[at - 1].isspace()
