"""S7: a silence that goes on for ever is told with the way to it and one round of it."""

from collections.abc import Iterator

from engine.core.checks.findings import Finding, Fix, Where
from engine.core.checks.model.product import Product
from engine.core.checks.model.rules import told
from engine.core.checks.model.silences import endless
from engine.core.checks.model.tracking import written_fields
from engine.core.checks.model.verdicts import Proved, Violated, World, asked_of, decide
from engine.core.checks.model.walks import Found
from engine.core.checks.sentences import finding
from engine.core.flow import EXHAUSTED, Flow, Look, StateKind
from engine.core.guards.syntax import Now, walk

_CLOCK = frozenset({"state_age", "last_inbound"})


def check_silences(world: World) -> Iterator[Finding]:
    """One finding for each; undecided where a condition of the round reads the clock or a field that is not followed.

    Of a flow whose graph is too large to build it is told that nothing is known of what was not built.
    """
    if not world.whole.complete:
        yield finding("S7", Where(), variant="large", verdict="unknown")
    for _, circle in endless(world.whole):
        labels = world.whole.labels
        arrows = tuple(dict.fromkeys(id_ for _, edge in circle for id_ in labels[edge.label].ids))

        def find(product: Product, arrows: tuple[str, ...] = arrows) -> Found:
            for way, around in endless(product):
                if {id_ for _, edge in around for id_ in product.labels[edge.label].ids} <= set(arrows):
                    return (*way, *around)
            return None

        verdict = decide(world, find, lambda _run: True)
        if isinstance(verdict, Proved):
            continue
        states = tuple(dict.fromkeys(world.whole.nodes[node].state for node, _ in circle))
        where = Where(states[0], world.whole.flow.arrows[arrows[0]].on, arrows)
        fixes = tuple(_end(world.whole.flow, states))
        steps = asked_of(world.whole, circle)
        read = {name for step in steps for guard, _ in step.claims for name in guard.names}
        clocked = any(isinstance(n, Now) for step in steps for guard, _ in step.claims for n, _ in walk(guard.root))
        loose = written_fields(world.whole.flow).keys() - {field.name for field in world.whole.fields}
        if isinstance(verdict, Violated) and not clocked and not read & (_CLOCK | loose):
            yield finding("S7", where, path=told(verdict.run), fixes=fixes, states=states, verdict="violated")
        else:
            yield finding("S7", where, fixes=fixes, states=states, variant="unknown", verdict="unknown")


def _end(flow: Flow, states: tuple[str, ...]) -> Iterator[Fix]:
    """An arrow for the end of the ladder, to an end that is lost if there is one."""
    ends = [state for state in flow.states.values() if state.kind is StateKind.FINAL]
    if len(states) == 1 and ends and not flow.own_group(states[0], EXHAUSTED):
        end = min(ends, key=lambda state: state.look is not Look.LOST)
        fields = {"from": states[0], "on": EXHAUSTED, "to": end.name}
        yield Fix("add_arrow", {"op": "add_transition", "fields": fields})
