"""Versions and branches of A/B tests with what they sold, how sure that is, and whether one is surely better."""

from dataclasses import dataclass

from markupsafe import Markup

from engine.core import charts
from engine.core.conversion import Rate
from engine.services.analysis import Report
from web import i18n, words
from web.analysis_words import interval, too_early
from web.i18n import gettext

__all__ = ["Rated", "Test", "by_version", "tests"]


@dataclass(frozen=True, slots=True)
class Rated:
    """A version or a branch with its rate."""

    name: str
    people: str
    won: str
    share: str
    interval: str
    bar: Markup
    ahead: bool


@dataclass(frozen=True, slots=True)
class Test:
    """A split of the live version."""

    title: str
    arrow: str
    rows: tuple[Rated, ...]
    verdict: str


def by_version(report: Report) -> tuple[tuple[Rated, ...], str]:
    """The versions, the newest first, and what can be said of them."""
    ahead = report.ahead
    rows = tuple(_rated(f"v{number}", one, number == ahead) for number, one in report.versions)
    return rows, _verdict([one for _, one in report.versions], None if ahead is None else f"v{ahead}")


def _rated(name: str, one: Rate, ahead: bool) -> Rated:
    drawn = charts.spread((one.low, one.share, one.high, one.high), "k-conversa")
    return Rated(
        name=name,
        people=words.number(one.people),
        won=words.number(one.won),
        share=words.percent(100 * one.share) if one.people else "–",
        interval=interval(one) if one.people else "–",
        bar=Markup(drawn) if one.people else Markup(),  # noqa: S704 - escaped there
        ahead=ahead,
    )


def _verdict(rates: list[Rate], winner: str | None) -> str:
    if len(rates) < 2:
        return ""
    if winner is None:
        return too_early(rates)
    return gettext("%(name)s converted better than the others, and not by chance.") % {"name": winner}


def tests(report: Report) -> tuple[Test, ...]:
    """The splits of the live version."""
    found = []
    for split in report.splits:
        rates = [one for _, one in split.branches]
        first = split.branches[0][0].arrow
        event = report.flow.events.get(first.on) if report.flow is not None else None
        label = first.on if event is None or event.label is None else event.label.within(i18n.current())
        winner = None if split.winner is None else split.winner.letter
        found.append(
            Test(
                title=gettext("%(state)s, when %(event)s, since v%(n)s")
                % {"state": first.frm or gettext("any state"), "event": label, "n": split.since},
                arrow=first.id,
                rows=tuple(
                    _rated(f"{branch.letter} · {branch.arrow.share} %", one, branch is split.winner)
                    for branch, one in split.branches
                ),
                verdict=_verdict(rates, winner),
            )
        )
    return tuple(found)
