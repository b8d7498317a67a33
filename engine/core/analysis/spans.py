"""The range that a page of figures is asked for: whole days of the flow's own time zone."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.core.analysis.accounts import Window
from engine.core.values import Millis

__all__ = ["PRESETS", "Span", "span"]

PRESETS = {"7d": 7, "30d": 30, "90d": 90}
USUAL = "7d"
_DATES = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)", re.ASCII)
_FIRST, _LAST = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class Span:
    """`key` is how an address says it: the days from `first` to `last`, both in it, as far as they are over. `asked` is
    false where what was asked for is no range and the usual one stands for it.
    """

    key: str
    first: date
    last: date
    window: Window
    asked: bool = True

    @property
    def preset(self) -> bool:
        """Whether it goes on with the calendar."""
        return self.key in PRESETS


def span(text: str, zone: str, now: Millis) -> Span:
    """Seven days are today and the six before. Days that do not exist, or in the wrong order, are no range."""
    where = ZoneInfo(zone)
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(where).date()
    found = _days(text)
    if found is None:
        key = text if text in PRESETS else USUAL
        found = today - timedelta(days=PRESETS[key] - 1), today
    else:
        key = text
    first, last = found
    since, until = _midnight(first, where), min(_midnight(last + timedelta(days=1), where), now + 1)
    window = Window(since, max(since, until))  # days to come have nothing in them
    return Span(key, first, last, window, asked=not text or text == key)


def _days(text: str) -> tuple[date, date] | None:
    given = _DATES.fullmatch(text)
    if given is None:
        return None
    try:
        first, last = date.fromisoformat(given[1]), date.fromisoformat(given[2])
    except ValueError:
        return None
    return (first, last) if _FIRST <= first <= last <= _LAST else None


def _midnight(day: date, where: ZoneInfo) -> Millis:
    """When a day begins there; where the clocks skip midnight, the first moment after it."""
    return round(datetime(day.year, day.month, day.day, tzinfo=where).timestamp() * 1000)
