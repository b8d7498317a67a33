"""A flow's name in addresses, made of its title: small letters without accents, digits and hyphens."""

import re

from engine.core.folding import fold

__all__ = ["LONGEST", "slug_of", "vacant"]

LONGEST = 64
NAMELESS = "fluxo"
"""For a title without a single letter or digit that an address could hold."""


def slug_of(title: str) -> str:
    """The slug; a title that begins with a digit, or has nothing to begin with, gets a word before it."""
    plain = re.sub(r"[^a-z0-9]+", "-", fold(title)).strip("-")
    if not plain[:1].isalpha():
        plain = f"{NAMELESS}-{plain}".rstrip("-")
    return plain[:LONGEST].rstrip("-")


def vacant(slug: str, taken: frozenset[str]) -> str:
    """The slug, or the first of slug-2, slug-3… that nobody has."""
    if slug not in taken:
        return slug
    number = 2
    while (found := f"{slug[: LONGEST - len(str(number)) - 1].rstrip('-')}-{number}") in taken:
        number += 1
    return found
