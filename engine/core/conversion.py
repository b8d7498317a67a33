"""Whether one branch of a split converts better than the others, and how sure that is.

Each rate gets a Wilson interval. Two rates differ when Newcombe's interval of their difference, made of both Wilson
intervals, leaves out zero. The intervals are wide, 99 in 100, because whoever looks every day sees many chances to be
wrong, and wider with more branches (Bonferroni). Nothing is claimed before each branch has LEAST contacts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

__all__ = ["LEAST", "Rate", "best", "rate"]

LEAST = 100
"""Contacts that each branch must have before anything is said about them."""
LEAST_WON = 5
"""Sales that all branches together must have."""
ERROR = 0.01


@dataclass(frozen=True, slots=True)
class Rate:
    """`won` of `people`, and between which shares the true one lies: 0 to 1."""

    people: int
    won: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The rate as it was seen, 0 where nobody came."""
        return self.won / self.people if self.people else 0.0


def rate(people: int, won: int, error: float = ERROR) -> Rate:
    """The rate with its Wilson interval."""
    if people == 0:
        return Rate(0, 0, 0.0, 1.0)
    z = NormalDist().inv_cdf(1 - error / 2)
    seen, weight = won / people, z * z / people
    middle = (seen + weight / 2) / (1 + weight)
    around = z * sqrt(seen * (1 - seen) / people + weight / (4 * people)) / (1 + weight)
    return Rate(people, won, max(0.0, middle - around), min(1.0, middle + around))


def best(counts: Sequence[tuple[int, int]]) -> int | None:
    """The place of the branch that converts better than every other, of (people, won); None as long as none is sure."""
    if len(counts) < 2 or min(people for people, _ in counts) < LEAST or sum(won for _, won in counts) < LEAST_WON:
        return None
    rates = [rate(people, won, ERROR / (len(counts) - 1)) for people, won in counts]
    first = max(range(len(rates)), key=lambda n: rates[n].share)
    ahead = all(_surely_more(rates[first], other) for n, other in enumerate(rates) if n != first)
    return first if ahead else None


def _surely_more(one: Rate, other: Rate) -> bool:
    """Newcombe: the lower end of the difference is above zero."""
    least = one.share - other.share - sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    return least > 0
