from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.batching import due_at, order
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
