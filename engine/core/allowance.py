"""How much noise one source may make: so many at once, then so many a second, kept as one number (SEC-S6)."""

from engine.core.flow import Millis

__all__ = ["BURST", "EACH", "charged", "exhausted", "wait"]

EACH: Millis = 200
"""What one failure costs: five of them a second can go on for ever."""
BURST = 60
"""So many at once are let pass: a platform with a wrong secret, a list of old addresses."""


def charged(paid_until: Millis | None, now: Millis) -> Millis:
    """When everything so far is paid for, with one failure more."""
    return max(paid_until or 0, now) + EACH


def exhausted(paid_until: Millis | None, now: Millis) -> bool:
    """Whether there is nothing left to spend."""
    return wait(paid_until, now) > 0


def wait(paid_until: Millis | None, now: Millis) -> Millis:
    """How long until one more is let pass."""
    return max(0, (paid_until or 0) - now - (BURST - 1) * EACH)
