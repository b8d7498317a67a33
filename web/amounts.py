"""Amounts of money as people type them, in cents."""

import re

from engine.core.errors import Refused

__all__ = ["cents"]

_AMOUNT = re.compile(r"(?:R\$\s*)?(\d{1,10}|\d{1,3}(?:\.\d{3}){1,3})(?:[,.](\d{1,2}))?", re.ASCII)


def cents(text: str) -> int | None:
    """R$ 1.297,90 is 129790; None for nothing. Raises Refused("amount_unreadable")."""
    if not text.strip():
        return None
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise Refused("amount_unreadable")
    return int(found[1].replace(".", "")) * 100 + int((found[2] or "0").ljust(2, "0"))
