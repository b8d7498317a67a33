"""Where two versions of a flow behave differently: for each state and event, in which contexts, with one that was run.

Two versions are the same where the prover shows that no context tells them apart, however their conditions are written
and whatever their arrows are called. A difference is told only with a context in which both interpreters were run and
did not do the same. What is neither is told as a doubt, so whatever differs is among the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.differing.assigning import written_apart
from engine.core.differing.cases import Case, Effect, cases, effect_of, groups, guards, signature
from engine.core.differing.joint import Joint
from engine.core.differing.shares import Shares, shares_changed
from engine.core.differing.trial import Circumstance, circumstances, decided, observed
from engine.core.events import Step
from engine.core.flow import EXHAUSTED, TIMEOUT, Flow
from engine.core.guards.language import Expr
from engine.core.guards.prove import Claim, Sat, Unsat
from engine.core.guards.syntax import Now, walk

__all__ = ["Comparison", "Difference", "compare"]

MOST_PAIRS = 10_000
"""Cases of one lookup that are compared with each other; more are told as a doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One way in which an event is not answered as before, in these states. Without `given` it is a doubt.

    `old` and `new` are what the two versions do; `arrows` the old and then the new ones, `read` the names that the
    conditions and the values written read, `reads_clock` whether they read the time.
    """

    states: tuple[str, ...]
    event: str
    old: Effect | None = None
    new: Effect | None = None
    given: Circumstance | None = None
    arrows: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    reads_clock: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that differs. `timing` and `kinds` are states of both versions whose silences, or whose kind, changed;
    `shares` are splits that differ in nothing else, so that their contacts are not among the differences.
    """

    old: Flow
    new: Flow
    states_added: tuple[str, ...]
    states_removed: tuple[str, ...]
    events_added: tuple[str, ...]
    events_removed: tuple[str, ...]
    timing: tuple[str, ...]
    kinds: tuple[str, ...]
    shares: tuple[Shares, ...]
    differences: tuple[Difference, ...]


def compare(old: Flow, new: Flow) -> Comparison:
    """Every difference from the old version to the new one, in the order of the old document."""
    both = [name for name in old.states if name in new.states]
    shares = shares_changed(old, new)
    pairs = [(old.states[name], new.states[name]) for name in both]
    return Comparison(
        old=old,
        new=new,
        states_added=tuple(name for name in new.states if name not in old.states),
        states_removed=tuple(name for name in old.states if name not in new.states),
        events_added=tuple(name for name in new.events if name not in old.events),
        events_removed=tuple(name for name in old.events if name not in new.events),
        timing=tuple(a.name for a, b in pairs if (a.deadline, a.jitter) != (b.deadline, b.jitter)),
        kinds=tuple(a.name for a, b in pairs if a.kind is not b.kind),
        shares=shares,
        differences=tuple(_differences(Joint(old, new), both, shares)),
    )


def _differences(joint: Joint, states: list[str], shares: tuple[Shares, ...]) -> Iterator[Difference]:
    old, new = joint.flow, joint.new
    drawn = frozenset((a.arrow.id, b.arrow.id) for split in shares for a in split.before for b in split.after)
    shared = [
        name
        for name in dict.fromkeys((*old.events, TIMEOUT, EXHAUSTED))
        if name in new.events or name not in old.events
    ]
    for event in shared:
        alike: dict[object, list[str]] = {}
        for state in states:
            before, after = signature(old, state, event), signature(new, state, event)
            if before != after:
                alike.setdefault((groups(old, state, event), groups(new, state, event), before, after), []).append(
                    state
                )
        for same in alike.values():
            yield from _Pair(joint, tuple(same), event, drawn).differences()


