"""Builds the product graph: every node is expanded once, breadth first."""

from collections.abc import Iterable

from engine.core.checks.graph import sourceless
from engine.core.checks.lookups import Lookups
from engine.core.checks.model.possible import Choice, Possible
from engine.core.checks.model.product import Edge, Label, Node, Product
from engine.core.checks.model.tracking import Tracked
from engine.core.checks.model.writing import Writing
from engine.core.flow import EXHAUSTED, PREVIOUS, TIMEOUT, Millis, Source, Transition
from engine.core.guards.prove import Claim

MOST_NODES, MOST_EDGES = 40_000, 600_000
"""Where building stops; what was not built proves nothing."""


def product_of(lookups: Lookups, fields: tuple[Tracked, ...], assumed: tuple[Claim, ...] = ()) -> Product:
    """The graph from the initial state over every event that can happen. `assumed` holds in the whole run."""
    builder = _Builder(lookups, fields, assumed)
    complete = builder.build()
    return Product(lookups.flow, fields, builder.possible, builder.nodes, builder.edges, builder.labels, complete)


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
        self._writing = Writing(self._flow, fields)
        self.nodes: list[Node] = []
        self.edges: list[list[Edge]] = []
        self.labels: list[Label] = []
        self._labelled: dict[tuple[str, str, str | None, str], int] = {}
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
            if not self._flow.happens_in(node.state, event):
                continue
            for choice in self._choices(node, event):
                if choice.arrow is None:
                    yield self._edge(node.state, event, source, None, number)
                else:
                    for target in self._targets(node, event, choice.arrow):
                        yield self._edge(node.state, event, source, choice.arrow, target)
        if node.wait is not None:
            ladder = self._flow.states[node.state].deadline
            event = EXHAUSTED if ladder and node.rung >= len(ladder) else TIMEOUT
            for choice in self._choices(node, event):
                if choice.arrow is None:
                    spent = self._number(node._replace(wait=None))
                    yield self._edge(node.state, event, Source.CLOCK, None, spent)
                else:
                    for target in self._targets(node, event, choice.arrow):
                        yield self._edge(node.state, event, Source.CLOCK, choice.arrow, target)

    def _edge(self, frm: str, event: str, source: Source, arrow: Transition | None, target: int) -> Edge:
        to = self.nodes[target].state
        key = (frm, event, None if arrow is None else arrow.id, to)
        label = self._labelled.get(key)
        if label is None:
            label = self._labelled[key] = len(self.labels)
            self.labels.append(Label(event, source, frm, to, arrow))
        return Edge(label, target)

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
        for values in self._writing.after(arrow, node.values):
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

    def _number(self, node: Node) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number
