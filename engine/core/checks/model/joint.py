"""Whether all steps of a walk can happen in one run, as far as the fields go that no arrow writes.

Those fields keep their value in the whole run; every other name may differ from step to step and gets one name a step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.core.checks.lookups import Lookups
from engine.core.checks.model.replay import Asked
from engine.core.checks.model.tracking import written_fields
from engine.core.flow import Flow, Value
from engine.core.guards.kinds import NOW_MIN, Declared, Kind, Scope
from engine.core.guards.language import Expr
from engine.core.guards.printing import node_text
from engine.core.guards.prove import Claim, Prover, Sat, Unsat
from engine.core.guards.syntax import (
    Arith,
    Compare,
    Has,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Now,
    Size,
    TextTest,
    walk,
)


def stable_fields(flow: Flow) -> frozenset[str]:
    """The fields that no arrow writes."""
    return frozenset(flow.context.keys() - written_fields(flow).keys())


def joint_values(lookups: Lookups, steps: Sequence[Asked], stable: frozenset[str]) -> Mapping[str, Value] | bool:
    """Values of the stable fields with which every step is possible; False when there are none, True when unknown."""
    claims: list[Claim] = []
    scope: dict[str, Declared] = {}
    for number, asked in enumerate(steps):
        if not any(guard.names & stable for guard, _ in asked.claims):
            continue
        here = lookups.scope(asked.label.event)
        for guard, wanted in (*asked.claims, *asked.held):
            claims.append((_renamed(guard, number, stable, here, scope), wanted))
    if not claims:
        return {}
    answer = Prover(scope).satisfiable(claims)
    if isinstance(answer, Unsat):
        return False
    if not isinstance(answer, Sat):
        return True
    return {name: answer.witness.get(name) for name in scope if name in stable}


def stable_atoms(steps: Iterable[Asked], stable: frozenset[str]) -> tuple[Expr, ...]:
    """What the conditions of the steps say about stable fields alone, each once, in the order of the walk."""
    found: dict[Expr, None] = {}
    for asked in steps:
        for guard, _ in asked.claims:
            for node, _ in walk(guard.root):
                names = frozenset(n.name for n, _ in walk(node) if isinstance(n, Name | Has))
                asks = isinstance(node, Compare | Has | Member | TextTest) or (
                    isinstance(node, Name) and node.kind is Kind.BOOL
                )
                if asks and names and names <= stable and not any(isinstance(n, Now) for n, _ in walk(node)):
                    found[Expr(node_text(node), Kind.BOOL, node, names)] = None
    return tuple(found)


def _renamed(guard: Expr, number: int, stable: frozenset[str], here: Scope, scope: dict[str, Declared]) -> Expr:
    names: set[str] = set()

    def own(name: str) -> str:
        new = name if name in stable else f"{name}#{number}"
        # An instant in the past of its own step is bounded by that step's clock, which the replay keeps.
        scope[new] = replace(here[name], past=False)
        names.add(new)
        return new

    def node(old: Node) -> Node:
        match old:
            case Name(name, kind):
                return Name(own(name), kind)
            case Has(name, kind):
                return Has(own(name), kind)
            case Now():
                clock = f"now()#{number}"
                scope[clock] = Declared(Kind.TIMESTAMP, min=NOW_MIN)
                names.add(clock)
                return Name(clock, Kind.TIMESTAMP)
            case Size(operand):
                return Size(node(operand))
            case Not(operand):
                return Not(node(operand))
            case TextTest(test, subject, argument):
                return TextTest(test, node(subject), node(argument))
            case Member(needle, haystack):
                return Member(node(needle), node(haystack))
            case Arith(op, left, right, kind):
                return Arith(op, node(left), node(right), kind)
            case Compare(op, left, right):
                return Compare(op, node(left), node(right))
            case Logic(op, operands):
                return Logic(op, tuple(map(node, operands)))
            case _:
                return old

    root = node(guard.root)
    return Expr(guard.source, guard.kind, root, frozenset(names))
