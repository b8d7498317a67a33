"""Where people go whose state a new version lacks: the map that a publication is given, and what it proposes (R61)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core.flow import Flow, State, StateKind

__all__ = ["Place", "Places", "Plan", "listed", "open_places", "other_deadlines", "plan_of", "proposals"]

Place: TypeAlias = tuple[int, str]
"""A state of a version."""
Places: TypeAlias = Mapping[Place, str | None]
"""A state of the new version for each place that it lacks; None lets people finish on their version."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a publication does with people. `follow`: those of the live version go on with the new one.

    With `places` None nobody chose: who cannot follow stays. Else every place of the live version must be in it. `anew`
    are the states in which whoever follows gets the new version's deadline, counted from the publication.
    """

    follow: bool = True
    places: Places | None = field(default=None)
    anew: frozenset[str] = frozenset()


def listed(plan: Plan) -> dict[str, object]:
    """A plan in JSON types."""
    places = None if plan.places is None else [[v, s, to] for (v, s), to in sorted(plan.places.items())]
    return {"follow": plan.follow, "places": places, "anew": sorted(plan.anew)}


def plan_of(rows: Mapping[str, object]) -> Plan:
    """The plan that `listed` wrote."""
    found = rows["places"]
    places = None if not isinstance(found, list) else {(int(v), str(s)): to for v, s, to in found}
    anew = rows.get("anew")
    return Plan(bool(rows["follow"]), places, frozenset(map(str, anew)) if isinstance(anew, list) else frozenset())


def open_places(flow: Flow) -> list[str]:
    """The states that people can be put into: not into one that would take a person's opt-out for granted (R75)."""
    return [name for name, state in flow.states.items() if state.kind is not StateKind.OPTOUT]


def other_deadlines(old: Flow, new: Flow) -> list[str]:
    """The states of both whose silence is counted otherwise in the new one."""
    both = [name for name in new.states if name in old.states]
    return [name for name in both if _silence(old.states[name]) != _silence(new.states[name])]


def _silence(state: State) -> object:
    return state.deadline, state.jitter


def proposals(old: Flow, new: Flow) -> dict[str, str]:
    """For states of `old` that `new` lacks, the state that seems to be the same under another name.

    It must share arrows by their ids, and more of them than any other new state; nothing is guessed otherwise.
    """
    fresh = [name for name in open_places(new) if name not in old.states]
    found: dict[str, str] = {}
    for gone in (name for name in old.states if name not in new.states):
        ranked = sorted(((_likeness(old, gone, new, name), name) for name in fresh), reverse=True)
        best = ranked[0] if ranked else (0, "")
        if best[0] > 0 and sum(score == best[0] for score, _ in ranked) == 1:
            found[gone] = best[1]
    return found


def _likeness(old: Flow, gone: str, new: Flow, name: str) -> int:
    """Arrows with one id that begin, or end, at both; where there is one, also how alike the states themselves are."""
    shared = [(old.arrows[i], new.arrows[i]) for i in old.arrows.keys() & new.arrows.keys()]
    arrows = sum((a.frm == gone and b.frm == name) + (a.to == gone and b.to == name) for a, b in shared)
    return arrows and 10 * arrows + _same(old.states[gone], new.states[name])


def _same(one: State, other: State) -> int:
    pairs: Sequence[tuple[object, object]] = (
        (one.kind, other.kind),
        (one.look, other.look),
        (one.deadline, other.deadline),
        (one.waiting_for, other.waiting_for),
    )
    return sum(a == b for a, b in pairs)
