"""R4: the largest possible age of the lead's last message at which a free-form message may leave.

Arming a deadline lets the message grow older by at most the wait and its jitter; whatever is no message may come just
before the deadline runs out, or at any time where none is armed. A message begins again at 0. For each node only the
largest age at which its deadline runs out is kept: a larger one allows at least the same violations. Ages are cut off
at the window, because beyond it nothing changes. An arrow whose own condition asks for a younger message is never late.
"""

from collections import deque
from collections.abc import Iterable

from engine.core.checks.model.product import Label, Product
from engine.core.checks.model.walks import GAVE_UP, MOST_VISITED, Came, Found, traced
from engine.core.flow import Agent, Flow, Millis, Send, Source
from engine.core.guards.language import parse_guard
from engine.core.guards.printing import duration_text
from engine.core.guards.prove import Unsat
from engine.core.guards.scope import CLOCK


def free_form(flow: Flow, do: Iterable[str]) -> bool:
    """Whether one of the actions says something that no template stands in for."""
    actions = (flow.actions[name] for name in do)
    return any(isinstance(a, Agent) or (isinstance(a, Send) and a.template is None) for a in actions)


def late_walk(product: Product, window: Millis) -> Found:
    """A walk at whose end a free-form message may be as old as the window or older; None proves that there is none."""
    nodes = product.nodes
    inbound = [label.source is Source.MESSAGE for label in product.labels]
    late = [label.source is not Source.MESSAGE and free_form(product.flow, label.do) for label in product.labels]
    # Where nothing moves, or the arrow says so, the old deadline goes on.
    goes_on = [label.arrow is None or label.arrow.keep_deadline for label in product.labels]
    lateness = _Lateness(product, window)
    start = (0, window)  # nobody has written yet
    came: Came = {start: None}
    best = {0: window}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        node, expiry = here
        if best[node] > expiry:
            continue  # an older message stands here by now, and allows at least as much
        wait = nodes[node].wait or 0
        for edge in product.edges[node]:
            number, target = edge
            if late[number] and expiry >= window and lateness.possible(node, product.labels[number]):
                return (*traced(came, here), (node, edge))
            armed = nodes[target].wait
            if armed is None:
                after = window
            elif goes_on[number]:
                # After a message at most the whole wait is left of it.
                after = min(expiry, wait) if inbound[number] else expiry
            else:
                after = min(window, armed + (0 if inbound[number] else expiry))
            if best.get(target, -1) < after:
                best[target] = after
                came[target, after] = (here, edge)
                waiting.append((target, after))
        if len(came) > MOST_VISITED:
            return GAVE_UP
    return None


class _Lateness:
    """Whether the conditions of a step allow a message that is as old as the window, each step asked once."""

    def __init__(self, product: Product, window: Millis) -> None:
        self._product = product
        self._old = parse_guard(f"now() - last_inbound >= {duration_text(window)}", CLOCK)
        self._known: dict[tuple[int, Label], bool] = {}

    def possible(self, node: int, label: Label) -> bool:
        if (node, label) not in self._known:
            self._known[node, label] = self._asked(node, label)
        return self._known[node, label]

    def _asked(self, node: int, label: Label) -> bool:
        asked = self._product.possible
        choices = asked.choices(label.frm, label.event, self._product.held(node))
        return any(
            not isinstance(asked.lookups.ask(label.event, [*choice.claims, *choice.held, (self._old, True)]), Unsat)
            for choice in choices
            if choice.arrow is label.arrow
        )
