"""A finding on one whole number as a line of its values: each point says what the interpreter would do."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.checks.number_line import MOST, number_line
from engine.core.checks.run import check
from engine.core.events import Event, Outcome, Snapshot
from engine.core.flow import Source
from engine.core.interpreter import step
from tests.factories import DAY, Arrow, a_flow, final, number, state

TOQUES = [number("toques", 0, 5)]


def line(*guards, context=TOQUES, code="G1"):
    arrows = [Arrow(f"t{place}", "A", "msg", "B", guard) for place, guard in enumerate(guards, start=1)]
    flow = a_flow([state("A", DAY), final("B")], arrows, context=context)
    found = next(f for f in check(flow) if f.code == code)
    return flow, found, number_line(flow, found)


def test_an_ambiguity_on_a_small_number_shows_each_value():
    _, _, shown = line("toques < 3", "toques >= 2")

    assert shown.name == "toques"
    assert shown.whole
    assert [point.arrows for point in shown.points] == [("t1",), ("t1",), ("t1", "t2"), ("t2",), ("t2",), ("t2",)]
    assert [point.value for point in shown.points if point.example] == [2]


def test_a_gap_shows_the_value_at_which_nothing_fires():
    _, _, shown = line("toques < 3", "toques > 3", code="G2")

    assert [(point.value, point.arrows) for point in shown.points if point.example] == [(3, ())]


def test_of_a_large_number_only_what_lies_around_the_conditions_is_shown():
    _, _, shown = line("toques < 300", "toques >= 200", context=[number("toques")])

    assert not shown.whole
    assert len(shown.points) <= MOST
    assert {199, 200, 201} <= {point.value for point in shown.points}


def test_more_than_one_number_is_no_line():
    _, _, shown = line("toques < 3", "toques >= n", context=[*TOQUES, number("n", 0, 3)])

    assert shown is None


@given(st.integers(-3, 9), st.integers(-3, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_each_point_is_what_the_interpreter_does(first, second, bounded):
    context = [number("toques", 0, 5)] if bounded else [number("toques")]
    arrows = [Arrow("t1", "A", "msg", "B", f"toques < {first}"), Arrow("t2", "A", "msg", "B", f"toques >= {second}")]
    flow = a_flow([state("A", DAY), final("B")], arrows, context=context)

    for found in check(flow):
        shown = number_line(flow, found)
        for point in shown.points if shown else ():
            then = Snapshot(
                state="A", previous=None, context={"toques": point.value}, deadline_at=None, rung=0, entered_at=0,
                last_inbound_at=0,
            )  # fmt: skip
            did = step(flow, then, Event(id="e", type="msg", source=Source.MESSAGE, at=0), 0, {})
            assert did.candidates == point.arrows
            assert (did.outcome is Outcome.MOVED) == (len(point.arrows) == 1)
