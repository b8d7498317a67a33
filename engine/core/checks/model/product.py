"""The integer graph: where a conversation may stand and which step leads where, built once a flow, breadth first.

A node is a state with the followed values, the rung of its ladder and the wait that is armed; an edge is an event with
the arrow that it takes, or none. Every run of the interpreter is a walk in this graph; a walk need not be a run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.core.checks.graph import Graph, sourceless
from engine.core.checks.lookups import Lookups
from engine.core.checks.model.possible import Choice, Possible
from engine.core.checks.model.tracking import Tracked
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Flow, Millis, Source, Transition, Value
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.guards.prove import Claim
from engine.core.guards.syntax import Now, walk
from engine.core.interpreter import saturated

MOST_NODES, MOST_EDGES = 40_000, 600_000
"""Where building stops; what was not built proves nothing."""


class Node(NamedTuple):
    """Where a conversation stands. `wait` is the longest that the armed deadline may last, None where none is."""

    state: str
    previous: str | None
    values: tuple[Value, ...]
    rung: int
    wait: Millis | None


class Edge(NamedTuple):
    """A step: `arrow` is None when nothing moves."""

    event: str
    source: Source
    arrow: Transition | None
    target: int


@dataclass(frozen=True, slots=True)
class Product:
    """Nodes by number, 0 the start, and the edges that leave each; `complete` says that nothing was left out."""

    flow: Flow
    fields: tuple[Tracked, ...]
    possible: Possible
    nodes: Sequence[Node]
    edges: Sequence[Sequence[Edge]]
    complete: bool

    def held(self, node: int) -> dict[str, Value]:
        """The followed values at a node, by name."""
        return {field.name: value for field, value in zip(self.fields, self.nodes[node].values, strict=True)}

    def without(self, node: int, edge: Edge) -> "Product":
        """The same with an edge less."""
        edges = list(self.edges)
        edges[node] = [kept for kept in edges[node] if kept is not edge]
        return replace(self, edges=edges)


def product_of(lookups: Lookups, fields: tuple[Tracked, ...], assumed: tuple[Claim, ...] = ()) -> Product:
    """The graph from the initial state over every event that can happen."""
    builder = _Builder(lookups, fields, assumed)
    complete = builder.build()
    return Product(lookups.flow, fields, builder.possible, builder.nodes, builder.edges, complete)


def graph_of(product: Product) -> Graph:
    """The same by states alone: which are reached, what follows them, which arrows are taken."""
    following: dict[str, set[str]] = {node.state: set() for node in product.nodes}
    taken = set()
    for node, edges in zip(product.nodes, product.edges, strict=True):
        for edge in edges:
            if edge.arrow is not None:
                following[node.state].add(product.nodes[edge.target].state)
                taken.add(edge.arrow.id)
    after = {state: frozenset(states) for state, states in following.items()}
    return Graph(reachable=tuple(following), following=after, taken=frozenset(taken))


class _Builder:
    def __init__(self, lookups: Lookups, fields: tuple[Tracked, ...], assumed: tuple[Claim, ...]) -> None:
        self._flow = lookups.flow
        self._fields = fields
        self._names = tuple(field.name for field in fields)
        self.possible = Possible(lookups, self._names, assumed)
        never = set(sourceless(self._flow))
        self._events = [
            (event.name, event.source)
            for event in self._flow.events.values()
            if event.source is not Source.CLOCK and event.name not in never
        ]
        self._returns = any(t.to == PREVIOUS for t in self._flow.arrows.values())
        self._read: dict[tuple[str, str], tuple[int, ...]] = {}
        self._chosen: dict[tuple[object, ...], tuple[Choice, ...]] = {}
        self._written: dict[tuple[str, tuple[Value, ...]], tuple[tuple[Value, ...], ...]] = {}
        self.nodes: list[Node] = []
        self.edges: list[list[Edge]] = []
        self._numbers: dict[Node, int] = {}

    def build(self) -> bool:
        flow = self._flow
        start = tuple(field.start for field in self._fields)
        self._number(Node(flow.initial, None, start, *self._armed(flow.initial, 0)))
        total = 0
        for number, node in enumerate(self.nodes):  # grows while it is walked over
            edges = list(self._leaving(number, node))
            self.edges.append(edges)
            total += len(edges)
            if len(self.nodes) > MOST_NODES or total > MOST_EDGES:
                self.edges += [[] for _ in range(len(self.nodes) - len(self.edges))]
                return False
        return True

    def _leaving(self, number: int, node: Node) -> Iterable[Edge]:
        for event, source in self._events:
            for choice in self._choices(node, event):
                if choice.arrow is None:
                    yield Edge(event, source, None, number)
                else:
                    for target in self._targets(node, event, choice.arrow):
                        yield Edge(event, source, choice.arrow, target)
        if node.wait is not None:
            ladder = self._flow.states[node.state].deadline
            event = EXHAUSTED if ladder and node.rung >= len(ladder) else TIMEOUT
            for choice in self._choices(node, event):
                if choice.arrow is None:
                    yield Edge(event, Source.CLOCK, None, self._number(node._replace(wait=None)))
                else:
                    for target in self._targets(node, event, choice.arrow):
                        yield Edge(event, Source.CLOCK, choice.arrow, target)

    def _choices(self, node: Node, event: str) -> tuple[Choice, ...]:
        state, values = node.state, node.values
        read = self._read.get((state, event))
        if read is None:
            read = self._read[state, event] = self.possible.read_by(state, event)
        key = (state, event, *(values[n] for n in read))
        found = self._chosen.get(key)
        if found is None:
            held = {self._names[n]: values[n] for n in read}
            found = self._chosen[key] = self.possible.choices(state, event, held)
        return found

    def _targets(self, node: Node, event: str, arrow: Transition) -> Iterable[int]:
        to = (node.previous or self._flow.initial) if arrow.to == PREVIOUS else arrow.to
        staying = to == node.state
        previous = node.previous if staying or not self._returns else node.state
        if arrow.keep_deadline:
            rung, wait = node.rung, None if event in (TIMEOUT, EXHAUSTED) else node.wait
        else:
            rung, wait = self._armed(to, self._next_rung(node, event) if staying else 0)
        if not arrow.set:
            yield self._number(Node(to, previous, node.values, rung, wait))
            return
        key = arrow.id, node.values
        after = self._written.get(key)
        if after is None:
            after = self._written[key] = tuple(self._assigned(arrow, node.values))
        for values in after:
            yield self._number(Node(to, previous, values, rung, wait))

    def _armed(self, state: str, rung: int) -> tuple[int, Millis | None]:
        known = self._flow.states[state]
        if not known.deadline:
            return 0, None
        return rung, known.deadline[min(rung, len(known.deadline) - 1)] + known.jitter

    def _next_rung(self, node: Node, event: str) -> int:
        ladder = len(self._flow.states[node.state].deadline)
        if event == TIMEOUT:
            return min(node.rung + 1, ladder)
        return ladder if event == EXHAUSTED else 0

    def _assigned(self, arrow: Transition, values: tuple[Value, ...]) -> Iterable[tuple[Value, ...]]:
        """The followed values after the arrow; several where it writes what the model does not know."""
        held = dict(zip(self._names, values, strict=True))
        written = {assignment.field: assignment.value for assignment in arrow.set}
        options: list[tuple[Value, ...]] = [()]
        for field, old in zip(self._fields, values, strict=True):
            new: Iterable[Value] = (old,)
            if (value := written.get(field.name)) is not None:
                if value.names - held.keys() or any(isinstance(node, Now) for node, _ in walk(value.root)):
                    new = dict.fromkeys((old, *field.values))
                else:
                    new = (self._one(field, old, evaluate(value, held, 0)),)
            options = [(*chosen, option) for chosen in options for option in new]
        return dict.fromkeys(options)

    def _one(self, field: Tracked, old: Value, value: object) -> Value:
        if value is UNDEFINED:
            return None if field.optional else old
        found = saturated(self._flow.context[field.name], value)  # type: ignore[arg-type]  # UNDEFINED is gone
        if field.ceiling is not None and isinstance(found, int):
            return min(found, field.ceiling)
        return found

    def _number(self, node: Node) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number
