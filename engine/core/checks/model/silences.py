"""S7: cycles of clock steps that never end. A bounded counter or a ladder that runs out breaks one."""

from collections.abc import Iterator, Sequence

from engine.core.checks.model.product import Edge, Product
from engine.core.checks.model.walks import Walk, way
from engine.core.flow import Source


def endless(product: Product) -> Iterator[tuple[Walk, Walk]]:
    """For each endless silence the shortest way to it and one round of it, the nearest first.

    Silences that go round over the same arrows are told once.
    """
    silent = [label.source is Source.CLOCK and label.arrow is not None for label in product.labels]
    clock = [[edge for edge in edges if silent[edge.label]] for edges in product.edges]
    told: set[frozenset[str]] = set()
    for members in _components(clock):
        inside = set(members)
        kept = {node: [edge for edge in clock[node] if edge.target in inside] for node in members}
        first = min(members)  # nodes are numbered in order of discovery
        if not kept[first]:
            continue
        arrows = frozenset(id_ for node in members for edge in kept[node] for id_ in product.labels[edge.label].ids)
        if arrows not in told:
            there, around = way(product.edges.__getitem__, 0, first), way(kept.__getitem__, first, first, leaving=True)
            if there is not None and around is not None:
                told.add(arrows)
                yield there, around


def _components(edges: Sequence[Sequence[Edge]]) -> Iterator[list[int]]:
    """Strongly connected components (Tarjan, without recursion), sorted by their first node."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(edges)):
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
                    low[node] = min(low[node], low.get(target, index[target]))
            else:
                if low[node] == index[node]:
                    members: list[int] = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack.discard(members[-1])
                    found.append(members)
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    yield from sorted(found, key=min)
