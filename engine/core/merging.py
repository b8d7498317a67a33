"""Two cycles of one flow turn out to be one person's: which of them goes on (R70, R71).

Never do two robots talk to one person: one cycle goes on and the other is followed by it. What was bought is never
lost: a cycle that a purchase ended goes on before any other. A request to stop comes next, then a talk that is under
way, and what ended without a purchase is last; among equals the one in which something was said last goes on.
"""

from dataclasses import dataclass

from engine.core.flow import Look, Millis, State, StateKind

__all__ = ["Candidate", "goes_on"]

BOUGHT, STOPPED, TALKING, ENDED = range(4)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cycle, the state that it stands in (None when its version has no such state), when something was said last."""

    id: int
    state: State | None
    active_at: Millis

    @property
    def rank(self) -> int:
        """What it is, the weightiest first."""
        kind = StateKind.NORMAL if self.state is None else self.state.kind
        if kind is StateKind.FINAL:
            return BOUGHT if self.state is not None and self.state.look is Look.WON else ENDED
        return STOPPED if kind is StateKind.OPTOUT else TALKING


def goes_on(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    """(the cycle that goes on, the one whose place it takes); the order of the two says nothing."""
    first, second = sorted((one, other), key=lambda each: (each.rank, -each.active_at, -each.id))
    return first, second
