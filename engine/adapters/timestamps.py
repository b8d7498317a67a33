"""Instants in every unit that the sources use, into milliseconds since the epoch."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.core.flow import Millis

DEFAULT_ZONE = "America/Sao_Paulo"
"""Whose clock a text without a zone was read from; the Brazilian platforms do not say."""

_MILLISECONDS_FROM = 100_000_000_000
"""Smaller numbers are seconds (up to the year 5138), larger ones milliseconds (from 1973)."""
_LATEST = 4_102_444_800_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_millis(value: object, zone: str = DEFAULT_ZONE) -> Millis | None:
    """The instant, or None when there is none to read (then the time of arrival is the best there is).

    Takes seconds and milliseconds as numbers or digits, the `{low, high, unsigned}` halves of a 64-bit number, and
    ISO 8601 texts; a text without a zone is local time of `zone`. Nothing before 1970 or after 2099 is an instant.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, Mapping):
        return _scaled(_halves(value))
    if isinstance(value, int | float):
        return _scaled(value)
    if isinstance(value, str):
        text = value.strip()
        return _scaled(int(text)) if text.isascii() and text.isdigit() and len(text) < 20 else _iso(text, zone)
    return None


def _halves(value: Mapping[str, object]) -> int | None:
    low, high = value.get("low"), value.get("high")
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    return (high << 32) + (low & 0xFFFF_FFFF)


def _scaled(number: float | None) -> Millis | None:
    # A whole number of hundreds of digits is no instant either, and too large to be asked whether it is finite.
    if number is None or not 0 < number < _LATEST:
        return None
    millis = int(number if number >= _MILLISECONDS_FROM else number * 1_000)
    return millis if millis < _LATEST else None


def _iso(text: str, zone: str) -> Millis | None:
    try:
        moment = datetime.fromisoformat(text)
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))
        millis = (aware - _EPOCH) // timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return None
    return millis if 0 < millis < _LATEST else None
