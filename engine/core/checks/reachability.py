"""S1 to S5: every state is reached, every arrow used, every event emitted, every message answered, an end in reach."""

from collections.abc import Iterator

from engine.core.checks.findings import Finding, Fix, Severity, Where
from engine.core.checks.fixes import delete
from engine.core.checks.graph import Graph, sourceless
from engine.core.checks.lookups import Lookups
from engine.core.checks.sentences import finding
from engine.core.flow import Flow, Source, State, StateKind
from engine.core.splits import POINTS


def check_reachability(lookups: Lookups, graph: Graph, dead: frozenset[str]) -> Iterator[Finding]:
    """`dead` are arrows already told of as never enabled."""
    flow = lookups.flow
    yield from _unreached(flow, graph)
    yield from _unused(flow, graph, dead)
    yield from _never_emitted(flow)
    yield from _unanswered(lookups, graph)
    yield from _endless(flow, graph)


def _unreached(flow: Flow, graph: Graph) -> Iterator[Finding]:
    for state in flow.states:
        if state not in graph.reachable:
            fixes = (Fix("delete_state", {"op": "delete_state", "id": state}),)
            arrows = tuple(sorted(t.id for t in flow.arrows.values() if t.to == state and t.frm != state))
            yield finding("S1", Where(state, None, arrows), fixes=fixes)


def _unused(flow: Flow, graph: Graph, dead: frozenset[str]) -> Iterator[Finding]:
    never = sourceless(flow)
    for arrow in flow.arrows.values():
        if arrow.share == 0:
            yield finding("S2", Where(arrow.frm, arrow.on, (arrow.id,)), severity=Severity.INFO, variant="nobody")
            continue
        if arrow.share == POINTS:
            yield finding("S2", Where(arrow.frm, arrow.on, (arrow.id,)), severity=Severity.INFO, variant="everybody")
        explained = (
            arrow.id in dead or arrow.on in never or (arrow.frm is not None and arrow.frm not in graph.reachable)
        )
        if arrow.id not in graph.taken and not explained:
            yield finding("S2", Where(arrow.frm, arrow.on, (arrow.id,)), fixes=(delete(arrow),))


def _never_emitted(flow: Flow) -> Iterator[Finding]:
    for event in sourceless(flow):
        arrows = tuple(sorted(t.id for t in flow.arrows.values() if t.on == event))
        fix = Fix("delete_event", {"op": "delete_event", "id": event})
        yield finding("S3", Where(None, event, arrows), fixes=() if arrows else (fix,))


def _unanswered(lookups: Lookups, graph: Graph) -> Iterator[Finding]:
    flow = lookups.flow
    never = sourceless(flow)
    messages = [e for e in flow.events.values() if e.source is Source.MESSAGE and e.name not in never]
    for state in flow.states:
        if state not in graph.reachable:
            continue
        for event in messages:
            on_purpose = any((state, name) in flow.ignored for name in flow.fallbacks(event.name))
            if on_purpose or lookups.groups(state, event.name):
                continue
            fixes = [Fix("ignore", {"op": "ignore", "state": state, "event": event.name})]
            general = flow.general_message
            if event.name != general and event.falls_back_to is None and flow.own_group(state, general):
                edit = {"op": "set_event", "id": event.name, "field": "falls_back_to", "value": general}
                fixes.insert(0, Fix("fall_back", edit))
            yield finding("S4", Where(state, event.name), fixes=tuple(fixes))


def _endless(flow: Flow, graph: Graph) -> Iterator[Finding]:
    ending = {name for name in graph.reachable if _ends(flow.states[name])}
    grown = True
    while grown:
        more = {s for s, after in graph.following.items() if s not in ending and after & ending}
        ending |= more
        grown = bool(more)
    stuck = tuple(state for state in flow.states if state in graph.reachable and state not in ending)
    if stuck:
        yield finding("S5", Where(stuck[0]), states=stuck)


def _ends(state: State) -> bool:
    return state.resting or state.kind in (StateKind.FINAL, StateKind.OPTOUT)
