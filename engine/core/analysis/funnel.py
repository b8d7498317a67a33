"""How far those who began within a window came: the states that each passed at least once, and why they came no further."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.analysis.accounts import Window
from engine.core.analysis.stays import Cause, Ends, Stay
from engine.core.values import Millis

__all__ = ["LOSSES", "Funnel", "Step", "funnel"]

LOSSES = (Cause.SILENCE, Cause.OPT_OUT, Cause.LOST, Cause.HAND, Cause.PUBLICATION, Cause.ELSEWHERE)
"""Ways to leave a state that nobody meant as a step ahead."""


@dataclass(frozen=True, slots=True)
class Step:
    """Conversations, each once: how many passed the state, and how each ended its last stay there; `here` is none of
    these yet.
    """

    reached: int
    ends: Mapping[Cause, int]
    here: int

    @property
    def lost(self) -> int:
        """Those who left otherwise than by a step ahead."""
        return sum(self.ends.get(cause, 0) for cause in LOSSES)

    @property
    def closes(self) -> bool:
        """Whether everybody who came is accounted for."""
        return self.reached == sum(self.ends.values()) + self.here


@dataclass(frozen=True, slots=True)
class Funnel:
    """`began`: the conversations that are looked at; of no state did more pass."""

    began: int
    steps: Mapping[str, Step]
    won: int
    opted_out: int


def funnel(
    stays: Iterable[Stay],
    cohort: set[int],
    window: Window,
    ends: Ends,
    opted_out: Mapping[int, Sequence[Millis]],
) -> Funnel:
    """Of these conversations, up to the end of the window. `opted_out`: when the person of each asked to stop."""
    talks: dict[int, dict[str, Stay]] = {}
    for stay in stays:
        if stay.conversation in cohort and stay.since < window.until:
            talks.setdefault(stay.conversation, {})[stay.state] = stay
    reached, here = Counter[str](), Counter[str]()
    left: dict[str, Counter[Cause]] = {}
    for last in talks.values():
        reached.update(last.keys())
        for name, stay in last.items():
            if stay.cause is None or stay.until is None or stay.until >= window.until:
                here[name] += 1
            elif name in left:
                left[name][stay.cause] += 1
            else:
                left[name] = Counter((stay.cause,))
    return Funnel(
        began=len(talks),
        steps={name: Step(reached[name], left.get(name, Counter()), here[name]) for name in reached},
        won=sum(not ends.won.isdisjoint(last) for last in talks.values()),
        opted_out=sum(
            not ends.opt_out.isdisjoint(last) or any(at < window.until for at in opted_out.get(one, ()))
            for one, last in talks.items()
        ),
    )
