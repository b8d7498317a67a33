"""Which branch of a split a contact takes: always the same one, in proportion, and as few as can be change branch."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.checks.findings import Finding
from engine.core.checks.number_line import number_line
from engine.core.checks.run import check, check_at_once
from engine.core.diagram.dot import dot
from engine.core.diagram.graph import Drawing
from engine.core.events import Event, Outcome, Step
from engine.core.flow import Flow, Rule, Source, Value
from engine.core.interpreter import opening, step
from engine.core.mermaid import mermaid
from engine.core.sentences import transition_sentence, variant
from engine.core.splits import heads, point
from engine.core.trying import attempt
from tests.factories import DAY, Arrow, a_flow, final, number, state

NOW = 1_780_000_000_000
MANY = range(1, 10_001)
COUNTER = [number("toques", 0, 9)]


def split(*shares: int, state_name: str = "A", when: str | None = None, slug: str = "teste") -> Flow:
    """A state whose payment is split among as many branches: t1 leads to S0, t2 to S1…"""
    arrows = [Arrow(f"t{n}", state_name, "pago", f"S{n}", when, share=share) for n, share in enumerate(shares, start=1)]
    targets = [final(f"S{n}") for n in range(1, len(shares) + 1)]
    return a_flow([state(state_name, DAY), *targets], arrows, context=COUNTER, slug=slug)


def taken(flow: Flow, contact: Value = 1, *, event: str = "pago", **values: Value) -> Step:
    happened = Event(id="e", type=event, source=Source.PAYMENT, at=NOW)
    snapshot = opening(flow, NOW, "0")
    return step(flow, snapshot, happened, NOW, {"id": contact, **values})


def branch(flow: Flow, contact: Value) -> str:
    done = taken(flow, contact)
    assert done.taken is not None
    return done.taken.id


shares = st.lists(st.integers(0, 100), min_size=1, max_size=4).map(
    lambda cuts: [b - a for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), 100], strict=True)]
)


@given(shares, st.integers(1, 2**60))
def test_one_contact_takes_one_branch_every_time_and_never_one_without_a_share(parts: list[int], contact: int) -> None:
    first, again = taken(split(*parts), contact), taken(split(*parts), contact)

    assert first.outcome is Outcome.MOVED
    assert first.candidates == again.candidates
    assert first.taken is not None
    assert first.taken.share


def test_neither_the_event_nor_the_moment_nor_the_context_decides() -> None:
    flow = split(50, 50)
    snapshot = opening(flow, NOW, "0")

    went = {
        step(flow, snapshot, Event(id=str(n), type="pago", source=Source.PAYMENT, at=NOW + n), NOW + n, {"id": 7}).taken
        for n in range(50)
    }

    assert len(went) == 1


@pytest.mark.parametrize("parts", [(50, 50), (10, 90), (1, 99), (34, 33, 33), (0, 100)])
def test_of_ten_thousand_contacts_each_branch_gets_its_share(parts: tuple[int, ...]) -> None:
    flow = split(*parts)
    counts = Counter(branch(flow, contact) for contact in MANY)

    for n, share in enumerate(parts, start=1):
        p = share / 100
        assert abs(counts[f"t{n}"] - 10_000 * p) <= 4 * (10_000 * p * (1 - p)) ** 0.5


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_border_that_moves_changes_only_the_contacts_that_it_passes(before: int, after: int) -> None:
    old, new = split(before, 100 - before), split(after, 100 - after)

    for contact in range(1, 60):
        at = point(contact, "teste", old.branches["t1"].field)
        was, now = branch(old, contact), branch(new, contact)
        assert (was != now) == (min(before, after) <= at < max(before, after))
        if was != now:
            assert now == ("t1" if after > before else "t2")


def test_a_branch_that_takes_half_of_the_last_one_moves_nobody_else() -> None:
    old, new = split(50, 50), split(50, 25, 25)

    assert {(branch(old, c), branch(new, c)) for c in MANY[:2000]} == {("t1", "t1"), ("t2", "t2"), ("t2", "t3")}


def test_two_splits_are_independent_of_each_other() -> None:
    """Of place, event, condition and flow: what a contact takes in one says nothing about another."""
    flows = [
        split(50, 50), split(50, 50, state_name="B"), split(50, 50, when="toques < 3"), split(50, 50, slug="outro"),
    ]  # fmt: skip

    took = [[branch(flow, contact) for contact in MANY] for flow in flows]

    for one, other in combinations(took, 2):
        both = sum(a == b for a, b in zip(one, other, strict=True))
        assert abs(both - 5_000) < 4 * 50


def test_the_order_of_the_document_says_nothing_and_ids_are_ordered_as_people_count() -> None:
    arrows = [Arrow("t10", "A", "pago", "B", share=50), Arrow("t9", "A", "pago", "C", share=50)]
    one, other = (a_flow([state("A", DAY), final("B"), final("C")], rows) for rows in (arrows, arrows[::-1]))

    assert one.branches["t9"].letter == other.branches["t9"].letter == "A"
    assert all(branch(one, c) == branch(other, c) for c in range(100))


def test_a_point_that_is_given_is_the_contact_s() -> None:
    flow = split(30, 70)
    field = flow.branches["t1"].field

    went = {at: taken(flow, **{field: at}).candidates for at in (0, 29, 30, 99)}

    assert went == {0: ("t1",), 29: ("t1",), 30: ("t2",), 99: ("t2",)}


def test_an_arrow_beside_a_split_is_two_arrows_at_once() -> None:
    arrows = [
        Arrow("t1", "A", "pago", "B", "toques < 3", share=50),
        Arrow("t2", "A", "pago", "C", "toques < 3", share=50),
        Arrow("t3", "A", "pago", "A", "toques < 1"),
    ]
    flow = a_flow([state("A", DAY), final("B"), final("C")], arrows, context=COUNTER)

    done = taken(flow)

    assert done.outcome is Outcome.AMBIGUOUS
    assert done.candidates in (("t1", "t3"), ("t2", "t3"))


def test_otherwise_may_be_split_too_and_the_branches_are_no_overlap() -> None:
    arrows = [
        Arrow("t1", "A", "pago", "B", "toques >= 3"),
        Arrow("t2", "A", "pago", "C", "otherwise", share=50),
        Arrow("t3", "A", "pago", "B", "otherwise", share=50),
        Arrow("t4", "A", "timeout", "C"),
    ]
    flow = a_flow([state("A", DAY), final("B"), final("C")], arrows, context=COUNTER, ignored=[("A", "msg")])

    assert {taken(flow, c).candidates for c in range(50)} == {("t2",), ("t3",)}
    assert [f.code for f in check(flow) if f.code.startswith("G")] == []


def found(flow: Flow, *codes: str) -> list[Finding]:
    return [f for f in check(flow) if f.code in codes]


def group(*rows: tuple[str | None, str, int | None]) -> Flow:
    """Arrows t1, t2… of one state on a payment, by (condition, target, share); a message and a silence lead to an end."""
    arrows = [Arrow(f"t{n}", "A", "pago", to, when, share=share) for n, (when, to, share) in enumerate(rows, start=1)]
    rest = [Arrow("m", "A", "msg", "Z"), Arrow("s", "A", "timeout", "Z"), Arrow("m2", "B", "msg", "Z")]
    states = [state("A", DAY), state("B", DAY), final("Z")]
    return a_flow(states, [*arrows, *rest, Arrow("s2", "B", "timeout", "Z")], context=[number("toques")])


def test_all_branches_are_possible_and_together_one_arrow() -> None:
    assert found(group((None, "A", 50), (None, "B", 50)), "G1", "G2", "G6", "S1", "S2") == []
    assert found(group((None, "A", 50), (None, "A", 50)), "S1")


def test_an_overlap_with_a_split_is_told_once_of_all_its_branches_and_mended_for_all() -> None:
    flow = group(("toques < 3", "A", 50), ("toques < 3", "B", 50), ("toques <= 3", "A", None))

    overlap, *more = found(flow, "G1")

    assert overlap.where.transitions == ("t1", "t2", "t3")
    assert all(f.code != "G1" for f in more)


def test_a_gap_beside_a_split_is_a_gap() -> None:
    (gap,) = found(group(("toques < 3", "A", 50), ("toques < 3", "B", 50)), "G2")

    assert gap.witness is not None
    assert gap.witness["toques"] >= 3


def test_a_split_that_is_never_taken_is_told_once_and_deleted_as_a_whole() -> None:
    flow = group(("toques < 3 && toques > 5", "A", 50), ("toques < 3 && toques > 5", "B", 50), (None, "B", None))

    (dead,) = found(flow, "G3", "S2")

    assert dead.where.transitions == ("t1", "t2")
    assert [fix.edit for fix in dead.fixes] == [{"op": "delete_split", "id": "t1"}]


def test_shares_of_nobody_and_of_everybody_are_hints() -> None:
    told = found(group((None, "A", 100), (None, "B", 0)), "S2")

    assert [(f.severity.value, f.where.transitions, f.facts["variant"]) for f in told] == [
        ("info", ("t1",), "everybody"),
        ("info", ("t2",), "nobody"),
    ]


def test_the_words_of_a_branch() -> None:
    flow = split(60, 40, when="toques < 3")

    assert transition_sentence(flow, flow.arrows["t1"]) == (
        "Em A, quando pago, se toques < 3, para 60 % dos clientes (variação A), vai para S1."
    )
    assert transition_sentence(flow, flow.arrows["t2"], "en") == (
        "In A, when pago, if toques < 3, for 40 % of customers (variant B), it goes to S2."
    )
    assert variant(flow, flow.arrows["t2"]) == "B 40 %"
    assert "pago #91;toques #60; 3#93; (B 40 #37;)" in mermaid(flow)


def test_an_event_that_is_split_always_leads_somewhere() -> None:
    rule = Rule("always", {"always": "pago", "leads_to": "B"})
    everywhere = a_flow(
        [state("A", resting=True), state("B", resting=True)],
        [Arrow("g1", None, "pago", "B", share=50), Arrow("g2", None, "pago", "B", share=50)],
        rules=[rule],
        ignored=[("A", "msg"), ("B", "msg")],
    )
    assert check(everywhere) == ()


def test_a_state_behind_a_variant_of_nobody_is_not_reached_in_any_check() -> None:
    flow = group((None, "A", 100), (None, "B", 0))

    for findings in (check(flow), check_at_once(flow)):
        assert [f.where.state for f in findings if f.code == "S1"] == ["B"]


def test_the_drawing_says_the_share_on_a_line_that_may_not_be_taken() -> None:
    drawn = dot(split(60, 40), Drawing())

    assert ">A 60 %<" in drawn
    assert ">B 40 %<" in drawn
    assert drawn.count("arrowtail=odiamond") == 2


def test_on_a_line_of_numbers_a_split_is_one_arrow() -> None:
    flow = replace(
        group(("toques < 3", "A", 50), ("toques < 3", "B", 50), ("toques >= 2", "B", None)),
        context={"toques": number("toques", 0, 4)},
    )
    (overlap,) = found(flow, "G1")

    shown = number_line(flow, overlap)

    assert shown is not None
    assert [point.arrows for point in shown.points] == [("t1",), ("t1",), ("t1", "t3"), ("t3",), ("t3",)]


def test_what_a_text_would_do_tells_of_all_variants() -> None:
    arrows = [Arrow("t1", "A", "msg", "B", share=50), Arrow("t2", "A", "msg", "A", share=50)]
    tried = attempt(a_flow([state("A", DAY), final("B")], arrows), ["oi"], NOW)

    assert [arrow.id for arrow in tried.consequences[0].arrows] == ["t1", "t2"]


def test_heads_are_the_first_branch_of_each_split_and_every_other_arrow() -> None:
    flow = group((None, "A", 50), ("toques < 3", "B", None), (None, "B", 50))

    assert [t.id for t in heads(flow.own_group("A", "pago"))] == ["t1", "t2"]
