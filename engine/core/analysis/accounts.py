"""The account of each state over a window: who was there, who came, who left and why, who is there still.

For every state, window, version and branch: here before + entered = left + still here. A stay that touches the window
is on each side once: it was there or it came, and it left or it lasts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.core.analysis.stays import Cause, Stay
from engine.core.values import Millis

__all__ = ["Account", "Window", "accounts"]


@dataclass(frozen=True, slots=True)
class Window:
    """From `since`, up to `until`, which is not in it."""

    since: Millis
    until: Millis

    def __contains__(self, at: Millis | None) -> bool:
        return at is not None and self.since <= at < self.until


@dataclass(frozen=True, slots=True)
class Account:
    """Stays of one state, not people: whoever comes twice is counted twice."""

    before: int = 0
    entered: int = 0
    left: Mapping[Cause, int] = field(default_factory=dict)
    still: int = 0

    @property
    def gone(self) -> int:
        """Everybody who left."""
        return sum(self.left.values())

    @property
    def closes(self) -> bool:
        """Whether nobody came from nowhere and nobody got lost."""
        return self.before + self.entered == self.gone + self.still


def accounts(stays: Iterable[Stay], resting: Mapping[str, int], window: Window) -> dict[str, Account]:
    """By state. `resting`: how many others were in each state all the time."""
    before, entered, still = Counter(resting), Counter[str](), Counter(resting)
    left: dict[str, Counter[Cause]] = {}
    begin, end = window.since, window.until
    for stay in stays:
        since, until = stay.since, stay.until
        if since < begin and (until is None or until >= begin):
            before[stay.state] += 1
        if begin <= since < end:
            entered[stay.state] += 1
        if stay.cause is not None and until is not None and begin <= until < end:
            left.setdefault(stay.state, Counter())[stay.cause] += 1
        if since < end and (until is None or until >= end):
            still[stay.state] += 1
    states = {*before, *entered, *left, *still}
    return {name: Account(before[name], entered[name], left.get(name, Counter()), still[name]) for name in states}
