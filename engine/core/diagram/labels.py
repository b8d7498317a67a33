"""User text made safe for a drawing: cleaned, cut, escaped for HTML-like labels, or spelled for an id.

User text reaches a drawing in two places only: as escaped label text and as an escaped TITLE. Ids and references carry
it percent-encoded, which leaves letters, digits and `_.-~%`. So no label can end an attribute, start a tag, name a file
or an address, and none can hold a character that XML or the DOT reader refuses (NUL, controls, lone surrogates).
"""

import unicodedata
from html import escape
from urllib.parse import quote

LONGEST = 200
LONGEST_SENTENCE = 800
NOTE = " ✎ "
"""Stands in a tooltip before what the team noted."""
_DROPPED = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
"""Controls, surrogates, unassigned, private use, and the separators that break a line."""


def cut(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning and an ellipsis, at most `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def clean(text: str, longest: int = LONGEST) -> str:
    """The text in one line without characters that cannot be drawn, direction marks included, cut."""
    spaced = " ".join(text[: longest * 4].split())
    kept = "".join(c for c in spaced if unicodedata.category(c) not in _DROPPED and c not in _DIRECTION)
    return cut(kept, longest)


_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Overrides of the reading direction would let a label dress up as another."""


def escaped(text: str) -> str:
    """For the inside of an HTML-like label or of its TITLE; backslashes too: Graphviz replaces some pairs even there."""
    return escape(text).replace("\\", "\\\\")


def shown(text: str, longest: int = LONGEST) -> str:
    """Cleaned, cut and escaped."""
    return escaped(clean(text, longest))


def key(name: str) -> str:
    """A name spelled for ids and references: only letters, digits and `_.-~%`; different names stay different."""
    return quote(name, safe="", errors="surrogatepass")
