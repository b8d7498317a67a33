"""Numbers, durations and moments as the reader's language writes them."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup

from engine.core.durations import human
from engine.core.flow import DAY, Millis
from web import i18n
from web.i18n import gettext, ngettext

HOME = "America/Sao_Paulo"
"""The time zone of moments that no flow decides."""


def _locale() -> str:
    return i18n.current().replace("-", "_")


def number(value: int) -> str:
    """1.284 or 1,284."""
    return str(format_decimal(value, locale=_locale()))


def duration(ms: Millis) -> str:
    """2 h, 30 min, 1 dia e 2 h."""
    return human(ms, i18n.current())


def moment(at: Millis, zone: str = HOME) -> str:
    """A day and a time, for what is older than a day."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    return str(format_datetime(when, "d MMM y, HH:mm", tzinfo=ZoneInfo(zone), locale=_locale()))


def clock(at: Millis, zone: str = HOME) -> str:
    """A time of the day: 18:38."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    return str(format_datetime(when, "HH:mm", tzinfo=ZoneInfo(zone), locale=_locale()))


def ago(at: Millis, now: Millis, zone: str = HOME) -> str:
    """How long ago, for the last day; before that the moment itself."""
    past = max(0, now - at)
    if past < 60_000:
        seconds = past // 1000
        return ngettext("%(n)s second ago", "%(n)s seconds ago", seconds) % {"n": seconds}
    if past < DAY:
        minutes = past // 60_000
        return gettext("%(duration)s ago") % {"duration": duration(minutes * 60_000)}
    return moment(at, zone)


def proof(source: str) -> str:
    """Where a consent is known from."""
    return {
        "import": gettext("from a file"),
        "supervisor": gettext("noted by the team"),
        "flow": gettext("said to the bot"),
        "channel_button": gettext("by the button of WhatsApp"),
    }.get(source, source)


def verdict(name: str) -> str:
    """What the checks say of a safety rule."""
    return {
        "proved": gettext("proved"),
        "violated": gettext("violated"),
        "unknown": gettext("could not be proved"),
        "going": gettext("proving"),
    }.get(name, name)


def initials(name: str) -> str:
    """One or two letters for a person without a picture; a number's are a question mark."""
    letters = [word[0].upper() for word in name.split() if word[0].isalpha()]
    return "".join(letters[:1] + letters[-1:] if len(letters) > 1 else letters) or "?"


def breakable(name: str) -> Markup:
    """A name that may be broken after each underscore, and nowhere else."""
    return Markup("_<wbr>").join(name.split("_"))


def decimal(value: float, *, signed: bool = False) -> str:
    """1.284,5 or 1,284.5; with its sign, +2,1 and −0,6."""
    told = str(format_decimal(abs(value) if signed else value, locale=_locale()))
    return f"{'+' if value >= 0 else '−'}{told}" if signed else told


def percent(value: float) -> str:
    """18,4% or 18.4%: of a hundred, with one digit after the point."""
    return str(format_percent(round(value, 1) / 100, "#,##0.#%", locale=_locale()))


def day(at: Millis, zone: str = HOME) -> str:
    """A day: 24 nov 2026."""
    when = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    return str(format_date(when, "d MMM y", locale=_locale()))


def calendar_day(when: date) -> str:
    """A day of the calendar: 24 nov 2026."""
    return str(format_date(when, "d MMM y", locale=_locale()))
