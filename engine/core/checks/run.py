"""All checks on one flow, in one canonical order."""

from collections.abc import Callable, Iterable, Iterator

from engine.core.checks.classifier import check_classifier
from engine.core.checks.determinism import check_determinism
from engine.core.checks.findings import Finding, Severity
from engine.core.checks.graph import Graph, graph_of
from engine.core.checks.lookups import Lookups, Memory
from engine.core.checks.messages import check_messages
from engine.core.checks.model import product
from engine.core.checks.model.rules import check_rules, judge
from engine.core.checks.model.unending import check_silences
from engine.core.checks.model.verdicts import Proved, World
from engine.core.checks.privacy import check_privacy
from engine.core.checks.reachability import check_reachability
from engine.core.checks.silence import check_silence
from engine.core.checks.veiling import veiled
from engine.core.checks.window import check_window
from engine.core.flow import Flow

__all__ = ["Memory", "blocks", "check", "check_at_once", "order", "proved"]

_GRAVE = list(Severity)


def check(
    flow: Flow, memory: Memory | None = None, told: Callable[[int], None] = lambda _: None
) -> tuple[Finding, ...]:
    """Every finding, the gravest first, then by code and place: the same flow gives the same list.

    `memory` of an earlier check makes this one faster and changes nothing else; an edit leaves most questions the same.
    `told` hears how much of what takes long is done: the graph of all runs, then each rule.
    """
    lookups = Lookups(flow, memory)
    world = World(lookups)
    graph = product.graph_of(world.whole) if world.whole.complete else graph_of(lookups)
    told(1)
    findings = [*_at_once(lookups, graph), *check_silences(world), *check_rules(world, lambda done: told(done + 1))]
    return _in_order(flow, findings)


def check_at_once(flow: Flow) -> tuple[Finding, ...]:
    """The findings that need no search through all runs: soon there for the largest flow, but some less exact than in
    `check`, which knows better what can be reached.
    """
    lookups = Lookups(flow)
    return _in_order(flow, _at_once(lookups, graph_of(lookups)))


def _at_once(lookups: Lookups, graph: Graph) -> Iterator[Finding]:
    flow, determinism = lookups.flow, list(check_determinism(lookups))
    yield from determinism
    dead = frozenset(t for f in determinism if f.code in ("G3", "G4") for t in f.where.transitions)
    yield from check_reachability(lookups, graph, dead)
    yield from check_silence(lookups, graph)
    yield from check_messages(flow)
    yield from check_window(lookups, graph)
    yield from check_classifier(flow)
    yield from check_privacy(flow)


def _in_order(flow: Flow, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted((veiled(finding, flow.hidden) for finding in findings), key=order))


def proved(flow: Flow, memory: Memory | None = None) -> tuple[int, ...]:
    """The numbers of the rules that hold in every run, from 0."""
    world = World(Lookups(flow, memory))
    return tuple(number for number, rule in enumerate(flow.rules) if isinstance(judge(world, rule), Proved))


def order(finding: Finding) -> tuple[object, ...]:
    """The canonical order of findings."""
    where = finding.where
    return (
        _GRAVE.index(finding.severity),
        finding.code,
        where.state or "",
        where.event or "",
        where.transitions,
        finding.message,
    )


def blocks(findings: Iterable[Finding]) -> bool:
    """Whether publishing is refused."""
    return any(f.severity is Severity.ERROR for f in findings)
