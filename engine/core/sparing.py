"""Sparing a number that a platform may ban for writing too much: when a message that nobody asked for may leave.

Only for what the clock, a payment or another system starts. Answers to the lead, what a person writes, and the global
transitions (an approved payment) never wait here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.core.flow import DAY, MINUTE, SECOND, Millis
from engine.core.windows import Decision, Verdict, next_allowed, read_hours

__all__ = ["OFF", "PACED", "Manners", "Recent", "local_day", "manners", "turn"]

OFF = "off"
PACED = "spared"
"""Why a letter waits for its place in the line of its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a number behaves. Between two messages lies `gap` and a part of `jitter`; one person gets at most
    `contact_daily` in 24 hours, `contact_gap` apart; `strangers_daily` people who never wrote are written to on one day.
    `hours` are begin and end of the working day in minutes.
    """

    gap: Millis = 8 * SECOND
    jitter: Millis = 7 * SECOND
    contact_gap: Millis = MINUTE
    contact_daily: int = 5
    strangers_daily: int = 50
    hours: tuple[int, int] = (8 * 60, 21 * 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """What the number did lately: the next free place in its line, strangers written to today; and of one person how
    many messages in the last 24 hours, the first and the last of them, and whether it is a stranger.
    """

    slot_at: Millis = 0
    strangers: int = 0
    touches: int = 0
    first_at: Millis | None = None
    last_at: Millis | None = None
    stranger: bool = False


def manners(settings: Mapping[str, str]) -> Manners | None:
    """What a channel's settings ask for, with safe defaults where they say nothing; None where they switch it off."""
    if settings.get("pacing") == OFF:
        return None
    plain = Manners()

    def whole(key: str, otherwise: int, unit: int = 1) -> int:
        given = settings.get(key, "")
        return int(given) * unit if given.isascii() and given.isdigit() and len(given) < 10 else otherwise

    return Manners(
        gap=whole("gap_seconds", plain.gap, SECOND),
        jitter=whole("jitter_seconds", plain.jitter, SECOND),
        contact_gap=whole("contact_gap_seconds", plain.contact_gap, SECOND),
        contact_daily=whole("contact_daily", plain.contact_daily),
        strangers_daily=whole("strangers_daily", plain.strangers_daily),
        hours=read_hours(settings.get("hours", "")) or plain.hours,
    )


def turn(
    how: Manners, recent: Recent, now: Millis, timezone: str, *, has_place: bool, any_hour: bool = False
) -> Verdict:
    """Whether a message may leave now, or until when it waits and why.

    `has_place`: it waited for this moment in the line already. A POSTPONE with the reason PACED gives it such a place.
    """
    begin, end = how.hours
    opens = now if any_hour else next_allowed(now, (end, begin), timezone)
    if opens > now:
        return Verdict(Decision.POSTPONE, "working_hours", opens)
    if has_place:
        return Verdict(Decision.SEND)
    if recent.stranger and recent.strangers >= how.strangers_daily:
        return Verdict(Decision.POSTPONE, "strangers_daily", _tomorrow(now, timezone))
    if recent.touches >= how.contact_daily and recent.first_at is not None:
        return Verdict(Decision.POSTPONE, "contact_daily", recent.first_at + DAY)
    if recent.last_at is not None and recent.last_at + how.contact_gap > now:
        return Verdict(Decision.POSTPONE, "contact_gap", recent.last_at + how.contact_gap)
    if recent.slot_at > now:
        return Verdict(Decision.POSTPONE, PACED, recent.slot_at)
    return Verdict(Decision.SEND)


def local_day(now: Millis, timezone: str) -> str:
    """The day on which it is `now` there, as 2026-08-01."""
    return _here(now, timezone).date().isoformat()


def _tomorrow(now: Millis, timezone: str) -> Millis:
    here = _here(now, timezone)
    day = here.date() + timedelta(days=1)
    begins = datetime(day.year, day.month, day.day, tzinfo=here.tzinfo)
    return max(now + 1, round(begins.timestamp() * 1000))


def _here(now: Millis, timezone: str) -> datetime:
    return datetime.fromtimestamp(now // 1000, UTC).astimezone(ZoneInfo(timezone))
