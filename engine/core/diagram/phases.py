"""A flow too large for one picture, cut into phases: each is drawn by itself, with stubs that lead to its neighbours.

The phases that a document names come first. What is still too large is cut along the road where the fewest arrows cross.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.diagram.graph import Beyond, Graph, graph
from engine.core.flow import PREVIOUS, Flow, Look, Transition

__all__ = ["LARGEST", "MOST_AT_ONCE", "Part", "Phase", "between", "part", "phase_of", "phases"]

MOST_AT_ONCE = 80
"""A flow of more states is drawn by phase."""
LARGEST = 30
"""States of a phase, unless the document's own phase has more and still fits a picture."""


@dataclass(frozen=True, slots=True)
class Phase:
    """States that are drawn together, in their order; `number` counts from 1."""

    number: int
    name: str
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One phase as a flow of its own, and what lies beyond its edges."""

    flow: Flow
    beyond: Beyond


def phases(flow: Flow) -> tuple[Phase, ...]:
    """Every state in exactly one phase, along the road; () where one picture is enough."""
    if len(flow.states) <= MOST_AT_ONCE:
        return ()
    drawn = graph(flow)
    named: dict[str, list[str]] = {}
    for box in drawn.boxes:
        named.setdefault(box.phase or "", []).append(box.name)
    found: list[tuple[str, tuple[str, ...]]] = []
    for name, states in named.items():
        fits = LARGEST if not name else MOST_AT_ONCE
        pieces = [tuple(states)] if len(states) <= fits else _cut(drawn, states)
        for number, piece in enumerate(pieces, start=1):
            called = name if len(pieces) == 1 else f"{name} {number}"
            found.append((called if name else _ends(piece), piece))
    return tuple(Phase(number, name, states) for number, (name, states) in enumerate(found, start=1))


def phase_of(all_: Sequence[Phase], state: str) -> int:
    """The number of a state's phase, 0 where it has none."""
    return next((phase.number for phase in all_ if state in phase.states), 0)


def part(flow: Flow, all_: Sequence[Phase], number: int) -> Part:
    """The phase of that number: its states with every arrow that begins there, the states beyond as stubs, and how many
    arrows come in from each other phase. So every arrow is drawn in full in exactly one phase.
    """
    inside = frozenset(all_[number - 1].states)
    home = {name: phase.number for phase in all_ for name in phase.states}
    leaving = tuple(t for t in flow.transitions if t.frm in inside)
    outside = dict.fromkeys(t.to for t in leaving if t.to in flow.states and t.to not in inside)
    states = {name: state for name, state in flow.states.items() if name in inside} | {
        # A stub is no way back and no end of its own: it stands where its arrow leads.
        name: replace(flow.states[name], look=Look.TALK)
        for name in outside
    }
    incoming: dict[tuple[int, str], int] = {}
    for t in flow.transitions:
        if t.to in inside and t.frm in home and t.frm not in inside:
            incoming[home[t.frm], t.to] = incoming.get((home[t.frm], t.to), 0) + 1
    portal = tuple(t for t in flow.globals if _portal_home(t, home) == number)
    shown = replace(flow, states=states, transitions=leaving, globals=portal)
    return Part(shown, Beyond({name: home[name] for name in outside}, incoming))


def between(flow: Flow, all_: Sequence[Phase]) -> Mapping[tuple[int, int], int]:
    """How many arrows lead from each phase into each other one."""
    home = {name: phase.number for phase in all_ for name in phase.states}
    found: dict[tuple[int, int], int] = {}
    for t in flow.transitions:
        pair = (home.get(t.frm or "", 0), home.get(t.to, 0))
        if all(pair) and pair[0] != pair[1]:
            found[pair] = found.get(pair, 0) + 1
    return dict(sorted(found.items()))


def _portal_home(t: Transition, home: Mapping[str, int]) -> int:
    return 1 if t.to == PREVIOUS else home.get(t.to, 0)


def _ends(states: Sequence[str]) -> str:
    return states[0] if len(states) == 1 else f"{states[0]} … {states[-1]}"


def _cut(drawn: Graph, states: Sequence[str]) -> list[tuple[str, ...]]:
    """The states in their order, in pieces of at most LARGEST, so that the fewest lines cross from piece to piece; of
    equal cuts the most even one.
    """
    place = {name: number for number, name in enumerate(states)}
    lines = [(place[a.start], place[a.end]) for a in drawn.arrows if a.start in place and a.end in place]
    touching: list[list[int]] = [[] for _ in states]
    for one, other in lines:
        touching[max(one, other)].append(min(one, other))
        touching[min(one, other)].append(max(one, other))
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    for end in range(1, len(states) + 1):
        kept, options = 0, []
        for begin in range(end - 1, max(-1, end - 1 - LARGEST), -1):
            kept += sum(begin <= other < end for other in touching[begin])
            before = best[begin]
            options.append((before[0] - kept, before[1] + (end - begin) ** 2, begin))
        best.append(min(options))
    pieces: list[tuple[str, ...]] = []
    end = len(states)
    while end:
        begin = best[end][2]
        pieces.append(tuple(states[begin:end]))
        end = begin
    return pieces[::-1]
