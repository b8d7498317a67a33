"""When a burst of messages is due, how long it waits for an audio's words, and in which order it is read (R13, R22, R23)."""

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


def awaited_until(oldest_pending: Millis, awaited: Iterable[Millis], debounce: Debounce, wait: Millis) -> Millis | None:
    """Until when a burst that is over waits for the words of audios (R23); `awaited` are their arrivals.

    Each audio gets its whole wait if it came before the burst's own ceiling; one that comes while the burst waits
    prolongs it no further, so that whoever keeps sending audios is still answered. None when nothing is awaited.
    """
    newest = max(awaited, default=None)
    if newest is None or wait <= 0:
        return None
    return min(newest, oldest_pending + debounce.ceiling) + wait


def order(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """By source time, by arrival where that is equal; a message's provider id says nothing about order."""
    return tuple(sorted(fragments, key=lambda fragment: (fragment.at, fragment.id)))
