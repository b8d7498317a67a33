"""Which arrows an event can take in a state, given the followed values: in some context, or in none.

A condition that reads nothing but followed fields is simply evaluated. Any other is a question to the prover, with the
followed values put in as equations; what it cannot decide counts as possible.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.core.checks.lookups import Group, Lookups, guard_of
from engine.core.checks.model.partial import settled
from engine.core.flow import Transition, Value
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr
from engine.core.guards.prove import NOT_TRUE, Claim, Unsat
from engine.core.guards.syntax import Compare, Has, Literal, Name
from engine.core.splits import same_split


@dataclass(frozen=True, slots=True)
class Choice:
    """One way in which an event may go: an arrow, or None when nothing moves; and what must be true for it.

    `held` says of the followed fields among the conditions what they hold.
    """

    arrow: Transition | None
    claims: tuple[Claim, ...] = ()
    held: tuple[Claim, ...] = ()


class Possible:
    """Answers by state, event and followed values. `assumed` holds in every context (of fields that never change)."""

    def __init__(self, lookups: Lookups, names: Sequence[str], assumed: tuple[Claim, ...] = ()) -> None:
        self.lookups = lookups
        self._names = tuple(names)
        self._assumed = assumed
        self._assumed_names = frozenset(name for guard, _ in assumed for name in guard.names)
        self._overlaps: dict[tuple[str, ...], list[tuple[Transition, Transition]]] = {}

    def read_by(self, state: str, event: str) -> tuple[int, ...]:
        """The places of the followed fields that conditions of the event read in the state."""
        read = {
            name
            for g in self.lookups.groups(state, event)
            for t in g.arrows
            if t.when is not None
            for name in t.when.names
        }
        return tuple(n for n, name in enumerate(self._names) if name in read)

    def choices(self, state: str, event: str, held: Mapping[str, Value]) -> tuple[Choice, ...]:
        """All that can happen, nothing among it where that can happen too."""
        found: list[Choice] = []
        before: list[Claim] = []
        for group in self.lookups.groups(state, event):
            rests = [(t, self._rest(event, guard_of(t), held)) for t in group.guarded]
            live = [(t, rest) for t, rest in rests if rest is not False]
            clashes = self._clashes(group, event, [t for t, _ in live])
            for arrow, own in live:
                # Two that are enabled at once move nothing, so in a group with overlaps an arrow needs to be alone.
                others = [rest for t, rest in live if t is not arrow and not same_split(arrow, t)] if clashes else []
                if True not in others:
                    alone = [*before, *_denied(others), *_claimed([own])]
                    self._add(found, event, arrow, [*alone, *self._drawn(arrow)], held)
            for pair in clashes:
                self._add(found, event, None, [*before, *_claimed(rest for t, rest in live if t in pair)], held)
            every = [rest for _, rest in live]
            if True in every:
                break
            before += _denied(every)
            rest_arrows = [t for t in group.arrows if t.otherwise]
            for arrow in rest_arrows:
                self._add(found, event, arrow, [*before, *self._drawn(arrow)], held)
            if rest_arrows:
                break
        else:
            self._add(found, event, None, before, held)
        return tuple(found)

    def _add(
        self,
        found: list[Choice],
        event: str,
        arrow: Transition | None,
        claims: Sequence[Claim],
        held: Mapping[str, Value],
    ) -> None:
        if not claims:
            found.append(Choice(arrow))
            return
        scope = self.lookups.scope(event)
        names = {name for guard, _ in claims for name in guard.names}
        equations = tuple(equation(name, held[name], scope[name].kind) for name in sorted(names & held.keys()))
        assumed = self._assumed if names & self._assumed_names else ()
        if not isinstance(self.lookups.ask(event, [*claims, *equations, *assumed]), Unsat):
            found.append(Choice(arrow, tuple(claims), equations))

    def _drawn(self, arrow: Transition) -> list[Claim]:
        """What a branch of a split asks of the contact's point besides its condition."""
        branch = self.lookups.flow.branches.get(arrow.id)
        return [] if branch is None else [(branch.guard, True)]

    def _rest(self, event: str, guard: Expr, held: Mapping[str, Value]) -> Expr | bool | None:
        """What is left to ask of a condition; None of one that cannot be read here, which may be true or not."""
        return settled(guard, held) if self.lookups.readable(guard, event) else None

    def _clashes(self, group: Group, event: str, live: list[Transition]) -> list[tuple[Transition, Transition]]:
        """Those of the live arrows that may be enabled at once, which is a finding of its own (G1)."""
        if len(live) < 2:
            return []
        key = (event, *(t.id for t in group.arrows))
        if key not in self._overlaps:
            self._overlaps[key] = [
                (a, b)
                for a, b in combinations(group.guarded, 2)
                if not same_split(a, b)
                and not isinstance(self.lookups.ask(event, [(guard_of(a), True), (guard_of(b), True)]), Unsat)
            ]
        return [(a, b) for a, b in self._overlaps[key] if a in live and b in live]


def equation(name: str, value: Value, kind: Kind) -> Claim:
    """The claim that a field holds a value; None is not set."""
    if value is None:
        return _expr(Has(name, kind), name), False
    if isinstance(value, bool):
        return _expr(Name(name, kind), name), value
    if isinstance(value, tuple):
        return _expr(Has(name, kind), name), True
    return _expr(Compare("==", Name(name, kind), Literal(value, kind)), name), True


@lru_cache(maxsize=4096)
def _expr(root: Has | Name | Compare, name: str) -> Expr:
    return Expr(f"{name}=", Kind.BOOL, root, frozenset({name}))


def _claimed(rests: Iterable[Expr | bool | None]) -> list[Claim]:
    return [(rest, True) for rest in rests if isinstance(rest, Expr)]


def _denied(rests: Iterable[Expr | bool | None]) -> list[Claim]:
    return [(rest, NOT_TRUE) for rest in rests if isinstance(rest, Expr)]
