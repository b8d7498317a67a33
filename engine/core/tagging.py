"""Tags of people: which texts serve as one, and the colour of one that nobody chose a colour for."""

from zlib import crc32

from engine.core.folding import sanitise, visible

__all__ = ["COLOURS", "LONGEST", "MOST", "cleaned", "usual_colour"]

COLOURS = 6
LONGEST = 30
MOST = 20
"""Tags of one person that somebody of the team may give; files and flows may give more."""


def cleaned(text: str) -> str:
    """The text as a tag: one line, single spaces. "" when nothing of it can be seen or it is too long."""
    words = " ".join(sanitise(text)[0].split())
    return words if visible(words) and len(words) <= LONGEST else ""


def usual_colour(tag: str) -> int:
    """0 to COLOURS - 1, always the same for a text."""
    return crc32(tag.encode()) % COLOURS
