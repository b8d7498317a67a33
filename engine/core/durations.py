"""Durations in words and back: `2h` of the document, "2 horas e 30 minutos" of a form. Always integer milliseconds."""

import re

from engine.core.flow import DAY, HOUR, MINUTE, SECOND, Millis

LONGEST = 3_660 * DAY
"""Ten years and a bit: what is longer is a slip of the keyboard."""

_UNITS: dict[str, Millis] = {"ms": 1, "s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
_COMPACT = re.compile(r"(?:\d{1,12}(?:ms|[smhd]))+", re.ASCII)
_PIECE = re.compile(r"(\d{1,12})(ms|[smhd])", re.ASCII)

_SPOKEN: dict[str, Millis] = {
    **dict.fromkeys(("s", "seg", "segs", "segundo", "segundos", "sec", "secs", "second", "seconds"), SECOND),
    **dict.fromkeys(("m", "min", "mins", "minuto", "minutos", "minute", "minutes"), MINUTE),
    **dict.fromkeys(("h", "hs", "hr", "hrs", "hora", "horas", "hour", "hours"), HOUR),
    **dict.fromkeys(("d", "dia", "dias", "day", "days"), DAY),
    **dict.fromkeys(("sem", "semana", "semanas", "week", "weeks"), 7 * DAY),
}
_SPOKEN_ALL = re.compile(
    r"\s*\d{1,9}(?:[.,]\d{1,3})?\s*[a-z]+(?:(?:\s*,\s*|\s+e\s+|\s+and\s+|\s*)\d{1,9}(?:[.,]\d{1,3})?\s*[a-z]+)*\s*",
    re.ASCII,
)
_SPOKEN_PIECE = re.compile(r"(\d{1,9})(?:[.,](\d{1,3}))?\s*([a-z]+)", re.ASCII)

_WORDS = {
    "pt": {DAY: ("dia", "dias"), HOUR: ("h", "h"), MINUTE: ("min", "min"), SECOND: ("s", "s"), 1: ("ms", "ms")},
    "en": {DAY: ("day", "days"), HOUR: ("h", "h"), MINUTE: ("min", "min"), SECOND: ("s", "s"), 1: ("ms", "ms")},
}


def parse(text: str) -> Millis | None:
    """`30s`, `5m`, `2h`, `1d`, or several in a row (`1d12h`), in ms; None when it is not a duration."""
    if not _COMPACT.fullmatch(text):
        return None
    total = sum(int(amount) * _UNITS[unit] for amount, unit in _PIECE.findall(text))
    return total if total <= LONGEST else None


def parse_human(text: str) -> Millis | None:
    """What a person types: "2 dias", "30 minutos", "2 h", "1 dia e 2 h", "1,5 hora", in ms; None when unreadable."""
    lowered = text.strip().lower()
    exact = parse(lowered)
    if exact is not None:
        return exact
    if not _SPOKEN_ALL.fullmatch(lowered):
        return None
    total = 0
    for whole, part, word in _SPOKEN_PIECE.findall(lowered):
        unit = _SPOKEN.get(word)
        if unit is None:
            return None
        total += int(whole) * unit
        if part:
            total += int(part) * unit // 10 ** len(part)
    return total if total <= LONGEST else None


def compact(ms: Millis) -> str:
    """The document's spelling with one unit, the largest that divides it: 7,200,000 is `2h`, 5,400,000 is `90m`."""
    for unit in ("d", "h", "m", "s"):
        if ms % _UNITS[unit] == 0 and (ms or unit == "s"):
            return f"{ms // _UNITS[unit]}{unit}"
    return f"{ms}ms"


def human(ms: Millis, language: str = "pt-BR") -> str:
    """For people: "2 h", "30 min", "1 dia e 2 h" (at most the two largest units; the rest is cut off)."""
    english = language.startswith("en")
    words = _WORDS["en" if english else "pt"]
    pieces = []
    left = ms
    for unit, (one, many) in words.items():
        amount, left = divmod(left, unit)
        if amount:
            pieces.append(f"{amount} {one if amount == 1 else many}")
    if not pieces:
        return "0 s"
    return (" and " if english else " e ").join(pieces[:2])
