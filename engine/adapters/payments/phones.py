"""A checkout's telephone field with its country code, out of the ways in which people fill such forms."""

from engine.adapters.reading import digits, word

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


def whole(value: object) -> str | None:
    """The same for a single field: what begins with + says its country itself, anything else counts as Brazilian."""
    text = word(value)
    if text is None:
        return None
    return digits(text) if text.startswith("+") else with_country(text, None, None)


def in_parts(country: object, area: object, number: object) -> str | None:
    """The same for a number in three fields. A part may be missing, or stand once more in the field after it."""
    text = word(number)
    local = _bare(text)
    if text is None or text.startswith("+"):
        return whole(text)
    code, ahead = _bare(word(country)), _bare(word(area))
    if code and len(local) > 11 and local.startswith(code):
        return digits(local)
    if ahead and len(local) < 10:
        local = f"{ahead}{local}"
    if code not in {"", BRAZIL}:
        return digits(local if local.startswith(code) and not ahead else f"{code}{local}")
    return with_country(local, None, None)


def _bare(text: str | None) -> str:
    return "".join(char for char in text or "" if char.isascii() and char.isdigit()).lstrip("0")
