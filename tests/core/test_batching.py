from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.batching import awaited_until, due_at, order
from engine.core.flow import Debounce

DEBOUNCE = Debounce(quiet=4_000, ceiling=20_000)


@dataclass
class Row:
    id: int
    at: int
    provider_id: str = ""


def test_a_burst_is_due_after_a_quiet_moment():
    """R22."""
    assert due_at(0, 1_500, DEBOUNCE) == 5_500


def test_a_lead_who_keeps_typing_is_answered_at_the_ceiling():
    """R22."""
    assert due_at(0, 19_000, DEBOUNCE) == 20_000


def test_messages_of_one_second_keep_the_order_of_arrival_whatever_their_ids_say():
    """R13."""
    first, second = Row(1, 1_000, "wamid.Z"), Row(2, 1_000, "wamid.A")

    assert order([second, first]) == (first, second)


def test_a_late_message_stands_where_it_was_written():
    """R13."""
    late, early = Row(1, 2_000), Row(2, 1_000)

    assert order([late, early]) == (early, late)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**5))
def test_it_is_never_due_later_than_the_ceiling(oldest, span):
    assert oldest <= due_at(oldest, oldest + span, DEBOUNCE) <= oldest + DEBOUNCE.ceiling


def test_a_burst_waits_for_an_audio_from_its_arrival_on():
    """R23."""
    assert awaited_until(0, [3_000, 1_000], DEBOUNCE, 30_000) == 33_000


def test_a_burst_without_an_unheard_audio_waits_for_nothing():
    """R23."""
    assert awaited_until(0, [], DEBOUNCE, 30_000) is None


def test_a_flow_may_say_that_nobody_waits():
    """R23."""
    assert awaited_until(0, [1_000], DEBOUNCE, 0) is None


def test_an_audio_that_comes_while_the_burst_waits_prolongs_it_no_further():
    """R23."""
    assert awaited_until(0, [1_000, 45_000], DEBOUNCE, 30_000) == 50_000


@settings(deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), min_size=1), st.integers(1, 10**5))
def test_waiting_for_words_has_an_end_however_many_audios_come(oldest, spans, wait):
    """R23."""
    until = awaited_until(oldest, [oldest + span for span in spans], DEBOUNCE, wait)

    assert oldest + wait <= until <= oldest + DEBOUNCE.ceiling + wait
