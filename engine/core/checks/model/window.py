"""R4: the largest possible age of the lead's last message at which a free-form message may leave.

Arming a deadline lets the message grow older by at most the wait and its jitter; whatever is no message may come just
before the deadline runs out, or at any time where none is armed. A message begins again at 0. For each node only the
largest age at which its deadline runs out is kept: a larger one allows at least the same violations. Ages are cut off
at the window, because beyond it nothing changes.
"""

from collections import deque
from collections.abc import Iterable

from engine.core.checks.model.product import Edge, Product
from engine.core.checks.model.walks import GAVE_UP, MOST_VISITED, Came, Found, traced
from engine.core.flow import Agent, Flow, Millis, Send, Source


def free_form(flow: Flow, do: Iterable[str]) -> bool:
    """Whether one of the actions says something that no template stands in for."""
    actions = (flow.actions[name] for name in do)
    return any(isinstance(a, Agent) or (isinstance(a, Send) and a.template is None) for a in actions)


def late_walk(product: Product, window: Millis) -> Found:
    """A walk at whose end a free-form message may be as old as the window or older; None proves that there is none."""
    flow, nodes = product.flow, product.nodes
    late = {t.id: free_form(flow, t.do) for t in flow.arrows.values()}
    start = (0, window)  # nobody has written yet
    came: Came = {start: None}
    best = {0: window}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        node, expiry = here
        if best[node] > expiry:
            continue  # an older message stands here by now, and allows at least as much
        wait = nodes[node].wait
        for edge in product.edges[node]:
            inbound = edge.source is Source.MESSAGE
            if not inbound and expiry >= window and edge.arrow is not None and late[edge.arrow.id]:
                return (*traced(came, here), (node, edge))
            after = _expiry(product, edge, 0 if inbound else expiry, expiry, wait, window)
            if best.get(edge.target, -1) >= after:
                continue
            best[edge.target] = after
            came[edge.target, after] = (here, edge)
            waiting.append((edge.target, after))
        if len(came) > MOST_VISITED:
            return GAVE_UP
    return None


def _expiry(product: Product, edge: Edge, age: Millis, expiry: Millis, wait: Millis | None, window: Millis) -> Millis:
    """The largest age when the deadline that is armed after the step runs out."""
    armed = product.nodes[edge.target].wait
    if armed is None:
        return window
    if edge.arrow is None or edge.arrow.keep_deadline:
        # The old deadline goes on: after a message at most its whole wait is left.
        return min(expiry, wait or 0, window) if edge.source is Source.MESSAGE else expiry
    return min(window, age + armed)
