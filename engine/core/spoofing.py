"""Names that pretend: characters that turn the words around them, or that nobody sees, are shown as a box (SEC-S17)."""

import unicodedata

__all__ = ["BOX", "revealed"]

BOX = "▯"
"""What stands where something was hidden. It neither turns anything nor is it invisible."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")
"""Between letters that join, and within emoji, they belong to the spelling; elsewhere nobody sees them."""
_SELECTORS = frozenset("\ufe0e\ufe0f")
_UNSEEN = frozenset(
    "\u200b\u2060\ufeff\u00ad\u180e\u034f\u2061\u2062\u2063\u2064\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800"
)
_TAGS = range(0xE0000, 0xE0080)
_FLAG = "\U0001f3f4"
"""The one emoji after which tags are spelling: flags of regions."""


def revealed(name: str) -> str:
    """The name in one line with a box for each run of hidden characters; any other name stays as it is."""
    shown: list[str] = []
    for at, char in enumerate(name):
        if not _hidden(name, at, char):
            shown.append(char)
        elif not shown or shown[-1] != BOX:
            shown.append(BOX)
    return "".join(shown)


def _hidden(name: str, at: int, char: str) -> bool:
    if char in _TURNING or char in _UNSEEN:
        return True
    if char in _JOINERS:
        return not (_joins(name, at, -1) and _joins(name, at, 1))
    if char in _SELECTORS:
        return at == 0 or name[at - 1].isalpha()
    if ord(char) in _TAGS:
        return _FLAG not in name[:at]
    return unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs", "Co")


def _joins(name: str, at: int, step: int) -> bool:
    """Whether the next character on that side is part of an emoji, or a letter of a script without capitals."""
    at += step
    while 0 <= at < len(name) and (name[at] in _SELECTORS or unicodedata.category(name[at]) in ("Sk", "Mn", "Mc")):
        at += step
    return 0 <= at < len(name) and unicodedata.category(name[at]) in ("So", "Lo")
