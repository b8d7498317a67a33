"""Messages in a row: how far apart they come, and what another burst wait would have done with them (R22)."""

from dataclasses import dataclass

from markupsafe import Markup

from engine.core import charts
from engine.core.analysis.bursts import BINS
from engine.core.flow import SECOND, Millis
from engine.services.analysis import Bursts
from web import words
from web.i18n import gettext

__all__ = ["LONGEST_WAIT", "Tries", "calls", "tries"]

LONGEST_WAIT = 60
"""Seconds; the most that the page tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """The burst wait: the picture, and what each wait does; `tried` is none while nothing else is tried."""

    picture: Markup
    some: bool
    gaps: str
    within: str
    bins: tuple[tuple[str, str], ...]
    now: str
    tried: str
    wait: int
    longest: int
    ceiling: str
    lines: tuple[tuple[str, str, str], ...]
    own: tuple[str, ...]


def tries(bursts: Bursts, wait: Millis | None) -> Tries:
    """With a wait to try, or without."""
    width = bursts.within // BINS
    tried = bursts.tried
    edges = [(place * width, (place + 1) * width) for place in range(BINS)]
    low = min(bursts.live.quiet, tried.quiet if tried else bursts.live.quiet)
    high = max(bursts.live.quiet, tried.quiet if tried else bursts.live.quiet)
    classes = ["joined" if end <= low else "between" if end <= high else "parted" for _, end in edges]
    now = gettext("today: %(wait)s") % {"wait": words.duration(bursts.live.quiet)}
    marks = [(bursts.live.quiet / bursts.within, "now", now)]
    if tried is not None:
        marks.append(
            (tried.quiet / bursts.within, "tried", gettext("try: %(wait)s") % {"wait": words.duration(tried.quiet)})
        )
    ticks = [f"{place * 4 * width // SECOND}" for place in range(BINS // 4)] + [words.duration(bursts.within)]
    drawn = charts.histogram(bursts.bins, classes, ticks, marks)
    then = bursts.then
    lines = (
        (
            gettext("Messages in a row that get one answer"),
            _part(bursts.now.joined, bursts.now.gaps),
            _part(then.joined, then.gaps) if then else "",
        ),
        (
            gettext("Parted: the bot may cut in"),
            _part(bursts.now.parted, bursts.now.gaps),
            _part(then.parted, then.gaps) if then else "",
        ),
        (
            gettext("Answers of the bot"),
            words.number(bursts.now.answers),
            words.number(then.answers) if then else "",
        ),
        (
            gettext("Wait of who sends a single one"),
            words.duration(bursts.live.quiet),
            words.duration(tried.quiet) if tried else "",
        ),
    )
    seconds = (wait if wait is not None else bursts.live.quiet) // SECOND
    return Tries(
        picture=Markup(drawn),  # noqa: S704 - escaped there
        some=bursts.now.gaps > 0,
        gaps=words.number(bursts.now.gaps),
        within=words.duration(bursts.within),
        bins=tuple(
            (f"{words.decimal(a / SECOND)}–{words.decimal(b / SECOND)} s", words.number(n))
            for (a, b), n in zip(edges, bursts.bins, strict=True)
        ),
        now=words.duration(bursts.live.quiet),
        tried=words.duration(tried.quiet) if tried else "",
        wait=seconds,
        longest=min(max(bursts.live.ceiling // SECOND, 2, seconds), LONGEST_WAIT),
        ceiling=words.duration(bursts.live.ceiling),
        lines=lines,
        own=bursts.own_waits,
    )


def _part(part: int, whole: int) -> str:
    return f"{words.percent(100 * part / whole)} ({words.number(part)})" if whole else "–"


def calls(bursts: Bursts) -> tuple[tuple[str, str], ...]:
    """What waiting for bursts saved."""
    return (
        (gettext("Messages received"), words.number(bursts.received)),
        (gettext("Decisions of the bot"), words.number(bursts.decisions)),
        (gettext("Answers saved"), words.number(bursts.saved)),
        (gettext("Not answered, or still waiting"), words.number(bursts.aside)),
    )