class _Pair:
    """One event in states where both versions look at the same arrows."""

    def __init__(self, joint: Joint, states: tuple[str, ...], event: str, drawn: frozenset[tuple[str, str]]) -> None:
        self._joint, self._states, self._event, self._drawn = joint, states, event, drawn
        self._guards = tuple(guard for flow in (joint.flow, joint.new) for guard in guards(flow, states[0], event))
        self._found: dict[object, Difference] = {}
        self._doubtful = False

    def differences(self) -> Iterator[Difference]:
        """Each pair of effects once, and one doubt at most."""
        state, event = self._states[0], self._event
        if all(self._joint.readable(guard, event) for guard in self._guards):
            before = cases(self._joint.flow, self._joint, state, event)
            after = cases(self._joint.new, self._joint, state, event)
            self._doubtful = len(before) * len(after) > MOST_PAIRS
            for one in before if not self._doubtful else ():
                for other in after:
                    self._compared(one, other)
        else:
            self._doubtful = True
        yield from self._found.values()
        if self._doubtful:
            arrows = tuple(
                t.id for flow in (self._joint.flow, self._joint.new) for g in groups(flow, state, event) for t in g
            )
            yield Difference(states=self._states, event=event, arrows=tuple(dict.fromkeys(arrows)))

    def _compared(self, one: Case, other: Case) -> None:
        if one.effect == other.effect or (_arrow(one.effect), _arrow(other.effect)) in self._drawn:
            return
        if _steps(one.effect) != _steps(other.effect):
            self._look(one, other, ())
            return
        for apart in written_apart(self._joint, self._event, one.effect, other.effect):
            if (_key(one.effect), _key(other.effect)) in self._found:
                return
            if apart is None:
                self._doubtful = True
            else:
                self._look(one, other, apart)

    def _look(self, one: Case, other: Case, apart: tuple[Claim, ...]) -> None:
        """Ask with few claims first: most cases exclude each other by their own conditions alone."""
        if (_key(one.effect), _key(other.effect)) in self._found:
            return
        short, exact = (*one.claims, *other.claims, *apart), (*one.exact, *other.exact, *apart)
        if not all(self._joint.readable(guard, self._event) for guard, _ in apart):
            self._doubtful = True
            return
        for claims in (short,) if set(short) == set(exact) else (short, exact):
            answer = self._joint.ask(self._event, claims)
            if isinstance(answer, Unsat):
                return
            if isinstance(answer, Sat):
                self._run(answer)
            if (_key(one.effect), _key(other.effect)) in self._found:
                return
        self._doubtful = True

    def _run(self, answer: Sat) -> None:
        """Run the context on both interpreters; a difference is kept under what they really did."""
        old, new, state = self._joint.flow, self._joint.new, self._states[0]
        before = [name for name in old.states if name in new.states and name != state][:2]
        for given in circumstances(self._joint.scope(self._event), answer.witness, answer.now, before):
            one, other = (decided(flow, state, self._event, given) for flow in (old, new))
            if observed(one) != observed(other):
                first, second = _effect(old, one), _effect(new, other)
                arrows = tuple(dict.fromkeys((*one.candidates, *other.candidates)))
                read = _read(self._guards, first, second)
                told = Difference(
                    states=self._states,
                    event=self._event,
                    old=first,
                    new=second,
                    given=given,
                    arrows=arrows,
                    read=tuple(sorted({name for expression in read for name in expression.names})),
                    reads_clock=any(isinstance(node, Now) for expression in read for node, _ in walk(expression.root)),
                )
                self._found.setdefault((_key(first), _key(second)), told)
                return


def _steps(effect: Effect) -> object:
    """An effect without the values that it writes."""
    return effect.outcome, effect.to, effect.actions, effect.keeps_deadline


def _key(effect: Effect) -> object:
    return effect.outcome, _arrow(effect)


def _arrow(effect: Effect) -> str:
    return effect.arrow.id if effect.arrow is not None else ""


def _effect(flow: Flow, done: Step) -> Effect:
    return effect_of(flow, done.taken) if done.taken is not None else Effect(outcome=done.outcome)


def _read(asked: tuple[Expr, ...], *effects: Effect) -> tuple[Expr, ...]:
    return (*asked, *(value for effect in effects for _, value, _ in effect.sets))
