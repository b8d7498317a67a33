"""The states of a flow with their figures: how far people came, the account of each, and how long they stay."""

from dataclasses import dataclass

from markupsafe import Markup

from engine.core import charts
from engine.core.analysis.funnel import LOSSES, Step
from engine.core.diagram.palette import KINDS
from engine.core.flow import MINUTE, SECOND, Flow, Look, Millis, StateKind
from engine.services.analysis import Report
from web import words
from web.analysis_words import cause, of
from web.i18n import gettext

__all__ = ["Biggest", "Reached", "Row", "accounts", "biggest", "reached", "times"]

ENDS = (StateKind.FINAL, StateKind.OPTOUT)


@dataclass(frozen=True, slots=True)
class Reached:
    """A bar of the funnel; `lost` are counts with their cause."""

    state: str
    look: Look
    count: str
    share: str
    bar: Markup
    lost: tuple[tuple[str, str], ...]
    here: str


@dataclass(frozen=True, slots=True)
class Biggest:
    """Where most are lost."""

    state: str
    count: str
    share: str


@dataclass(frozen=True, slots=True)
class Row:
    """A state with figures in words, and a picture where there is one."""

    state: str
    look: Look
    cells: tuple[str, ...]
    picture: Markup | None = None
    wrong: bool = False


def _look(flow: Flow | None, name: str) -> Look:
    """How a state looks; one that only an older version had looks like any talk."""
    known = None if flow is None else flow.states.get(name)
    return Look.TALK if known is None else known.look


def _is_end(flow: Flow | None, name: str) -> bool:
    known = None if flow is None else flow.states.get(name)
    return known is not None and known.kind in ENDS


def _kind(flow: Flow | None, name: str) -> str:
    return f"k-{KINDS[_look(flow, name)]}"


def reached(report: Report) -> tuple[Reached, ...]:
    """The bars of the funnel, in the order of the sale."""
    found, began = [], report.funnel.began
    for name in report.states:
        step = report.funnel.steps.get(name)
        if step is None:
            continue
        # Who leaves an end was not on the way to anywhere.
        losses = () if _is_end(report.flow, name) else LOSSES
        lost = tuple((words.number(step.ends[one]), cause(one)) for one in losses if step.ends.get(one))
        found.append(
            Reached(
                state=name,
                look=_look(report.flow, name),
                count=words.number(step.reached),
                share=words.percent(100 * step.reached / began),
                bar=Markup(charts.bar(step.reached / began, _kind(report.flow, name))),  # noqa: S704 - escaped there
                lost=lost,
                here=words.number(step.here) if step.here else "",
            )
        )
    return tuple(found)


def biggest(report: Report) -> Biggest | None:
    """Of the states that are no end."""
    flow = report.flow
    steps: list[tuple[str, Step]] = [
        (name, step)
        for name, step in report.funnel.steps.items()
        if step.lost and flow is not None and name in flow.states and not _is_end(flow, name)
    ]
    if not steps:
        return None
    name, step = max(steps, key=lambda one: (one[1].lost, one[0]))
    return Biggest(name, words.number(step.lost), words.percent(100 * step.lost / step.reached))


def accounts(report: Report) -> tuple[Row, ...]:
    """The account of each state, in the order of the sale."""
    return tuple(_account(report, name) for name in report.states if name in report.accounts)


def _account(report: Report, name: str) -> Row:
    one = report.accounts[name]
    left = ", ".join(f"{cause(why)}: {words.number(count)}" for why, count in sorted(one.left.items()) if count)
    cells = (*(words.number(n) for n in (one.before, one.entered, one.gone, one.still)), left)
    return Row(name, _look(report.flow, name), cells, wrong=not one.closes)


def times(report: Report) -> tuple[Row, ...]:
    """How long people stay in each state that is no end."""
    return tuple(_time(report, name) for name in report.states if _timed(report, name))


def _timed(report: Report, name: str) -> bool:
    return name in report.waited and not _is_end(report.flow, name)


def _time(report: Report, name: str) -> Row:
    one, flow = report.waited[name], report.flow
    known = None if flow is None else flow.states.get(name)
    deadline = known.deadline[0] if known is not None and known.deadline else None
    whole = deadline or max(one.nine_tenths, 1)
    ranks = (one.quarter, one.median, one.three_quarters, one.nine_tenths)
    picture = None
    if one.ended:
        first, middle, third, nine = (rank / whole for rank in ranks)
        picture = Markup(charts.spread((first, middle, third, nine), _kind(flow, name)))  # noqa: S704 - escaped there
    cells = (
        _span(one.median) if one.ended else "–",
        _span(one.nine_tenths) if one.ended else "–",
        words.duration(deadline) if deadline else "–",
        of(one.silent, one.ended) if deadline else "–",
        words.number(one.ended) + (f" + {words.number(one.open)}" if one.open else ""),
    )
    return Row(name, _look(flow, name), cells, picture)


def _span(ms: Millis) -> str:
    """Short: 45 s, 33 min, 2 h 10, 1 d 4 h."""
    minutes = ms // MINUTE
    if ms < SECOND:
        return gettext("under 1 s")
    if not minutes:
        return f"{ms // SECOND} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02}" if hours < 24 else f"{hours // 24} d {hours % 24} h"
