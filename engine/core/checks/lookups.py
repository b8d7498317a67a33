"""What is looked up for an event in a state (R2), as guards, and the provers that judge them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.checks.examples import NOW
from engine.core.flow import Flow, Transition, Value
from engine.core.guards.kinds import Scope
from engine.core.guards.language import Expr, parse_guard
from engine.core.guards.prove import NOT_TRUE, Answer, Claim, Prover, Sat
from engine.core.guards.scope import scope_of
from engine.core.guards.syntax import Has, Name, Now, walk

ALWAYS: Expr = parse_guard("true", {})


@dataclass(frozen=True, slots=True)
class Group:
    """Arrows that are looked at together: `event` is the one that they name, which may be a fallback."""

    event: str
    is_global: bool
    arrows: tuple[Transition, ...]

    @property
    def guarded(self) -> tuple[Transition, ...]:
        """The arrows that are no `otherwise`."""
        return tuple(t for t in self.arrows if not t.otherwise)

    @property
    def is_closed(self) -> bool:
        """Whether one arrow is always enabled, so that nothing is looked up after it."""
        return any(t.otherwise or t.when is None for t in self.arrows)


def guard_of(arrow: Transition) -> Expr:
    """The condition; an arrow without one is always enabled. Not for `otherwise`."""
    return ALWAYS if arrow.when is None else arrow.when


MOST_ANSWERS = 200_000
"""Answers kept from one check to the next."""


class Memory:
    """Provers by what their names are declared as, and what they were asked: true of any flow, so it may be handed on.

    Not to be used by two threads at once.
    """

    def __init__(self) -> None:
        self.provers: dict[object, Prover] = {}
        self.asked: dict[tuple[Prover, frozenset[Claim]], Answer] = {}

    def tidy(self) -> None:
        """Begin anew when it has grown too large; between two checks only."""
        if len(self.asked) > MOST_ANSWERS:
            self.provers.clear()
            self.asked.clear()


class Lookups:
    """Groups by state and event, and one prover per scope with what it was already asked."""

    def __init__(self, flow: Flow, memory: Memory | None = None) -> None:
        self.flow = flow
        memory = memory or Memory()
        memory.tidy()
        self._scopes: dict[str, Scope] = {}
        self._groups: dict[tuple[str, str], tuple[Group, ...]] = {}
        self._readable: dict[tuple[Expr, str], bool] = {}
        self._provers = memory.provers
        self._by_event: dict[str, Prover] = {}
        self._asked = memory.asked

    def groups(self, state: str, event: str) -> tuple[Group, ...]:
        """All groups that the event may reach in the state, in order of lookup, empty ones left out."""
        if (state, event) not in self._groups:
            self._groups[state, event] = tuple(
                group
                for name in self.flow.fallbacks(event)
                for group in (
                    Group(name, is_global=True, arrows=self.flow.global_group(state, name)),
                    Group(name, is_global=False, arrows=self.flow.own_group(state, name)),
                )
                if group.arrows
            )
        return self._groups[state, event]

    def scope(self, event: str) -> Scope:
        """Names for every guard that the event may meet; data that only a fallback carries is optional."""
        if event not in self._scopes:
            merged: Scope = {}
            for name in reversed(self.flow.fallbacks(event)):
                merged = {**merged, **scope_of(self.flow, name)}
            self._scopes[event] = merged
        return self._scopes[event]

    def readable(self, guard: Expr, event: str) -> bool:
        """Whether all names of a guard are of the kinds that the event's scope says.

        They are not where an event and its fallback carry one name as two types; nothing is proved with such a guard.
        """
        if (guard, event) not in self._readable:
            scope = self.scope(event)
            spoken = (n for n, _ in walk(guard.root) if isinstance(n, Name | Has))
            kinds = ((n.name, n.kind if isinstance(n, Name) else n.of) for n in spoken)
            self._readable[guard, event] = all(name in scope and scope[name].kind is kind for name, kind in kinds)
        return self._readable[guard, event]

    def ask(self, event: str, claims: Iterable[Claim]) -> Answer:
        """The prover's answer; each question is asked once."""
        prover = self._prover(event)
        key = prover, frozenset(claims)
        if key not in self._asked:
            self._asked[key] = prover.satisfiable(sorted(key[1], key=lambda claim: (claim[0].source, str(claim[1]))))
        return self._asked[key]

    def none_of(self, guards: Iterable[Expr]) -> list[Claim]:
        """The claims that no guard is true."""
        return [(guard, NOT_TRUE) for guard in guards]

    def _prover(self, event: str) -> Prover:
        if event not in self._by_event:
            scope = self.scope(event)
            key = tuple(sorted(scope.items(), key=lambda item: item[0]))
            if key not in self._provers:
                self._provers[key] = Prover(scope)
            self._by_event[event] = self._provers[key]
        return self._by_event[event]


def shown(answer: Sat, guards: Sequence[Expr]) -> Mapping[str, Value]:
    """A witness for a finding: names without a value are told as None, `now()` where a guard reads the clock."""
    names = sorted({name for guard in guards for name in guard.names})
    witness: dict[str, Value] = {name: answer.witness.get(name) for name in names}
    if any(isinstance(node, Now) for guard in guards for node, _ in walk(guard.root)):
        witness[NOW] = answer.now
    return witness
