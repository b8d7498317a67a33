"""What another burst wait would have done: counted on messages whose moments are known (R22)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.analysis.bursts import BINS, histogram, horizon, what_if
from engine.core.batching import due_at
from engine.core.flow import SECOND, Debounce

TALK = (0, 2_000, 5_000, 12_000, 13_000, 500_000)
"""Gaps of 2, 3, 7 and 1 seconds, and one of minutes."""


def tried(quiet, ceiling=20, talks=(TALK,), within=20_000):
    return what_if(talks, Debounce(quiet * SECOND, ceiling * SECOND), within)


def test_with_four_seconds_two_gaps_join_and_seven_seconds_part():
    found = tried(4)
    assert (found.joined, found.parted, found.gaps, found.answers) == (3, 1, 4, 3)


def test_with_eight_seconds_all_of_the_burst_is_one_answer():
    found = tried(8)
    assert (found.joined, found.parted, found.answers) == (4, 0, 2)


def test_the_ceiling_ends_a_burst_of_somebody_who_goes_on_writing():
    """R22: the first message is 10 seconds old when the burst is due, whatever came since."""
    found = tried(8, ceiling=10)
    assert (found.joined, found.parted, found.answers) == (3, 1, 3)


def test_a_message_that_comes_when_the_burst_is_due_begins_the_next_one():
    assert tried(2, talks=((0, 2_000),)).answers == 2
    assert tried(2, talks=((0, 1_999),)).answers == 1


def test_messages_of_two_people_never_join():
    assert tried(8, talks=((0,), (1,))) == tried(8, talks=((0,), (90_000,)))
    assert tried(8, talks=((0,), (1,))).gaps == 0


def test_gaps_fall_into_bins_of_a_second_and_long_ones_into_none():
    bins = histogram([TALK], 20_000)
    assert {place: count for place, count in enumerate(bins) if count} == {1: 1, 2: 1, 3: 1, 7: 1}
    assert len(bins) == BINS


def test_the_horizon_is_twenty_seconds_or_holds_the_ceiling_in_whole_seconds_a_bin():
    assert [horizon(s * SECOND) // SECOND for s in (5, 20, 21, 60, 900)] == [20, 20, 40, 60, 120]


@given(st.lists(st.integers(0, 200_000), max_size=12), st.integers(1, 30), st.integers(1, 30))
def test_answers_are_what_the_engine_would_give_and_a_longer_wait_never_gives_more(moments, one, other):
    """The engine's own rule, step by step: what is due before the next message comes is answered before it."""
    times, quiet = sorted(moments), min(one, other)
    answers, pending = 0, []
    for at in times:
        if pending and due_at(pending[0], pending[-1], Debounce(quiet * SECOND, 40 * SECOND)) <= at:
            answers, pending = answers + 1, []
        pending.append(at)
    assert tried(quiet, 40, (times,)).answers == answers + bool(pending)
    assert tried(quiet, 10_000, (times,)).answers >= tried(max(one, other), 10_000, (times,)).answers
