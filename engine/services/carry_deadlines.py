"""People who stay where they are may get a publication's deadline, counted from now, where the publisher says so (R61).

Who waits for nothing in such a state goes on waiting for nothing, unless the version before had no deadline there at all.
"""

from dataclasses import replace

from engine.core.events import Snapshot
from engine.core.flow import Flow, Millis
from engine.core.interpreter import armed

__all__ = ["ANEW", "counted_anew"]

ANEW = "deadline_anew"
"""Why a conversation's log has a row about it."""


def counted_anew(before: Snapshot, old: Flow, new: Flow, now: Millis, seed: str) -> Snapshot:
    """The same step of the ladder as `new` has it, from now on; of a shorter ladder the last step. Who was past the last
    one of `old` still is.
    """
    known = old.states.get(before.state)
    ladder, earlier = new.states[before.state].deadline, known.deadline if known is not None else ()
    if before.deadline_at is None and earlier:
        return before
    past = bool(earlier) and before.rung >= len(earlier)
    step = len(ladder) if past else min(before.rung, max(len(ladder) - 1, 0))
    deadline, rung = armed(new, before.state, step, now, seed)
    return replace(before, deadline_at=deadline, rung=rung)
