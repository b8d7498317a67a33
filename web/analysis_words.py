"""What the figures are called."""

from engine.core.analysis.spans import Span
from engine.core.analysis.stays import Cause
from engine.core.conversion import LEAST, Rate
from web import words
from web.i18n import gettext

__all__ = ["cause", "date_of", "interval", "message", "of", "too_early", "versions_of"]


def cause(name: Cause) -> str:
    """Why people left a state."""
    return {
        Cause.OPT_OUT: gettext("asked to stop"),
        Cause.PUBLICATION: gettext("moved by a new version"),
        Cause.HAND: gettext("moved by hand"),
        Cause.SILENCE: gettext("silence"),
        Cause.LOST: gettext("went to a lost state"),
        Cause.ONWARD: gettext("went ahead"),
        Cause.ELSEWHERE: gettext("goes on in another conversation"),
    }[name]


def message(name: str) -> str:
    """The name of a message; what no flow sends has a name of its own."""
    return {"manual": gettext("Written by the team"), "campaign": gettext("Campaigns")}.get(name, name)


def interval(rate: Rate) -> str:
    """Between which shares the true one lies."""
    return gettext("%(low)s to %(high)s") % {
        "low": words.percent(100 * rate.low),
        "high": words.percent(100 * rate.high),
    }


def too_early(rates: list[Rate]) -> str:
    """Why no winner is named."""
    if min((rate.people for rate in rates), default=0) < LEAST:
        return gettext("Too early to say which is better: each needs %(n)s people first.") % {"n": words.number(LEAST)}
    return gettext("None is surely better: the intervals still allow both to be equal.")


def versions_of(numbers: tuple[int, ...]) -> str:
    """v3, or v3 to v5 where they follow each other."""
    if not numbers:
        return "–"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"v{run[0]}" if len(run) == 1 else f"v{run[0]}–v{run[-1]}" for run in runs)


def date_of(span: Span) -> str:
    """The days of a range, both ends in it."""
    first, last = words.calendar_day(span.first), words.calendar_day(span.last)
    return first if first == last else gettext("%(first)s to %(last)s") % {"first": first, "last": last}


def of(part: int, whole: int) -> str:
    """A count with its share of a whole."""
    return words.number(part) if not whole else f"{words.number(part)} ({words.percent(100 * part / whole)})"
