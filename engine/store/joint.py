"""Units that are cheaper together: one call for all of a kind that wait for the same commit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from engine.store.connection import Tx

__all__ = ["Joint", "in_turn"]


@dataclass(frozen=True, slots=True)
class Joint:
    """A unit whose work takes several items at once and gives one answer an item, in order.

    What the work raises is the answer of nobody: each item is then tried alone.
    """

    work: Callable[[Tx, Sequence[Any]], Sequence[Any]]
    item: Any

    def __call__(self, tx: Tx) -> Any:
        """The item alone."""
        return self.work(tx, [self.item])[0]


def in_turn(units: Iterable[Callable[[Tx], Any]]) -> Iterator[Callable[[Tx], Sequence[Any]]]:
    """The units in order, neighbours of one kind as one call; each call gives the answers of its units."""
    for work, group in groupby(units, key=lambda unit: unit.work if isinstance(unit, Joint) else None):
        if work is None:
            yield from (partial(_alone, unit) for unit in group)
        else:
            yield partial(_jointly, work, [unit.item for unit in group if isinstance(unit, Joint)])


def _jointly(work: Callable[[Tx, Sequence[Any]], Sequence[Any]], items: Sequence[Any], tx: Tx) -> Sequence[Any]:
    return work(tx, items)


def _alone(unit: Callable[[Tx], Any], tx: Tx) -> Sequence[Any]:
    return [unit(tx)]
