"""The piece of a text in which words were found, with those words marked, accents and case aside."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.folding import fold

__all__ = ["Piece", "marked"]

BEFORE, AROUND = 50, 180


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether it is one of the words."""

    text: str
    found: bool


def marked(text: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """The text around the first of the folded words, on one line, an ellipsis where it goes on; joined the pieces are
    that text.
    """
    line = " ".join(text.split())
    folded, places = [], []
    for place, char in enumerate(line):
        for part in fold(char):
            folded.append(part)
            places.append(place)
    flat = "".join(folded)
    found = {(places[at], places[at + len(word) - 1] + 1) for word in words if word for at in _all(flat, word)}
    spans = sorted(found, key=lambda span: (span[0], -span[1]))
    begin = max(0, spans[0][0] - BEFORE) if spans else 0
    end = min(len(line), begin + AROUND)
    pieces = [Piece("…", False)] if begin else []
    at = begin
    for first, last in spans:
        start, stop = max(first, at), min(last, end)
        if start < stop:
            pieces += [Piece(line[at:start], False)] if at < start else []
            pieces.append(Piece(line[start:stop], True))
            at = stop
    pieces += [Piece(line[at:end], False)] if at < end else []
    return (*pieces, *([Piece("…", False)] if end < len(line) else []))


def _all(text: str, word: str) -> list[int]:
    found, at = [], text.find(word)
    while at >= 0:
        found.append(at)
        at = text.find(word, at + len(word))
    return found
