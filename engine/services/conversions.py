"""How many of those who began a flow in the last week bought: those who came to a final state that is a win."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.flow import DAY, Flow, Look, Millis, StateKind
from engine.runtime import Flows
from engine.store import conversion, flows
from engine.store.connection import Tx

__all__ = ["DAYS", "Conversion", "conversions", "wins"]

DAYS = 7


@dataclass(frozen=True, slots=True)
class Conversion:
    """A week. `days` are (began, won), the oldest first; `before` the same sum for the week before, looked at when it
    ended, so that both weeks had the same time to win. `possible`: the flow has a state that is a win.
    """

    possible: bool
    days: tuple[tuple[int, int], ...]
    before: tuple[int, int]

    @property
    def began(self) -> int:
        """Everybody who began."""
        return sum(began for began, _ in self.days)

    @property
    def won(self) -> int:
        """Those of them who won."""
        return sum(won for _, won in self.days)


def wins(known: Iterable[Flow]) -> frozenset[str]:
    """The final states that are wins, in any of these versions."""
    return frozenset(
        state.name
        for flow in known
        for state in flow.states.values()
        if state.look is Look.WON and state.kind is StateKind.FINAL
    )


def conversions(tx: Tx, read: Flows, slug: str, live: int, now: Millis) -> Conversion:
    """The week that ends now, of a flow that is live."""
    start = now - DAYS * DAY
    numbers = {live, *conversion.versions(tx, slug, start - DAYS * DAY)}
    states = wins(read.within(tx, slug, number) for number in numbers if flows.document(tx, slug, number) is not None)
    days = [(0, 0)] * DAYS
    for span in conversion.began(tx, slug, start, now + 1, states):
        at = min(span.day, DAYS - 1)
        days[at] = days[at][0] + span.people, days[at][1] + span.arrived
    earlier = conversion.began(tx, slug, start - DAYS * DAY, start, states)
    before = sum(span.people for span in earlier), sum(span.arrived for span in earlier)
    return Conversion(bool(states), tuple(days), before)
