"""Walks through the graph: the shortest that an automaton calls broken, and the shortest to a node."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from engine.core.checks.model.automata import BROKEN, Automaton
from engine.core.checks.model.product import Edge, Product

MOST_VISITED = 400_000
"""Pairs of node and automaton state that one search looks at before it gives up."""


class _GaveUp(Enum):
    GAVE_UP = "gave up"


GAVE_UP: Final = _GaveUp.GAVE_UP
"""The search was cut short: nothing is proved."""

Walk: TypeAlias = tuple[tuple[int, Edge], ...]
"""Edges with the nodes that they leave, from the start on."""
Found: TypeAlias = Walk | _GaveUp | None
Key: TypeAlias = tuple[int, int]
Came: TypeAlias = dict[Key, tuple[Key, Edge] | None]


def shortest_break(product: Product, automaton: Automaton) -> Found:
    """The shortest walk that breaks the rule; None proves that there is none."""
    letters, after, edges = [automaton.letter(label) for label in product.labels], automaton.after, product.edges
    start = (0, automaton.start)
    came: Came = {start: None}
    best = {0: automaton.start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        node, state = here
        for edge in edges[node]:
            number, target = edge
            letter = letters[number]
            if letter is None:
                reached = state
            elif (reached := after(state, letter)) == BROKEN:
                return (*traced(came, here), (node, edge))
            if best.get(target, -1) >= reached:
                continue
            best[target] = reached
            came[target, reached] = (here, edge)
            waiting.append((target, reached))
        if len(came) > MOST_VISITED:
            return GAVE_UP
    return None


def traced(came: Mapping[Key, tuple[Key, Edge] | None], here: Key) -> Walk:
    """The walk that the search came along."""
    steps: list[tuple[int, Edge]] = []
    while (step := came[here]) is not None:
        here, edge = step
        steps.append((here[0], edge))
    return tuple(reversed(steps))


def way(
    leaving_from: Callable[[int], Sequence[Edge]], start: int, target: int, *, leaving: bool = False
) -> Walk | None:
    """The shortest walk between two nodes over the edges that are given for a node, None where there is none; `leaving` asks for a step even where both are one."""
    came: Came = {}
    first = (start, 0)
    if start == target and not leaving:
        return ()
    waiting = deque([first])
    seen = {start} if not leaving else set()
    came[first] = None
    while waiting:
        here = waiting.popleft()
        for edge in leaving_from(here[0]):
            if edge.target == target:
                return (*traced(came, here), (here[0], edge))
            if edge.target not in seen and edge.target != start:
                seen.add(edge.target)
                came[edge.target, 0] = (here, edge)
                waiting.append((edge.target, 0))
    return None
