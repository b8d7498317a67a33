"""People who follow a publication may get its deadlines, counted from now, where the publisher says so (R61).

Who waits for nothing in such a state goes on waiting for nothing, unless the version before had no deadline there at all.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.core.errors import Refused
from engine.core.flow import Flow, Millis
from engine.core.interpreter import armed
from engine.core.places import Plan
from engine.store import conversations, moves
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.moves import Moved

__all__ = ["ANEW", "count_anew"]

ANEW = "deadline_anew"
"""Why a conversation's log has a row about it."""


def count_anew(tx: Tx, old: Flow, new: Flow, number: int, plan: Plan, placed: set[int], who: str, now: Millis) -> int:
    """Everybody on version `number` but those who were placed; returns how many. Raises Refused: place_unknown."""
    if not plan.follow or not plan.anew:
        return 0
    if unknown := sorted(plan.anew - new.states.keys()):
        raise Refused("place_unknown", states=unknown)
    found = [one for one in moves.standing_in(tx, new.slug, number, plan.anew) if one.id not in placed]
    made = list(_counted(found, old, new, number, plan, who, now))
    moves.write(tx, made, now)
    return len(made)


def _counted(
    found: list[Conversation], old: Flow, new: Flow, number: int, plan: Plan, who: str, now: Millis
) -> Iterator[Moved]:
    for one in found:
        before = one.snapshot
        known = old.states.get(before.state)
        waits = before.deadline_at is not None or (known is not None and not known.deadline)
        if before.state not in plan.anew or not waits:
            continue
        step = min(before.rung, max(len(new.states[before.state].deadline) - 1, 0))
        deadline, rung = armed(new, before.state, step, now, f"publication:{new.slug}:{number}:{one.id}")
        after = replace(before, deadline_at=deadline, rung=rung)
        facts = {"flow_version": number, "by": who, "after": conversations.moment(after, new.hidden)}
        entry = Record(outcome="note", reason=ANEW, frm=before.state, to=before.state, facts=facts)
        yield Moved(one, after, number, entry)
