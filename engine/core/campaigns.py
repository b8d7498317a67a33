"""Campaigns in figures: who is asked for, how many at a time, and when so many letters fail that it stands still."""

from dataclasses import dataclass

from engine.core.flow import MINUTE, Flow, Millis, StateKind

__all__ = ["Filter", "failing", "paid_states", "portion"]

FAILING_OF, FAILING_PERCENT = 20, 25
"""From so many settled letters on, so many failures in a hundred stop a campaign."""
MOST_A_MINUTE, MOST_A_DAY = 600, 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Who is asked for; what is empty asks for everybody. `state` is where the latest cycle of `flow` stands."""

    flow: str = ""
    state: str = ""
    tag: str = ""
    file_id: int | None = None


def portion(per_minute: int) -> tuple[int, Millis]:
    """How many people are taken at once, and the wait after them: one by one up to 60 a minute, then every second."""
    people = max(1, per_minute // 60)
    return people, -(-people * MINUTE // per_minute)


def failing(sent: int, failed: int) -> bool:
    """Whether so much of what was tried lately failed that going on does harm."""
    tried = sent + failed
    return tried >= FAILING_OF and failed * 100 >= tried * FAILING_PERCENT


def paid_states(flow: Flow, approved: frozenset[str]) -> frozenset[str]:
    """The ends that an approved payment leads to: who stands in one has bought. `approved` are its events' names."""
    return frozenset(
        arrow.to
        for arrow in flow.arrows.values()
        if arrow.on in approved and arrow.to in flow.states and flow.states[arrow.to].kind is StateKind.FINAL
    )
