"""What another burst wait would have done to the messages that came: which would have been answered together (R22)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.batching import due_at
from engine.core.elements import Debounce
from engine.core.values import SECOND, Millis

__all__ = ["BINS", "WhatIf", "histogram", "horizon", "what_if"]

BINS = 20
_LONGEST = 120 * SECOND


@dataclass(frozen=True, slots=True)
class WhatIf:
    """With one wait: of two messages in a row within the horizon, how often both would have had one answer (`joined`)
    or two (`parted`), and how many answers there would have been to all messages.
    """

    joined: int
    parted: int
    answers: int

    @property
    def gaps(self) -> int:
        """Pairs of messages in a row."""
        return self.joined + self.parted


def horizon(ceiling: Millis) -> Millis:
    """The longest gap that is looked at: messages further apart are no burst under any wait."""
    width = -(-min(max(ceiling, BINS * SECOND), _LONGEST) // (BINS * SECOND))
    return width * BINS * SECOND


def histogram(talks: Iterable[Sequence[Millis]], within: Millis) -> tuple[int, ...]:
    """How many gaps between arrivals in a row fall into each of the bins, in order; longer ones into none."""
    counts = [0] * BINS
    for times in talks:
        for one, following in pairwise(times):
            if following - one < within:
                counts[(following - one) * BINS // within] += 1
    return tuple(counts)


def what_if(talks: Iterable[Sequence[Millis]], debounce: Debounce, within: Millis) -> WhatIf:
    """`talks` are the arrivals of each conversation, oldest first. A message that comes when a burst is due begins the
    next one.
    """
    joined = parted = answers = 0
    for times in talks:
        begun = last = None
        for at in times:
            together = begun is not None and last is not None and at < due_at(begun, last, debounce)
            if last is not None and at - last < within:
                joined, parted = joined + together, parted + (not together)
            if not together:
                begun, answers = at, answers + 1
            last = at
    return WhatIf(joined, parted, answers)
