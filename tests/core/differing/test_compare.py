"""V1: where two versions of a flow behave differently, against the interpreters themselves."""

import dataclasses
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.differing.compare import Comparison, Difference, compare
from engine.core.differing.joint import Joint
from engine.core.differing.shares import Shares
from engine.core.differing.trial import Circumstance, decided, observed
from engine.core.events import Outcome
from engine.core.flow import EXHAUSTED, TIMEOUT, Field, FieldType, Flow
from engine.core.splits import same_split
from tests.factories import DAY, HOUR, Arrow, a_flow, final, number, state
from tests.strategies import random_context, random_flow, seeded

CONTEXT = [
    number("a", 0, 9),
    number("n"),
    Field(name="m", type=FieldType.INT, optional=True),
    Field(name="plano", type=FieldType.ENUM, values=("basico", "pro"), optional=True),
]


def group(*rows: tuple, context=CONTEXT, ladder: tuple[int, ...] = (DAY,), extra: tuple[Arrow, ...] = ()) -> Flow:
    """A state whose arrows on a payment are (condition, target) and perhaps what they set and do."""
    arrows = [
        Arrow(f"t{i}", "A", "pago", to, when, *(rest or [{}, ()])) for i, (when, to, *rest) in enumerate(rows, start=1)
    ]
    return a_flow(
        [state("A", *ladder), state("B", HOUR), final("C")],
        [*arrows, Arrow("s", "A", "timeout", "C"), Arrow("m", "B", "msg", "C"), *extra],
        context=context,
    )


def told(old: Flow, new: Flow) -> list[tuple]:
    """Each difference as (event, old arrow or outcome, new arrow or outcome), doubts as (event,)."""

    def name(effect):
        return effect.arrow.id if effect.arrow is not None else effect.outcome.value

    return [(d.event, name(d.old), name(d.new)) if d.given else (d.event,) for d in compare(old, new).differences]


def values(old: Flow, new: Flow, name: str) -> list:
    return [d.given.values.get(name) for d in compare(old, new).differences if d.given]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["a < 3", "a >= 3"], ["!(a >= 3)", "a >= 3"]),
        (["a < 3", "otherwise"], ["a <= 2", "!(a < 3)"]),
        (["has(m) && m > 1", "otherwise"], ["has(m) && 1 < m", "!has(m) || m <= 1"]),
        (["plano == 'pro'", "otherwise"], ["plano in ['pro']", "otherwise"]),
        (["m > 1", "otherwise"], ["m > 1 && has(m)", "!(has(m) && m > 1)"]),
        ([None], ["true"]),
    ],
)
def test_the_same_behaviour_in_other_words_is_no_difference(before: list, after: list) -> None:
    def version(conditions: list) -> Flow:
        return group(*((when, to) for when, to in zip(conditions, ("B", "C"), strict=False)))

    assert told(version(before), version(after)) == []


def test_the_names_and_the_order_of_arrows_make_no_difference() -> None:
    old = group(("a < 3", "B"), ("a >= 3", "C"))
    new = group(("a >= 3", "C"), ("a < 3", "B"))

    assert told(old, new) == []


def test_a_moved_threshold_is_told_by_the_value_between() -> None:
    old, new = group(("a < 3", "B"), ("otherwise", "C")), group(("a < 4", "B"), ("otherwise", "C"))

    assert told(old, new) == [("pago", "t2", "t1")]
    assert values(old, new, "a") == [3]


@pytest.mark.parametrize(
    ("row", "changed"),
    [
        ((None, "B"), (None, "C")),
        ((None, "B", {}, ("oi",)), (None, "B", {}, ("ola",))),
        ((None, "B", {"a": "a + 1"}), (None, "B", {"a": "a + 2"})),
        ((None, "B", {"a": "a + 1"}), (None, "B")),
        ((None, "B", {"plano": "'pro'"}), (None, "B", {"plano": "'basico'"})),
        ((None, "@previous"), (None, "B")),
    ],
)
def test_another_target_other_actions_and_other_values_are_differences(row: tuple, changed: tuple) -> None:
    old, new = (group((*r[:2], *(r[2:] or ({},)), *(() if len(r) > 3 else ((),)))) for r in (row, changed))

    assert told(old, new) == [("pago", "t1", "t1")]
    assert told(new, old) == [("pago", "t1", "t1")]
    assert told(old, old) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": "a + 1"}, {"a": "1 + a"}),
        ({"a": "a"}, {}),
        ({"a": "a + 20"}, {"a": "a + 30"}),  # both are kept at 9
        ({"n": "n + 0"}, {"n": "n"}),
    ],
)
def test_the_same_values_written_in_other_words_are_no_difference(one: dict, other: dict) -> None:
    assert told(group((None, "B", one, ())), group((None, "B", other, ()))) == []


def test_a_value_that_only_one_of_them_has_is_a_difference() -> None:
    """An optional field that is given what has no value is unset (R6)."""
    old = group((None, "B", {"plano": "'pro'", "m": "n"}, ()))
    new = group((None, "B", {"plano": "'pro'", "m": "n + (m - m)"}, ()))

    assert told(old, new) == [("pago", "t1", "t1")]
    assert values(old, new, "m") == [None]


def test_a_bound_that_moved_shows_where_a_value_passes_it() -> None:
    old = group((None, "B", {"a": "a + 1"}, ()))
    new = group((None, "B", {"a": "a + 1"}, ()), context=[number("a", 0, 5), *CONTEXT[1:]])

    assert told(old, new) == [("pago", "t1", "t1")]
    assert values(old, new, "a") == [5]


