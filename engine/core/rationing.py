"""How often something that strangers can repeat at will is written down: a bounded number of times a minute, counted."""

from dataclasses import dataclass

from engine.core.flow import MINUTE, Millis

__all__ = ["EACH", "Tally", "counted"]

EACH = 10
"""The first ones of a minute are written down one by one, after them only each count that is a power of ten."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often it happened in the minute that began at `begun`, and how often since it was last written down."""

    begun: Millis
    count: int = 0
    unwritten: int = 0


def counted(before: Tally | None, now: Millis) -> tuple[Tally, int | None]:
    """The tally with one more, and how many were passed over before this one; None: this one is passed over too."""
    current = before if before is not None and 0 <= now - before.begun < MINUTE else None
    count = 1 if current is None else current.count + 1
    unwritten = 0 if before is None else before.unwritten
    begun = now if current is None else current.begun
    if count <= EACH or _power_of_ten(count):
        return Tally(begun, count), unwritten
    return Tally(begun, count, unwritten + 1), None


def _power_of_ten(count: int) -> bool:
    return str(count).strip("0") == "1"
