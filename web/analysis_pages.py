"""What the page of figures shows: its rows, the figures at its head, and the addresses of its other views."""

from dataclasses import dataclass
from urllib.parse import urlencode

from engine.core.flow import SECOND
from engine.services.analysis import Question, Report
from engine.services.analysis_letters import Written
from web import i18n, words
from web.analysis_bursts import Tries, calls, tries
from web.analysis_rates import Rated, Test, by_version, tests
from web.analysis_rows import Biggest, Reached, Row, accounts, biggest, reached, times
from web.analysis_words import date_of, message, of, versions_of
from web.i18n import gettext

__all__ = ["Page", "page_of", "query"]

MOST_VERSIONS = 12
"""That can be chosen among, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What templates/analysis reads."""

    report: Report
    title: str
    range: str
    kpis: tuple[tuple[str, str, str], ...]
    reached: tuple[Reached, ...]
    biggest: Biggest | None
    accounts: tuple[Row, ...]
    closes: bool
    times: tuple[Row, ...]
    versions: tuple[Rated, ...]
    versions_verdict: str
    tests: tuple[Test, ...]
    tries: Tries | None
    calls: tuple[tuple[str, str], ...]
    letters: tuple[tuple[str, ...], ...]
    choices: tuple[int, ...]

    def address(self, **changed: str) -> str:
        """The page with something else chosen."""
        return f"/analytics/{self.report.draft.slug}?{query(self.report.question, **changed)}"


def query(question: Question, **changed: str) -> str:
    """What an address says after the question mark."""
    told = {
        "range": question.range,
        "versions": ",".join(str(number) for number in sorted(question.versions)),
        "branch": question.branch,
        "wait": "" if question.wait is None else str(question.wait // SECOND),
    }
    return urlencode({name: value for name, value in {**told, **changed}.items() if value}, safe=",.")


def page_of(report: Report) -> Page:
    """The whole page."""
    flow, bursts, (versions, verdict) = report.flow, report.bursts, by_version(report)
    return Page(
        report=report,
        title=report.draft.title if flow is None else flow.title.within(i18n.current()),
        range=date_of(report.span),
        kpis=_kpis(report),
        reached=reached(report),
        biggest=biggest(report),
        accounts=accounts(report),
        closes=all(one.closes for one in report.accounts.values()),
        times=times(report),
        versions=versions,
        versions_verdict=verdict,
        tests=tests(report),
        tries=None if bursts is None else tries(bursts, report.question.wait),
        calls=() if bursts is None else calls(bursts),
        letters=tuple(_letter(one) for one in report.letters),
        choices=tuple(
            n for place, n in enumerate(report.published) if place < MOST_VERSIONS or n in report.question.versions
        ),
    )


def _letter(one: Written) -> tuple[str, ...]:
    fate = one.fate
    shares = (fate.delivered, fate.read, fate.answered, fate.stopped, fate.blocked)
    return (
        *(message(one.action), versions_of(one.versions), one.text, words.number(fate.sent)),
        *(of(count, fate.sent) for count in shares),
        words.number(fate.failed),
    )


def _kpis(report: Report) -> tuple[tuple[str, str, str], ...]:
    """Name, figure, and what it is of."""
    funnel, bursts = report.funnel, report.bursts
    began = max(funnel.began, 1)
    return (
        (gettext("Began"), words.number(funnel.began), gettext("conversations of the range")),
        (gettext("Bought"), words.number(funnel.won), gettext("of those, until the end of the range")),
        (gettext("Conversion"), words.percent(100 * funnel.won / began) if funnel.began else "–", ""),
        (
            gettext("Asked to stop"),
            words.percent(100 * funnel.opted_out / began) if funnel.began else "–",
            words.number(funnel.opted_out),
        ),
        (gettext("Messages received"), words.number(bursts.received if bursts else 0), ""),
        (gettext("Answers saved"), words.number(bursts.saved if bursts else 0), gettext("by waiting for bursts")),
    )
