"""Which arrows an event can take in a state, given the followed values: in some context, or in none.

A condition that reads nothing but followed fields is simply evaluated. Any other is a question to the prover, with the
followed values put in as equations; what it cannot decide counts as possible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.core.checks.lookups import Group, Lookups, guard_of
from engine.core.flow import Transition, Value
from engine.core.guards.evaluate import evaluate
from engine.core.guards.kinds import Kind
from engine.core.guards.language import Expr
from engine.core.guards.prove import NOT_TRUE, Claim, Unsat
from engine.core.guards.syntax import Compare, Has, Literal, Name, Now, walk


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
        self._clashing: dict[tuple[str, ...], bool] = {}

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
        before: list[Expr] = []
        clash = False
        for group in self.lookups.groups(state, event):
            judged = [(t, self._decided(event, guard_of(t), held)) for t in group.guarded]
            sure = [t for t, verdict in judged if verdict is True]
            asked = [
                guard_of(t) for t, verdict in judged if verdict is None and self.lookups.readable(guard_of(t), event)
            ]
            for arrow, verdict in judged:
                if verdict is not False:
                    own = [(guard_of(arrow), True)] if guard_of(arrow) in asked else []
                    self._add(found, event, arrow, [*_none(before), *own], held)
            clash = clash or self._clash(group, event, [t for t, verdict in judged if verdict is not False])
            if not sure:
                for arrow in group.arrows:
                    if arrow.otherwise:
                        self._add(found, event, arrow, [*_none(before), *_none(asked)], held)
            before += asked
            if sure or any(t.otherwise for t in group.arrows):
                break
        else:
            self._add(found, event, None, _none(before), held)
        if clash and not any(choice.arrow is None for choice in found):
            found.append(Choice(None))
        return tuple(found)

    def _add(
        self, found: list[Choice], event: str, arrow: Transition | None, claims: list[Claim], held: Mapping[str, Value]
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

    def _decided(self, event: str, guard: Expr, held: Mapping[str, Value]) -> bool | None:
        """Whether it is true, where the followed values say so; None where more is needed."""
        if guard.names - held.keys() or _reads_clock(guard) or not self.lookups.readable(guard, event):
            return None
        return evaluate(guard, held, 0) is True

    def _clash(self, group: Group, event: str, open_: list[Transition]) -> bool:
        """Whether two of them may be enabled at once, which moves nothing (a finding of its own)."""
        if len(open_) < 2:
            return False
        key = (event, *(t.id for t in group.arrows))
        if key not in self._clashing:
            self._clashing[key] = any(
                not isinstance(self.lookups.ask(event, [(guard_of(a), True), (guard_of(b), True)]), Unsat)
                for a, b in combinations(group.guarded, 2)
                if self.lookups.readable(guard_of(a), event) and self.lookups.readable(guard_of(b), event)
            )
        return self._clashing[key]


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


@lru_cache(maxsize=4096)
def _reads_clock(guard: Expr) -> bool:
    return any(isinstance(node, Now) for node, _ in walk(guard.root))


def _none(guards: Sequence[Expr]) -> list[Claim]:
    return [(guard, NOT_TRUE) for guard in guards]
