"""Days and times as people write them in tables: 31/01/2026, 2026-01-31, with a time or without."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from engine.core.flow import Millis

__all__ = ["moment"]

_DAY_FIRST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?", re.ASCII)


def moment(text: str, zone: str) -> Millis | None:
    """The instant, in the time zone where none is written; None when it is no date. Days come before months."""
    written = text.strip()
    try:
        found = _DAY_FIRST.fullmatch(written)
        if found is not None:
            day, month, year, hour, minute, second = (int(part or 0) for part in found.groups())
            when = datetime(year, month, day, hour, minute, second, tzinfo=ZoneInfo(zone))
        else:
            when = datetime.fromisoformat(written)
            when = when if when.tzinfo is not None else when.replace(tzinfo=ZoneInfo(zone))
        at = round(when.astimezone(UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
    return at if 0 < at < 1 << 50 else None
