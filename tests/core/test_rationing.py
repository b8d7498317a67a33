"""What strangers can repeat at will is counted in full and written down a few times a minute."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.flow import MINUTE
from engine.core.rationing import EACH, Tally, counted

MOMENTS = st.lists(st.integers(0, 5 * MINUTE), max_size=400).map(sorted)


def written(moments: list[int]) -> tuple[list[tuple[int, int]], Tally | None]:
    """(when, how many were passed over before) for each that was written down."""
    tally, rows = None, []
    for at in moments:
        tally, passed_over = counted(tally, at)
        if passed_over is not None:
            rows.append((at, passed_over))
    return rows, tally


def test_the_first_ten_are_written_then_each_power_of_ten_and_the_rest_is_counted() -> None:
    rows, tally = written([0] * 2_500)

    assert [passed_over for _, passed_over in rows] == [0] * 10 + [89, 899]
    assert tally == Tally(begun=0, count=2_500, unwritten=1_500)
    assert counted(tally, MINUTE)[1] == 1_500


@given(MOMENTS)
def test_none_is_forgotten(moments: list[int]) -> None:
    rows, tally = written(moments)

    assert len(rows) + sum(passed_over for _, passed_over in rows) + (tally.unwritten if tally else 0) == len(moments)


@given(MOMENTS)
def test_no_minute_has_more_than_a_few_rows(moments: list[int]) -> None:
    rows, _ = written(moments)

    for at, _ in rows:
        assert sum(at <= other < at + MINUTE for other, _ in rows) <= 2 * (EACH + 3)


def test_a_clock_that_was_set_back_begins_a_new_minute() -> None:
    assert counted(Tally(begun=MINUTE, count=500, unwritten=3), 0) == (Tally(begun=0, count=1), 3)
