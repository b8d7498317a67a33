"""S6: no state that waits for a lead waits for ever without having said so."""

from collections.abc import Iterator

from engine.core.checks.findings import Finding, Fix, Severity, Where
from engine.core.checks.graph import Graph
from engine.core.checks.lookups import Lookups
from engine.core.checks.sentences import finding
from engine.core.flow import TIMEOUT, StateKind


def check_silence(lookups: Lookups, graph: Graph) -> Iterator[Finding]:
    """Reachable normal states that are not resting and have no deadline, or one that nothing answers to.

    Approval and effect states wait for a person or for an action, not for a lead.
    """
    flow = lookups.flow
    for state in flow.states.values():
        if state.name not in graph.reachable or state.resting or state.kind is not StateKind.NORMAL:
            continue
        if not state.deadline:
            fixes = (
                Fix("set_deadline", {"op": "set_state", "id": state.name, "field": "deadline", "value": "1d"}),
                Fix("let_rest", {"op": "set_state", "id": state.name, "field": "resting", "value": True}),
            )
            yield finding("S6", Where(state.name), fixes=fixes)
        elif not lookups.groups(state.name, TIMEOUT) and (state.name, TIMEOUT) not in flow.ignored:
            yield finding("S6", Where(state.name, TIMEOUT), severity=Severity.WARNING, variant="no_arrow")
