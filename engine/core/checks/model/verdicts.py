"""Is a rule proved, violated or undecided? Walks that the graph finds are refined until they run or are gone.

A walk is judged in three steps: can its conditions hold together (`joint`), if not, the fields that never change are
split into cases and each is searched again; and does the real interpreter go that way (`replay`), breaking the rule?
What is left undecided is never taken for a pass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.checks.lookups import Lookups
from engine.core.checks.model.automata import BROKEN, Automaton
from engine.core.checks.model.building import product_of
from engine.core.checks.model.joint import joint_values, stable_atoms, stable_fields
from engine.core.checks.model.possible import Choice
from engine.core.checks.model.product import Label, Product
from engine.core.checks.model.replay import Asked, Ran, replay
from engine.core.checks.model.tracking import tracked
from engine.core.checks.model.walks import GAVE_UP, Found, Walk
from engine.core.flow import Millis, Value
from engine.core.guards.evaluate import UNDEFINED
from engine.core.guards.prove import Claim, Unsat

MOST_CASES = 24
"""Cases of fields that never change that one rule is split into before it is called undecided."""

MOST_WALKS = 8
"""Walks that are tried on the interpreter before a rule is called undecided."""


@dataclass(frozen=True, slots=True)
class Proved:
    """No run breaks it."""


@dataclass(frozen=True, slots=True)
class Violated:
    """A run of the real interpreter that breaks it at its last step."""

    run: tuple[Ran, ...]


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither."""


Verdict = Proved | Violated | Undecided


class World:
    """The graphs of a flow: one for all rules, and one for each case of fields that never change."""

    def __init__(self, lookups: Lookups) -> None:
        self.lookups = lookups
        self.stable = stable_fields(lookups.flow)
        fields = tracked(lookups.flow)
        self.whole = product_of(lookups, fields)
        while fields and not self.whole.complete:
            # Following less is still a proof; what it cannot tell apart comes out undecided.
            # A quarter at a time: each try that is too large takes as long as one that fits.
            widest = sorted(fields, key=lambda field: -len(field.values))[: max(1, len(fields) // 4)]
            fields = tuple(field for field in fields if field not in widest)
            self.whole = product_of(lookups, fields)
        self._cases: dict[tuple[Claim, ...], Product] = {(): self.whole}

    def case(self, assumed: tuple[Claim, ...]) -> Product:
        """The graph of the runs in which all of these claims hold throughout."""
        if assumed not in self._cases:
            self._cases[assumed] = product_of(self.lookups, self.whole.fields, assumed)
        return self._cases[assumed]


def decide(
    world: World, find: Callable[[Product], Found], breaks: Callable[[Sequence[Ran]], bool], *, late: bool = False
) -> Verdict:
    """The verdict on what `find` looks for; `breaks` judges a run that was really made."""
    waiting: list[tuple[Claim, ...]] = [()]
    undecided = False
    for number, assumed in enumerate(waiting):  # grows while it is walked over
        product = world.case(assumed)
        found = find(product)
        if found is None and product.complete:
            continue
        if number >= MOST_CASES or found is None or found is GAVE_UP:
            return Undecided()
        steps = asked_of(product, found)
        values = joint_values(world.lookups, steps, world.stable)
        if values is False:
            split = _split(world, steps, assumed)
            undecided = undecided or not split
            waiting += split
            continue
        run = _run(world, product, found, values if isinstance(values, dict) else {}, find, breaks, late=late)
        if run is not None:
            return Violated(run)
        undecided = True
    return Undecided() if undecided else Proved()


def _run(
    world: World,
    product: Product,
    walk: Walk,
    values: Mapping[str, Value],
    find: Callable[[Product], Found],
    breaks: Callable[[Sequence[Ran]], bool],
    *,
    late: bool,
) -> tuple[Ran, ...] | None:
    """A real run along the walk, or along the next ones that avoid the step at which it left the way."""
    for _ in range(MOST_WALKS):
        run = replay(world.lookups, asked_of(product, walk), values, late=late)
        if len(run) == len(walk) and breaks(run):
            return run
        product = product.without(*walk[min(len(run), len(walk) - 1)])
        found = find(product)
        if found is None or found is GAVE_UP:
            return None
        walk = found
    return None


def asked_of(product: Product, walk: Walk) -> tuple[Asked, ...]:
    """The steps of a walk with what must be true for each."""
    steps = []
    for node, edge in walk:
        label = product.labels[edge.label]
        choice = _choice(product, node, label)
        steps.append(Asked(label, choice.claims, choice.held))
    return tuple(steps)


def run_breaks(automaton: Automaton, run: Sequence[Ran]) -> bool:
    """Whether the automaton is broken at the last step of a run, and not before."""
    state = automaton.start
    for number, ran in enumerate(run, start=1):
        letter = automaton.letter(Label(ran.event, ran.source, ran.frm, ran.to, ran.arrow))
        state = state if letter is None else automaton.after(state, letter)
        if state == BROKEN:
            return number == len(run)
    return False


def too_late(window: Millis, run: Sequence[Ran]) -> bool:
    """Whether the lead's last message is as old as the window at the last step, or there is none."""
    age = run[-1].age
    return age is None or age >= window


def _choice(product: Product, node: int, label: Label) -> Choice:
    choices = product.possible.choices(product.nodes[node].state, label.event, product.held(node))
    return next(choice for choice in choices if choice.arrow is label.arrow)


def _split(world: World, steps: Sequence[Asked], assumed: tuple[Claim, ...]) -> list[tuple[Claim, ...]]:
    """The cases of the first thing about stable fields that is not yet assumed; nothing when there is no such thing."""
    known = {guard for guard, _ in assumed}
    for atom in stable_atoms(steps, world.stable):
        if atom not in known:
            cases = [(*assumed, (atom, wanted)) for wanted in (True, False, UNDEFINED)]
            event = steps[-1].label.event
            return [case for case in cases if not isinstance(world.lookups.ask(event, case), Unsat)]
    return []
