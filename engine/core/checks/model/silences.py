"""S7: cycles of clock steps that never end. A bounded counter, a ladder that runs out or time itself breaks one.

Time breaks a cycle at a step whose condition asks for a message, or for a stay in the state, that is not yet old: in a
silence the last message only grows older, and so does the stay as long as the state is not left.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.core.checks.model.product import Edge, Product
from engine.core.checks.model.walks import Walk, way
from engine.core.flow import Source
from engine.core.guards.language import parse_guard
from engine.core.guards.prove import Unsat
from engine.core.guards.scope import CLOCK

_OLD = "3660d"
OLD_MESSAGE = parse_guard(f"now() - last_inbound >= {_OLD}", CLOCK)
LONG_STAY = parse_guard(f"state_age >= {_OLD}", CLOCK)


def endless(product: Product) -> Iterator[tuple[Walk, Walk]]:
    """For each endless silence the shortest way to it and one round of it, the nearest first.

    Silences that go round over the same arrows are told once.
    """
    silent = [label.source is Source.CLOCK and label.arrow is not None for label in product.labels]
    clock = {node: [e for e in edges if silent[e.label]] for node, edges in enumerate(product.edges)}
    told: set[frozenset[str]] = set()
    for members in _circles(clock):
        stays = len({product.nodes[node].state for node in members}) == 1
        lasting = {
            node: [edge for edge in edges if not _passes(product, node, edge, stays=stays)]
            for node, edges in _within(clock, members).items()
        }
        for circle in _circles(lasting):
            first, kept = circle[0], _within(lasting, circle)
            arrows = frozenset(
                id_ for edges in kept.values() for edge in edges for id_ in product.labels[edge.label].ids
            )
            there, around = way(product.edges.__getitem__, 0, first), way(kept.__getitem__, first, first, leaving=True)
            if arrows not in told and there is not None and around is not None:
                told.add(arrows)
                yield there, around


def _passes(product: Product, node: int, edge: Edge, *, stays: bool) -> bool:
    """Whether the step is impossible once the silence, or the stay in the one state of the cycle, is long enough."""
    label, possible = product.labels[edge.label], product.possible
    for choice in possible.choices(label.frm, label.event, product.held(node)):
        if choice.arrow is label.arrow:
            claims = [*choice.claims, *choice.held]
            later = [OLD_MESSAGE, LONG_STAY] if stays else [OLD_MESSAGE]
            return any(isinstance(possible.lookups.ask(label.event, [*claims, (old, True)]), Unsat) for old in later)
    return False


def _within(edges: Mapping[int, Sequence[Edge]], members: Sequence[int]) -> dict[int, Sequence[Edge]]:
    inside = set(members)
    return {node: [edge for edge in edges[node] if edge.target in inside] for node in members}


def _circles(edges: Mapping[int, Sequence[Edge]]) -> list[list[int]]:
    """Strongly connected components with a step inside, each sorted, the one discovered first at the front."""
    found = [sorted(members) for members in _components(edges)]
    return sorted(members for members in found if any(_within(edges, members).values()))


def _components(edges: Mapping[int, Sequence[Edge]]) -> Iterator[list[int]]:
    """Strongly connected components (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in edges:
        if root in index or not edges[root]:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for position in range(at, len(edges[node])):
                target = edges[node][position].target
                if target not in index:
                    work += [(node, position + 1), (target, 0)]
                    break
                if target in on_stack:
                    low[node] = min(low[node], low[target])
            else:
                if low[node] == index[node]:
                    members: list[int] = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack.discard(members[-1])
                    yield members
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
