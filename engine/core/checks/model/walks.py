"""Walks through the graph: the shortest that an automaton calls broken, and the shortest to a node."""

from collections import deque
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from engine.core.checks.model.automata import BROKEN, Automaton, Label, Letter
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


def label_of(product: Product, node: int, edge: Edge) -> Label:
    """The step as a rule sees it."""
    return Label(edge.event, edge.source, product.nodes[node].state, product.nodes[edge.target].state, edge.arrow)


class Letters:
    """The edges of each node with their letters; edges alike, and those that change nothing, are left out."""

    def __init__(self, product: Product, automaton: Automaton) -> None:
        self._product = product
        self._automaton = automaton
        self._known: dict[tuple[str, str | None, str, str], Letter | None] = {}
        self._arcs: dict[int, list[tuple[Letter | None, Edge]]] = {}

    def of(self, node: int) -> list[tuple[Letter | None, Edge]]:
        found = self._arcs.get(node)
        if found is None:
            found = self._arcs[node] = self._read(node)
        return found

    def _read(self, node: int) -> list[tuple[Letter | None, Edge]]:
        nodes = self._product.nodes
        kept: dict[tuple[Letter | None, int], Edge] = {}
        frm = nodes[node].state
        for edge in self._product.edges[node]:
            arrow = edge.arrow
            key = (edge.event, None if arrow is None else arrow.id, frm, nodes[edge.target].state)
            if key in self._known:
                letter = self._known[key]
            else:
                letter = self._known[key] = self._automaton.letter(label_of(self._product, node, edge))
            if letter is not None or edge.target != node:
                kept.setdefault((letter, edge.target), edge)
        return [(letter, edge) for (letter, _), edge in kept.items()]


def shortest_break(product: Product, automaton: Automaton) -> Found:
    """The shortest walk that breaks the rule; None proves that there is none."""
    letters, after = Letters(product, automaton), automaton.after
    start = (0, automaton.start)
    came: Came = {start: None}
    best = {0: automaton.start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        node, state = here
        for letter, edge in letters.of(node):
            reached = state if letter is None else after(state, letter)
            if reached == BROKEN:
                return (*traced(came, here), (node, edge))
            target = (edge.target, reached)
            if best.get(edge.target, -1) >= reached:
                continue
            best[edge.target] = reached
            came[target] = (here, edge)
            waiting.append(target)
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


def way(edges: Sequence[Sequence[Edge]], start: int, target: int, *, leaving: bool = False) -> Walk | None:
    """The shortest walk between two nodes over these edges, None where there is none; `leaving` asks for a step even where both are one."""
    came: Came = {}
    first = (start, 0)
    if start == target and not leaving:
        return ()
    waiting = deque([first])
    seen = {start} if not leaving else set()
    came[first] = None
    while waiting:
        here = waiting.popleft()
        for edge in edges[here[0]]:
            if edge.target == target:
                return (*traced(came, here), (here[0], edge))
            if edge.target not in seen and edge.target != start:
                seen.add(edge.target)
                came[edge.target, 0] = (here, edge)
                waiting.append((edge.target, 0))
    return None
