"""W3 without asking a platform: a send after a silence that may come when only templates are taken (R28)."""

from collections.abc import Iterator

from engine.core.checks.ages import ages
from engine.core.checks.findings import Finding, Where
from engine.core.checks.graph import Graph
from engine.core.checks.lookups import Group, Lookups, guard_of
from engine.core.checks.sentences import finding
from engine.core.flow import Send, Transition
from engine.core.guards.language import Expr, parse_guard
from engine.core.guards.prove import Claim, Unsat
from engine.core.windows import MARGIN, WINDOW


def check_window(lookups: Lookups, graph: Graph) -> Iterator[Finding]:
    """One finding for each action without a template in a state where the window can be closed by then."""
    told: dict[tuple[str, str, str], set[str]] = {}
    for (state, event), age in ages(lookups, graph).items():
        if age >= WINDOW - MARGIN:
            for arrow in _late(lookups, state, event):
                for name in arrow.do:
                    action = lookups.flow.actions[name]
                    if isinstance(action, Send) and action.template is None:
                        told.setdefault((state, arrow.on, name), set()).add(arrow.id)
    for (state, event, name), arrows in told.items():
        yield finding("W3", Where(state, event, tuple(sorted(arrows))), variant="window", action=name)


def _late(lookups: Lookups, state: str, event: str) -> Iterator[Transition]:
    """The arrows that can be taken when the window is closed: some ask for it to be open."""
    closed = parse_guard(f"now() - last_inbound >= {(WINDOW - MARGIN) // 1000}s", lookups.scope(event))
    claims: list[Claim] = [(closed, True)]
    for group in lookups.groups(state, event):
        for arrow in group.arrows:
            if not isinstance(lookups.ask(event, [*claims, *_taken(lookups, event, group, arrow)]), Unsat):
                yield arrow
        if group.is_closed:
            return
        claims += lookups.none_of(_readable(lookups, event, group))


def _taken(lookups: Lookups, event: str, group: Group, arrow: Transition) -> list[Claim]:
    if arrow.otherwise:
        return lookups.none_of(_readable(lookups, event, group))
    return [(guard_of(arrow), True)] if lookups.readable(guard_of(arrow), event) else []


def _readable(lookups: Lookups, event: str, group: Group) -> list[Expr]:
    return [guard for t in group.guarded if lookups.readable(guard := guard_of(t), event)]
