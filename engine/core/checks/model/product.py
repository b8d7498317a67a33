"""The integer graph: where a conversation may stand and which step leads where, built once a flow, breadth first.

A node is a state with the followed values, the rung of its ladder and the wait that is armed; an edge is an event with
the arrow that it takes, or none. Every run of the interpreter is a walk in this graph; a walk need not be a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.core.checks.graph import Graph
from engine.core.checks.model.possible import Possible
from engine.core.checks.model.tracking import Tracked
from engine.core.flow import Flow, Millis, Source, Transition, Value


class Node(NamedTuple):
    """Where a conversation stands. `wait` is the longest that the armed deadline may last, None where none is."""

    state: str
    previous: str | None
    values: tuple[Value, ...]
    rung: int
    wait: Millis | None


class Label(NamedTuple):
    """A step as a rule sees it: `to` is where the conversation stands after it, moved or not."""

    event: str
    source: Source
    frm: str
    to: str
    arrow: Transition | None

    @property
    def do(self) -> tuple[str, ...]:
        """The actions of the step."""
        return () if self.arrow is None else self.arrow.do

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of the arrow, none where nothing moves."""
        return () if self.arrow is None else (self.arrow.id,)

    def counts_as(self, event: str) -> bool:
        """Whether it is the event, or one that was taken for it (R2 of the semantics)."""
        return self.event == event or (self.arrow is not None and self.arrow.on == event)


class Edge(NamedTuple):
    """A step of a kind: `label` is the number of its label."""

    label: int
    target: int


@dataclass(frozen=True, slots=True)
class Product:
    """Nodes by number, 0 the start, and the edges that leave each; `complete` says that nothing was left out.

    `labels` are the kinds of steps by number: events, states and arrows, whatever the followed values are.
    """

    flow: Flow
    fields: tuple[Tracked, ...]
    possible: Possible
    nodes: Sequence[Node]
    edges: Sequence[Sequence[Edge]]
    labels: Sequence[Label]
    complete: bool

    def held(self, node: int) -> dict[str, Value]:
        """The followed values at a node, by name."""
        return {field.name: value for field, value in zip(self.fields, self.nodes[node].values, strict=True)}

    def without(self, node: int, edge: Edge) -> "Product":
        """The same with an edge less."""
        edges = list(self.edges)
        edges[node] = [kept for kept in edges[node] if kept is not edge]
        return replace(self, edges=edges)


def graph_of(product: Product) -> Graph:
    """The same by states alone: which are reached, what follows them, which arrows are taken."""
    following: dict[str, set[str]] = {node.state: set() for node in product.nodes}
    taken = set()
    for label in (product.labels[number] for number in sorted({e.label for edges in product.edges for e in edges})):
        if label.arrow is not None:
            following[label.frm].add(label.to)
            taken.add(label.arrow.id)
    after = {state: frozenset(states) for state, states in following.items()}
    return Graph(reachable=tuple(following), following=after, taken=frozenset(taken))
