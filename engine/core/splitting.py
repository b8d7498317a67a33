"""A text that is longer than the channel takes, cut where a person would cut it.

Length is counted in UTF-16 units, the way the platform counts, so an emoji counts twice. A cut never falls inside what
people see as one character, nor inside a word or a link unless that alone is longer than a message.
"""

import re
import unicodedata

from engine.core.limits import TEXT

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LINE = re.compile(r"\n\s*")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+")
_BLANK = re.compile(r"\s+")


def split_text(text: str, limit: int = TEXT) -> list[str]:
    """The pieces in order, each at most `limit` UTF-16 units (at least 16); nothing for a text of blanks."""
    pieces = []
    rest = text.strip()
    while units(rest) > limit:
        room = _prefix(rest, limit)
        head, rest = _cut(rest, room)
        pieces.append(head)
    return [*pieces, rest] if rest else pieces


def shortened(text: str, limit: int) -> str:
    """The text, or as much of its beginning as fits with an ellipsis after it."""
    if units(text) <= limit:
        return text
    at = _prefix(text, limit - 1)
    while at > 0 and _joined(text, at):
        at -= 1
    return text[:at].rstrip() + "…"


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def _prefix(text: str, limit: int) -> int:
    """How many characters fit."""
    used = 0
    for index, char in enumerate(text):
        used += 2 if char > "\uffff" else 1
        if used > limit:
            return index
    return len(text)


def _cut(text: str, room: int) -> tuple[str, str]:
    """The best border in the last half of what fits: paragraph, line, sentence, word; else between characters."""
    for border in (_PARAGRAPH, _LINE, _SENTENCE, _BLANK):
        # A border may begin exactly where the room ends.
        found = [m for m in border.finditer(text, room // 2, min(room + 64, len(text))) if m.start() <= room]
        if found and (head := text[: found[-1].start()].rstrip()) and (rest := text[found[-1].end() :]):
            return head, rest
    found = list(_BLANK.finditer(text, 0, room))
    if found:
        return text[: found[-1].start()].rstrip(), text[found[-1].end() :]
    at = room
    while at > 1 and _joined(text, at):
        at -= 1
    # A single character longer than a message does not exist; a made-up one is cut like any text.
    at = at if at > 1 or not _joined(text, 1) else room
    return text[:at], text[at:].lstrip()


def _joined(text: str, at: int) -> bool:
    """Whether a cut at `at` would fall inside one character as people see it (the common cases of UAX 29)."""
    before, after = text[at - 1], text[at]
    if "\u200d" in (before, after) or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if _is_flag_half(before) and _is_flag_half(after):
        start = at
        while start > 0 and _is_flag_half(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    return "\u1100" <= before <= "\u11ff" and "\u1160" <= after <= "\u11ff"


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
