"""A checkout's telephone field with its country code, out of the ways in which people fill such forms."""

from engine.adapters.reading import digits

BRAZIL = "55"
_AREA_CODES = range(11, 100)


def with_country(phone: str | None, code: str | None, country: str | None) -> str | None:
    """Digits with country code, or None when there is no number.

    `code` is whatever stands in the form's second field: a country code, the area code again, or nonsense. `country`
    is the buyer's ISO code; where it is missing the buyer counts as Brazilian. A number is never shortened.
    """
    number = digits((phone or "").lstrip("0 "))
    if number is None:
        return None
    prefix = (code or "").strip().lstrip("+0")
    prefix = prefix if prefix.isascii() and prefix.isdigit() else ""
    if country not in {None, "BR"}:
        return f"{prefix}{number}" if 1 <= len(prefix) <= 3 and not number.startswith(prefix) else number
    if len(number) in {10, 11}:
        return f"{BRAZIL}{number}"
    if len(number) in {8, 9} and len(prefix) == 2 and int(prefix) in _AREA_CODES and prefix != BRAZIL:
        return f"{BRAZIL}{prefix}{number}"
    return number
