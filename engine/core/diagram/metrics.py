"""How wide a text is in Arial and the families made to its measure (Arimo, Liberation Sans).

Graphviz knows these widths for ASCII only and guesses the rest, so cells with an accent or an arrow are given their
width. Advance widths are in thousandths of the font size.
"""

_ASCII, _LATIN = range(32, 127), range(160, 256)
_REGULAR_ASCII = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278
584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944
667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500
278 556 500 722 500 500 500 334 260 334 584"""
_REGULAR_LATIN = """
278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 552 400 549 333 333 333 576 537 278 333 333 365 556
834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584
778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556
556 556 556 549 611 556 556 556 556 500 556 500"""
_BOLD_ASCII = """
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333
584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944
667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556
333 611 556 778 556 556 500 389 280 389 584"""
_BOLD_LATIN = """
278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 552 400 549 333 333 333 576 556 278 333 333 365 556
834 834 834 611 722 722 722 722 722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584
778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611
611 611 611 549 611 611 611 611 611 556 611 556"""
_SIGNS = {"→": 1000, "←": 1000, "≥": 549, "≤": 549, "≠": 549, "−": 584, "–": 556, "—": 1000, "…": 1000, "•": 350}
_QUOTES = {"“": 500, "”": 500, "‘": 278, "’": 278}
_UNKNOWN = 1000
"""A character of another script or an emoji is at most about as wide as it is high."""


def _table(ascii_widths: str, latin_widths: str) -> dict[str, int]:
    known = dict(zip(map(chr, _ASCII), map(int, ascii_widths.split()), strict=True))
    known |= dict(zip(map(chr, _LATIN), map(int, latin_widths.split()), strict=True))
    return known | _SIGNS | _QUOTES


_REGULAR = _table(_REGULAR_ASCII, _REGULAR_LATIN)
_BOLD = _table(_BOLD_ASCII, _BOLD_LATIN)


def width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line in points at a font size in points."""
    table = _BOLD if bold else _REGULAR
    return sum(table.get(character, _UNKNOWN) for character in text) * size / 1000
