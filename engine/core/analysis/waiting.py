"""How long people stay in each state, beside the silence after which the clock speaks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.analysis.accounts import Window
from engine.core.analysis.stays import Stay
from engine.core.values import Millis

__all__ = ["Waited", "at_rank", "waited"]


@dataclass(frozen=True, slots=True)
class Waited:
    """Stays of one state that ended. A rank is the least time that at least so many in a hundred do not exceed.

    `silent`: in how many of them the clock spoke; `open`: those that last and are counted in nothing else.
    """

    ended: int
    quarter: Millis
    median: Millis
    three_quarters: Millis
    nine_tenths: Millis
    silent: int
    open: int


def at_rank(ordered: Sequence[Millis], hundredths: int) -> Millis:
    """The nearest rank: of 10 times, the median is the 5th and p90 the 9th. 0 of none."""
    return ordered[max(0, -(-len(ordered) * hundredths // 100) - 1)] if ordered else 0


def waited(stays: Iterable[Stay], window: Window) -> dict[str, Waited]:
    """By state: what ended within the window and what lasts at its end. Stays of which nobody knows the beginning do
    not count.
    """
    times: dict[str, list[Millis]] = {}
    silent: dict[str, int] = {}
    lasting: dict[str, int] = {}
    for stay in stays:
        if stay.until is not None and stay.until in window and stay.since > 0:
            times.setdefault(stay.state, []).append(stay.until - stay.since)
            silent[stay.state] = silent.get(stay.state, 0) + stay.silent
        elif stay.since < window.until and (stay.until is None or stay.until >= window.until):
            lasting[stay.state] = lasting.get(stay.state, 0) + 1
    found = {}
    for name in {*times, *lasting}:
        ordered = sorted(times.get(name, ()))
        found[name] = Waited(
            ended=len(ordered),
            quarter=at_rank(ordered, 25),
            median=at_rank(ordered, 50),
            three_quarters=at_rank(ordered, 75),
            nine_tenths=at_rank(ordered, 90),
            silent=silent.get(name, 0),
            open=lasting.get(name, 0),
        )
    return found