def test_an_arrow_that_is_gone_and_two_that_meet_are_outcomes() -> None:
    one, none, two = group(("a < 3", "B")), group(), group(("a < 3", "B"), ("a < 2", "B"))

    assert told(one, none) == [("pago", "t1", "no_transition")]
    assert told(one, two) == [("pago", "t1", "ambiguous")]
    assert values(one, two, "a") == [0]


def test_a_global_arrow_is_told_once_for_all_states() -> None:
    new = group(extra=(Arrow("g", None, "pago", "C"),))

    (difference,) = compare(group(), new).differences

    assert (difference.states, difference.arrows) == (("A", "B", "C"), ("g",))


def test_what_cannot_be_proved_is_a_doubt_and_not_the_same() -> None:
    old, new = group(("a * n > 5", "B"), ("otherwise", "C")), group(("n * a > 5", "B"), ("otherwise", "C"))

    assert told(old, new) == [("pago",)]


def test_a_field_of_another_type_leaves_a_doubt() -> None:
    text = Field(name="a", type=FieldType.TEXT, default="")
    old, new = group(("a < 3", "B")), group(("a == 'x'", "B"), context=[text])

    assert told(old, new) == [("pago",)]


def test_states_events_silences_and_kinds_are_compared_by_name() -> None:
    old = a_flow([state("A", HOUR, jitter=1), state("B"), final("C")])
    new = a_flow([state("A", HOUR), state("B", HOUR), state("C"), state("D")])

    found = compare(old, new)

    assert (found.states_added, found.states_removed) == (("D",), ())
    assert (found.timing, found.kinds) == (("A", "B"), ("C",))
    back = compare(new, old)
    assert (back.states_added, back.states_removed) == ((), ("D",))


def varied(rng: Random) -> tuple[Flow, Flow]:
    """A random flow and another one, or the same with a few arrows changed, gone or written otherwise."""
    old = random_flow(rng)
    if rng.random() < 0.3:
        return old, random_flow(rng)
    other = random_flow(rng)
    transitions = list(old.transitions)
    for _ in range(rng.randrange(3)):
        if not transitions:
            break
        at, kind = rng.randrange(len(transitions)), rng.random()
        arrow = transitions[at]
        if arrow.share is not None and kind < 0.5:
            twins = [n for n, other in enumerate(transitions) if same_split(arrow, other)]
            share = rng.randrange(101)
            for n, part in zip(twins, (share, 100 - share), strict=True):
                transitions[n] = dataclasses.replace(transitions[n], share=part)
        elif kind < 0.3:
            del transitions[at]
        elif kind < 0.6:
            transitions[at] = dataclasses.replace(arrow, to=rng.choice(("A", "B", "C", "@previous")))
        elif kind < 0.8:
            transitions[at] = dataclasses.replace(arrow, keep_deadline=not arrow.keep_deadline)
        elif other.transitions:
            taken = rng.choice(other.transitions)
            transitions[at] = dataclasses.replace(arrow, set=taken.set)
    return old, dataclasses.replace(old, transitions=tuple(transitions))


def covering(found: Comparison, name: str, event: str) -> list[Difference | Shares]:
    split = [s for s in found.shares if s.after[0].arrow.on in found.old.fallbacks(event)]
    return [
        *(d for d in found.differences if d.event == event and name in d.states),
        *(s for s in split if s.after[0].arrow.frm in (None, name)),
    ]


@settings(max_examples=150, deadline=None)
@given(seeded(varied), st.integers(0, 2**30))
def test_whatever_the_interpreters_do_differently_is_told_and_nothing_else(pair: tuple[Flow, Flow], seed: int) -> None:
    old, new = pair
    found, rng, scopes = compare(old, new), Random(seed), Joint(old, new)

    for difference in found.differences:
        if difference.given is not None:
            for name in difference.states:
                one, other = (decided(flow, name, difference.event, difference.given) for flow in pair)
                assert observed(one) != observed(other)
    for _ in range(40):
        name, event = rng.choice(list(old.states)), rng.choice((*old.events, TIMEOUT, EXHAUSTED))
        now = 1_780_000_000_000
        values = random_context(rng, scopes.scope(event))
        given_ = Circumstance(values, now, rng.choice((None, *(s for s in old.states if s != name))))
        one, other = (decided(flow, name, event, given_) for flow in pair)
        if observed(one) != observed(other):
            assert covering(found, name, event)
        elif (one.snapshot, one.opts_out) != (other.snapshot, other.opts_out):
            # The same arrow into a state whose silence or kind is another one.
            assert one.snapshot.state in {*found.timing, *found.kinds}
        if not covering(found, name, event):
            assert observed(one) == observed(other)


def test_a_version_does_not_differ_from_itself() -> None:
    for seed in range(30):
        flow = random_flow(Random(seed))
        found = compare(flow, flow)

        assert (found.differences, found.timing, found.kinds) == ((), (), ())


def test_outcomes_are_told_apart() -> None:
    ignored = dataclasses.replace(group(), ignored=frozenset({("A", "pago")}))

    (difference,) = compare(group(), ignored).differences

    assert difference.old is not None
    assert difference.new is not None
    assert (difference.old.outcome, difference.new.outcome) == (Outcome.NO_TRANSITION, Outcome.IGNORED)
