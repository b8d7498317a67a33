"""What a version does with an event in a state, case by case: under which conditions which arrow is taken (R1 to R3)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from engine.core.checks.lookups import Lookups, guard_of
from engine.core.events import Outcome
from engine.core.flow import PREVIOUS, Field, Flow, Transition
from engine.core.guards.language import Expr
from engine.core.guards.prove import Claim, Unsat
from engine.core.splits import heads, same_split

__all__ = ["Case", "Effect", "cases", "effect_of", "groups", "guards", "signature"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What comes of an event. `to` is a state, or where a conversation came from with where it goes that came from
    nowhere. `sets` are the fields that change, with the way they are declared.
    """

    outcome: Outcome
    to: str = ""
    actions: tuple[str, ...] = ()
    keeps_deadline: bool = False
    sets: tuple[tuple[str, Expr, Field], ...] = ()
    arrow: Transition | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    """`claims` are what first says that the case holds; `exact` are all that has to be true for it."""

    effect: Effect
    claims: tuple[Claim, ...]
    exact: tuple[Claim, ...]


def groups(flow: Flow, state: str, event: str) -> tuple[tuple[Transition, ...], ...]:
    """The groups that are looked up, in their order (R2), empty ones left out."""
    both = ((flow.global_group(state, name), flow.own_group(state, name)) for name in flow.fallbacks(event))
    return tuple(group for pair in both for group in pair if group)


def guards(flow: Flow, state: str, event: str) -> tuple[Expr, ...]:
    """Every condition that may be looked at."""
    return tuple(guard_of(t) for group in groups(flow, state, event) for t in group if not t.otherwise)


def signature(flow: Flow, state: str, event: str) -> object:
    """Equal for two versions that say the same thing in the same words, whatever their arrows are called."""
    said = tuple(
        frozenset(
            Counter(
                (t.otherwise, None if t.otherwise else guard_of(t), _drawn(flow, t), effect_of(flow, t)) for t in group
            ).items()
        )
        for group in groups(flow, state, event)
    )
    return said, _unanswered(flow, state, event)


def effect_of(flow: Flow, arrow: Transition) -> Effect:
    """What taking an arrow does."""
    return Effect(
        outcome=Outcome.MOVED,
        to=f"{PREVIOUS} {flow.initial}" if arrow.to == PREVIOUS else arrow.to,
        actions=arrow.do,
        keeps_deadline=arrow.keep_deadline,
        sets=tuple(sorted(((c.field, c.value, flow.context[c.field]) for c in arrow.set), key=lambda one: one[0])),
        arrow=arrow,
    )


def cases(flow: Flow, joint: Lookups, state: str, event: str) -> tuple[Case, ...]:
    """All cases; together they cover every context, and two of one version differ in what they do or exclude each other."""
    return tuple(_cases(flow, joint, state, event))


def _cases(flow: Flow, joint: Lookups, state: str, event: str) -> Iterator[Case]:
    before: tuple[Claim, ...] = ()
    for group in groups(flow, state, event):
        guarded = [(guard_of(t), t) for t in group if not t.otherwise]
        none = tuple(joint.none_of(guard for guard, _ in guarded))
        meeting: dict[str, list[Expr]] = {}
        for (one, first), (other, second) in combinations(guarded, 2):
            both = ((one, True), (other, True))
            if not same_split(first, second) and not isinstance(joint.ask(event, both), Unsat):
                meeting.setdefault(first.id, []).append(other)
                meeting.setdefault(second.id, []).append(one)
                yield Case(Effect(outcome=Outcome.AMBIGUOUS), both, (*before, *both))
        for guard, arrow in guarded:
            own: tuple[Claim, ...] = ((guard, True), *_drawn(flow, arrow))
            yield Case(effect_of(flow, arrow), own, (*before, *own, *joint.none_of(meeting.get(arrow.id, ()))))
        rest = [t for t in group if t.otherwise]
        if len(heads(rest)) > 1:
            yield Case(Effect(outcome=Outcome.AMBIGUOUS), none, (*before, *none))
        else:
            for arrow in rest:
                left = (*none, *_drawn(flow, arrow))
                yield Case(effect_of(flow, arrow), left, (*before, *left))
        if rest or any(t.when is None for _, t in guarded):
            return
        before += none
    yield Case(Effect(outcome=_unanswered(flow, state, event)), before, before)


def _drawn(flow: Flow, arrow: Transition) -> tuple[Claim, ...]:
    """What a branch of a split asks of the contact's point besides its condition."""
    branch = flow.branches.get(arrow.id)
    return () if branch is None else ((branch.guard, True),)


def _unanswered(flow: Flow, state: str, event: str) -> Outcome:
    on_purpose = any((state, name) in flow.ignored for name in flow.fallbacks(event))
    return Outcome.IGNORED if on_purpose else Outcome.NO_TRANSITION
