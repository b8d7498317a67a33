"""Single values out of a body that may hold anything: the wrong type is the same as nothing."""

from collections.abc import Mapping, Sequence

from engine.core.folding import sanitise

MAX_ID = 256
"""The longest id of a button that WhatsApp takes."""
MAX_NAME = 200


def mapping(value: object) -> Mapping[str, object]:
    """The object, or an empty one."""
    return value if isinstance(value, dict | Mapping) else {}


def objects(value: object) -> Sequence[object]:
    """The list, a lone object as a list of one, or an empty list."""
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, dict | Mapping) else []


def word(value: object) -> str | None:
    """An id, a code or an address: not empty, at most 256 characters, no control characters. Numbers count too."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    return text if text and len(text) <= MAX_ID and min(text) >= " " else None


def name(value: object) -> str | None:
    """A name for people to read, at most 200 characters."""
    if not isinstance(value, str):
        return None
    return sanitise(value)[0].strip()[:MAX_NAME] or None


def number(value: object) -> int | None:
    """A whole number of at most 64 bits, also one written in digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return value
    return None


def digits(value: object) -> str | None:
    """The digits of a telephone number, 5 to 20 of them (the standard ends at 15; test events go beyond)."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    plain = value.isascii() and value.isdigit()
    found = value if plain else "".join(char for char in value if char.isascii() and char.isdigit())
    return found if 5 <= len(found) <= 20 else None


def words(value: object) -> tuple[str, dict[str, object]]:
    """A message's text without the characters that no database takes, and the marks that say what was removed."""
    if not isinstance(value, str):
        return "", {}
    clean, removed = sanitise(value)
    return clean, {"sanitised": list(removed)} if removed else {}
