"""The chain finds whatever was done to a stored row (R45) (SEC-S23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.chain import START, Break, Row, link, verify


def chained(bodies):
    rows, prev = [], START
    for body in bodies:
        own = link(prev, body)
        rows.append(Row(prev, own, body))
        prev = own
    return rows


ROWS = chained({"n": n, "to": f"S{n}"} for n in range(5))


def test_an_untouched_chain_holds_with_and_without_its_head():
    assert verify(ROWS) is None
    assert verify(ROWS, head=ROWS[-1].hash) is None
    assert verify([], head=START) is None


def test_the_hash_is_the_same_everywhere_and_for_any_order_of_keys():
    assert link("", {"b": 1, "a": "ç"}) == link("", {"a": "ç", "b": 1})
    assert link("", {"a": 1}) == "7395dc66860499cb2b8970e17094ec53ed1ff54e7067ad619f884917096166b0"


@pytest.mark.parametrize("position", range(5))
def test_a_changed_row_is_found(position):
    rows = list(ROWS)
    rows[position] = Row(rows[position].prev, rows[position].hash, {**rows[position].body, "to": "X"})
    assert verify(rows) == Break(position, "content")


@pytest.mark.parametrize("position", range(4))
def test_a_missing_row_is_found(position):
    assert verify(ROWS[:position] + ROWS[position + 1 :]) == Break(position, "order")


def test_missing_last_rows_are_found_through_the_head():
    assert verify(ROWS[:3], head=ROWS[-1].hash) == Break(3, "tail")
    assert verify([], head=ROWS[-1].hash) == Break(0, "tail")


def test_swapped_and_inserted_rows_are_found():
    assert verify([ROWS[0], ROWS[2], ROWS[1], *ROWS[3:]]) == Break(1, "order")
    assert verify([ROWS[0], ROWS[0], *ROWS[1:]]) == Break(1, "order")


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers()), max_size=8))
def test_law_any_honest_chain_holds(bodies):
    rows = chained(bodies)
    assert verify(rows, head=rows[-1].hash if rows else START) is None
