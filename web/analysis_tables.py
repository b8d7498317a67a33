"""The figures as tables: the rows of the page, and the same as a file that a spreadsheet opens.

A cell that a spreadsheet would take for a formula gets an apostrophe in front. Portuguese spreadsheets part cells by
semicolons and decimals by commas; English ones the other way. There is no personal data in any of them.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import StringIO

from engine.core.analysis.bursts import BINS
from engine.core.analysis.stays import Cause
from engine.core.conversion import Rate
from engine.core.flow import SECOND
from engine.services.analysis import Report
from web import i18n
from web.analysis_words import cause, message, versions_of
from web.i18n import gettext

__all__ = ["TABLES", "Table", "as_csv", "table"]

Cell = str | int | float | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows. Shares are 0 to 100, times seconds."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def table(report: Report, name: str) -> Table:
    """One of the tables by its name in TABLES."""
    return TABLES[name](report)


def _funnel(report: Report) -> Table:
    head = (gettext("State"), gettext("Reached"), "%", *map(cause, Cause), gettext("still there"))
    began = report.funnel.began
    rows: list[tuple[Cell, ...]] = [
        (name, step.reached, _share(step.reached, began), *(step.ends.get(one, 0) for one in Cause), step.here)
        for name in report.states
        if (step := report.funnel.steps.get(name)) is not None
    ]
    return Table(head, tuple(rows))


def _accounts(report: Report) -> Table:
    head = (
        *(gettext("State"), gettext("Here at the start"), gettext("Entered"), *map(cause, Cause)),
        *(gettext("Left"), gettext("Still here")),
    )
    rows: list[tuple[Cell, ...]] = [
        (name, one.before, one.entered, *(one.left.get(why, 0) for why in Cause), one.gone, one.still)
        for name in report.states
        if (one := report.accounts.get(name)) is not None
    ]
    return Table(head, tuple(rows))


def _times(report: Report) -> Table:
    head = (
        *(gettext("State"), gettext("Ended"), gettext("Median, s"), gettext("9 in 10, s"), gettext("Deadline, s")),
        *(gettext("Ran into the deadline"), "%", gettext("Last still")),
    )
    rows: list[tuple[Cell, ...]] = []
    for name in report.states:
        one = report.waited.get(name)
        if one is None:
            continue
        known = None if report.flow is None else report.flow.states.get(name)
        deadline = known.deadline[0] / SECOND if known is not None and known.deadline else None
        ranks = (one.median / SECOND, one.nine_tenths / SECOND) if one.ended else (None, None)
        rows.append((name, one.ended, *ranks, deadline, one.silent, _share(one.silent, one.ended), one.open))
    return Table(head, tuple(rows))


def _versions(report: Report) -> Table:
    return Table(
        (gettext("Version"), *_rate_head()), tuple((f"v{number}", *_rate(one)) for number, one in report.versions)
    )


def _branches(report: Report) -> Table:
    head = (gettext("Test"), gettext("Variant"), gettext("Share, %"), *_rate_head())
    rows = [
        (branch.arrow.frm or "*", f"{branch.letter} {branch.arrow.id}", branch.arrow.share, *_rate(one))
        for split in report.splits
        for branch, one in split.branches
    ]
    return Table(head, tuple(rows))


def _gaps(report: Report) -> Table:
    head = (gettext("From, s"), gettext("To, s"), gettext("Gaps"))
    bursts = report.bursts
    if bursts is None:
        return Table(head, ())
    width = bursts.within / BINS / SECOND
    return Table(head, tuple((n * width, (n + 1) * width, count) for n, count in enumerate(bursts.bins)))


def _waits(report: Report) -> Table:
    head = (gettext("Wait, s"), gettext("Joined"), gettext("Parted"), gettext("Answers"))
    bursts = report.bursts
    if bursts is None:
        return Table(head, ())
    tried = [(bursts.live, bursts.now), (bursts.tried, bursts.then)]
    rows = [(d.quiet / SECOND, w.joined, w.parted, w.answers) for d, w in tried if d is not None and w is not None]
    return Table(head, tuple(rows))


def _calls(report: Report) -> Table:
    head = (gettext("Messages received"), gettext("Decisions"), gettext("Answers saved"), gettext("Not answered"))
    bursts = report.bursts
    return Table(head, () if bursts is None else ((bursts.received, bursts.decisions, bursts.saved, bursts.aside),))


def _messages(report: Report) -> Table:
    head = (
        *(gettext("Message"), gettext("Versions"), gettext("Text"), gettext("Sends"), gettext("Delivered")),
        *(gettext("Read"), gettext("Answered"), gettext("Asked to stop within 24 h"), gettext("Blocked")),
        gettext("Failures"),
    )
    rows = [
        (
            *(message(one.action), versions_of(one.versions), one.text, one.fate.sent, one.fate.delivered),
            *(one.fate.read, one.fate.answered, one.fate.stopped, one.fate.blocked, one.fate.failed),
        )
        for one in report.letters
    ]
    return Table(head, tuple(rows))


TABLES: Mapping[str, Callable[[Report], Table]] = {
    "funnel": _funnel,
    "accounts": _accounts,
    "times": _times,
    "versions": _versions,
    "branches": _branches,
    "gaps": _gaps,
    "waits": _waits,
    "calls": _calls,
    "messages": _messages,
}


def _rate_head() -> tuple[str, ...]:
    return gettext("Began"), gettext("Bought"), "%", gettext("At least, %"), gettext("At most, %")


def _rate(one: Rate) -> tuple[Cell, ...]:
    return one.people, one.won, round(100 * one.share, 2), round(100 * one.low, 2), round(100 * one.high, 2)


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def as_csv(made: Table) -> str:
    """The table as a spreadsheet of the reader's language opens it."""
    portuguese = i18n.current() == i18n.DEFAULT
    written = StringIO()
    out = csv.writer(written, delimiter=";" if portuguese else ",", lineterminator="\r\n")
    for row in (made.head, *made.rows):
        out.writerow([_cell(value, portuguese) for value in row])
    return BOM + written.getvalue()


def _cell(value: Cell, portuguese: bool) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    if value is None:
        return ""
    told = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return told.replace(".", ",") if portuguese else told
