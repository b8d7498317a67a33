"""A letter that must not go now: it waits, is held back or is dropped, and the log says why (R29)."""

from engine.core.flow import Millis
from engine.core.windows import Decision, Verdict
from engine.services.approved import DIFFERS
from engine.services.telling import alarm, say
from engine.store import bubbles, outbox
from engine.store.connection import Tx
from engine.store.outbox import Row

__all__ = ["withhold"]


def withhold(tx: Tx, now: Millis, row: Row, verdict: Verdict) -> None:
    """Do what the verdict says, which is anything but sending. The parts after this one wait as long as it does."""
    if verdict.decision is Decision.POSTPONE:
        outbox.settle(tx, row.id, "pending", due_at=verdict.until, reason=verdict.reason)
        bubbles.hold_following(tx, row, verdict.until or now)
        if row.reason != verdict.reason:  # told once, however often it is looked at again
            say(tx, now, row, "postponed", verdict.reason, until=verdict.until)
    elif verdict.decision is Decision.HOLD:
        outbox.settle(tx, row.id, "held", reason=verdict.reason)
        say(tx, now, row, "held", verdict.reason)
    else:
        outbox.settle(tx, row.id, "suppressed", reason=verdict.reason)
        say(tx, now, row, "suppressed", verdict.reason)
        if verdict.reason == "window_closed_no_template" and not bubbles.template_follows(tx, row):
            alarm(tx, now, row, verdict.reason, to="marketer")
        elif verdict.reason == DIFFERS:
            alarm(tx, now, row, verdict.reason)
