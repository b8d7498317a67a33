"""May this leave now? The channel's 24 hours, the quiet hours, consent and pause, as one pure question (R27 to R37, R75)."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from engine.core.flow import DAY, MINUTE, Millis

_HOURS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
WINDOW = DAY
"""How long after the lead's last message a free-form message may leave (R28)."""
MARGIN = MINUTE
"""A message that is queued in the last minute could arrive too late."""


def window_open(last_inbound_at: Millis, now: Millis, margin: Millis = MARGIN) -> bool:
    """Whether free-form messages may leave; `last_inbound_at` is 0 before the first message."""
    return now - last_inbound_at < WINDOW - margin


def read_hours(text: str) -> tuple[int, int] | None:
    """`21:00-08:00` in minutes of the local day, begin and end; None when it is not that, or both are the same."""
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        return None
    first_hour, first_minute, last_hour, last_minute = map(int, found.groups())
    begin, end = first_hour * 60 + first_minute, last_hour * 60 + last_minute
    return None if begin == end else (begin, end)


def next_allowed(now: Millis, quiet: tuple[int, int] | None, timezone: str) -> Millis:
    """`now` when it lies outside the quiet hours, else the instant at which they end (R37).

    `quiet` is begin and end in minutes of the local day, end not included; it may run over midnight.
    """
    if quiet is None:
        return now
    zone = ZoneInfo(timezone)
    here = (datetime.fromtimestamp(now // 1000, UTC) + timedelta(milliseconds=now % 1000)).astimezone(zone)
    begin, end = quiet
    minute = here.hour * 60 + here.minute
    if begin < end and not begin <= minute < end:
        return now
    if begin >= end and end <= minute < begin:
        return now
    day = here.date() + timedelta(days=1 if minute >= end else 0)
    ends = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)
    return max(now, round(ends.timestamp() * 1000))


class Origin(StrEnum):
    """What started a message: the event that asked for it, or a person."""

    MESSAGE = "message"
    PAYMENT = "payment"
    CLOCK = "clock"
    HUMAN = "human"
    AGENT = "agent"
    CAMPAIGN = "campaign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Everything the answer depends on, read at the moment of sending."""

    origin: Origin
    opted_out: bool = False
    confirms_opt_out: bool = False
    """Whether it is the one message that confirms the opt-out."""
    paused: bool = False
    from_global: bool = False
    """Whether a global transition asked for it: a pause never stops those (R4)."""
    has_window: bool = True
    """Whether the channel has the 24-hour rule at all."""
    window_open: bool = True
    has_template: bool = False
    quiet_until: Millis | None = None
    """When the quiet hours end, if they reign now."""


class Decision(StrEnum):
    """What happens to a message."""

    SEND = "send"
    TEMPLATE = "template"
    SUPPRESS = "suppress"
    POSTPONE = "postpone"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision, why it is not simply "send", and until when it is postponed."""

    decision: Decision
    reason: str | None = None
    until: Millis | None = None


def may_send(now: Circumstances) -> Verdict:
    """Opt-out first, then the pause, then the quiet hours, then the window: the first objection decides."""
    if now.opted_out and not _consented(now):
        return Verdict(Decision.SUPPRESS, "opt_out")
    free_of_pause = now.from_global or now.confirms_opt_out or now.origin is Origin.HUMAN
    if now.paused and not free_of_pause:
        return Verdict(Decision.HOLD, "paused")
    if now.quiet_until is not None and now.origin in (Origin.CLOCK, Origin.CAMPAIGN):
        return Verdict(Decision.POSTPONE, "quiet_hours", now.quiet_until)
    if not now.has_window or now.window_open:
        return Verdict(Decision.SEND)
    if now.has_template:
        return Verdict(Decision.TEMPLATE)
    return Verdict(Decision.SUPPRESS, "window_closed_no_template")


def _consented(now: Circumstances) -> bool:
    """What still leaves after an opt-out (R75): the confirmation, what a payment starts, answers to the lead.

    A person of the team answers the lead too, as long as the lead wrote within the last 24 hours.
    """
    if now.confirms_opt_out or now.origin in (Origin.MESSAGE, Origin.PAYMENT):
        return True
    return now.origin is Origin.HUMAN and now.window_open
