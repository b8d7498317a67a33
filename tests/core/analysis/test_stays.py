"""A log, read as stays: where somebody was, from when to when, and why they left (R45)."""

import pytest

from engine.core.analysis.stays import Cause
from tests.core.analysis.rows import H, moved, noted, opened, stays, told


def test_a_talk_is_a_chain_of_stays_and_the_last_one_lasts():
    assert stays(opened(1, 0), moved(1, 1, "NOVO", "CONVERSA"), moved(1, 3, "CONVERSA", "PAGO", "payment")) == [
        ("NOVO", 0, 1, "onward"),
        ("CONVERSA", 1, 3, "onward"),
        ("PAGO", 3, None, None),
    ]


def test_an_arrow_back_to_the_same_state_and_a_new_version_end_no_stay():
    rows = (opened(1, 0), moved(1, 1, "NOVO", "NOVO"), noted(1, 2, "new_version", "NOVO", "NOVO", version=2))
    assert stays(*rows) == [("NOVO", 0, None, None)]
    assert [stay.version for stay in told(*rows, moved(1, 3, "NOVO", "PAGO", version=2)).stays] == [1, 2]


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        (moved(1, 1, "NOVO", "CONVERSA"), Cause.ONWARD),
        (moved(1, 1, "NOVO", "PERDIDO"), Cause.LOST),
        (moved(1, 1, "NOVO", "PERDIDO", "clock"), Cause.SILENCE),
        (moved(1, 1, "NOVO", "CONVERSA", "clock"), Cause.SILENCE),
        (moved(1, 1, "NOVO", "SAIU"), Cause.OPT_OUT),
        (moved(1, 1, "NOVO", "PERDIDO", "human"), Cause.HAND),
        (noted(1, 1, "by_hand", "NOVO", "CONVERSA"), Cause.HAND),
        (noted(1, 1, "moved_by_publication", "NOVO", "CONVERSA", version=2), Cause.PUBLICATION),
        (noted(1, 1, "taken_back", "NOVO", "CONVERSA", version=2), Cause.PUBLICATION),
    ],
)
def test_each_way_to_leave_has_its_cause(row, cause):
    assert told(opened(1, 0), row).stays[0].cause is cause


def test_who_asks_to_stop_left_for_that_wherever_the_arrow_led():
    """A customer who stops stays a customer (R75): the row beside the transition says why."""
    rows = (
        opened(1, 0),
        moved(1, 1, "NOVO", "PERDIDO", event="e"),
        noted(1, 1, None, "NOVO", outcome="opt_out", event="e"),
    )
    found = told(*rows)
    assert found.stays[0].cause is Cause.OPT_OUT
    assert found.opted_out == {1: (H,)}


def test_a_merge_and_a_new_cycle_end_the_stay_of_the_talk_that_is_followed():
    assert stays(opened(1, 0), noted(1, 5, "followed"), opened(2, 2)) == [
        ("NOVO", 0, 5, "elsewhere"),
        ("NOVO", 2, None, None),
    ]
    assert stays(opened(1, 0), moved(1, 1, "NOVO", "PAGO"), opened(2, 7, after=1)) == [
        ("NOVO", 0, 1, "onward"),
        ("PAGO", 1, 7, "elsewhere"),
        ("NOVO", 7, None, None),
    ]


def test_what_is_noted_of_a_followed_talk_afterwards_holds_nobody():
    """A refund reaches the cycle of its purchase, whatever the person does by now."""
    assert stays(opened(1, 0), noted(1, 5, "followed"), moved(1, 9, "NOVO", "PERDIDO", "payment")) == [
        ("NOVO", 0, 5, "elsewhere"),
        ("PERDIDO", 9, 9, "elsewhere"),
    ]


def test_a_log_whose_beginning_is_gone_still_has_a_stay_before_its_first_row():
    rows = (moved(1, 5, "CONVERSA", "PAGO", "payment"),)
    assert stays(*rows) == [("CONVERSA", 0, 5, "onward"), ("PAGO", 5, None, None)]
    assert [stay.began for stay in told(*rows).stays] == [False, False]


def test_clocks_that_differ_make_no_stay_of_negative_length():
    assert stays(opened(1, 5), moved(1, 4, "NOVO", "PAGO")) == [("NOVO", 5, 5, "onward"), ("PAGO", 5, None, None)]


def test_the_clock_spoke_in_a_stay_also_where_nothing_moved():
    quiet = moved(1, 1, "NOVO", None, "clock")._replace(outcome="no_transition")
    rows = (opened(1, 0), quiet, moved(1, 2, "NOVO", "CONVERSA"), moved(1, 3, "CONVERSA", "PERDIDO", "clock"))
    assert [stay.silent for stay in told(*rows).stays] == [True, True, False]


def test_a_branch_counts_from_the_stay_that_it_led_to():
    found = told(opened(1, 0), moved(1, 1, "NOVO", "CONVERSA", arrow="t1_b"), moved(1, 2, "CONVERSA", "PAGO"))
    assert [sorted(stay.arrows) for stay in found.stays] == [[], ["t1_b"], ["t1_b"]]
    assert [(one.arrow, one.at, one.version) for one in found.taken] == [("t1_b", H, 1)]
