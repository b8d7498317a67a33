"""S6: no state waits for ever without having said so: for a lead, or for a person who approves."""

from collections.abc import Iterator

from engine.core.approval import can_name
from engine.core.checks.findings import Finding, Fix, Severity, Where
from engine.core.checks.graph import Graph
from engine.core.checks.lookups import Lookups
from engine.core.checks.sentences import finding
from engine.core.flow import APPROVED, REJECTED, TIMEOUT, State, StateKind


def check_silence(lookups: Lookups, graph: Graph) -> Iterator[Finding]:
    """Reachable normal states that are not resting and have no deadline, or one that nothing answers to.

    Effect states wait for an action, not for a lead. Approval states wait for a person: they have an arrow for each thing
    that can become of that.
    """
    flow = lookups.flow
    for state in flow.states.values():
        if state.kind is StateKind.APPROVAL and state.name in graph.reachable:
            yield from _undecided(lookups, state)
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


def _undecided(lookups: Lookups, state: State) -> Iterator[Finding]:
    """What an approval needs and this one lacks. No conversation may begin in one: nobody asked for anything there."""
    flow = lookups.flow
    if state.name == flow.initial:
        yield finding("S6", Where(state.name), variant="begins")
    for event, variant in ((APPROVED, "no_approved"), (REJECTED, "no_rejected")):
        if not _answered(lookups, state, event):
            yield finding("S6", Where(state.name, event), severity=Severity.WARNING, variant=variant)
    if not state.deadline and not state.resting:
        fix = Fix("set_deadline", {"op": "set_state", "id": state.name, "field": "deadline", "value": "2h"})
        yield finding("S6", Where(state.name), severity=Severity.WARNING, variant="no_expiry", fixes=(fix,))
    elif state.deadline and not _answered(lookups, state, TIMEOUT):
        yield finding("S6", Where(state.name, TIMEOUT), severity=Severity.WARNING, variant="no_arrow")
    if strangers := tuple(name for name in state.approvers if not can_name(name)):
        yield finding(
            "S6", Where(state.name), severity=Severity.WARNING, variant="approvers", names=", ".join(strangers)
        )


def _answered(lookups: Lookups, state: State, event: str) -> bool:
    return bool(lookups.groups(state.name, event)) or (state.name, event) in lookups.flow.ignored
