"""When a burst of messages is due, and in which order it is read (R13, R22)."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from engine.core.flow import Debounce, Millis


class Timed(Protocol):
    """A pending message: its source's time and the number of its row, which grows with arrival."""

    @property
    def at(self) -> Millis: ...

    @property
    def id(self) -> int: ...


Fragment = TypeVar("Fragment", bound=Timed)


def due_at(oldest_pending: Millis, newest_pending: Millis, debounce: Debounce) -> Millis:
    """The earlier of newest + quiet and oldest + ceiling: a lead who keeps typing is still answered (R22)."""
    return min(newest_pending + debounce.quiet, oldest_pending + debounce.ceiling)


def order(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """By source time, by arrival where that is equal; a message's provider id says nothing about order."""
    return tuple(sorted(fragments, key=lambda fragment: (fragment.at, fragment.id)))
