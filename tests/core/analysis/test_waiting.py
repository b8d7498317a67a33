"""How long people stay: ranks that some stay really had, and how often the clock spoke."""

import pytest

from engine.core.analysis.accounts import Window
from engine.core.analysis.waiting import at_rank, waited
from tests.core.analysis.rows import H, moved, opened, told


@pytest.mark.parametrize(
    ("times", "hundredths", "right"),
    [
        ((), 50, 0), ((7,), 50, 7), ((7,), 90, 7), ((1, 2), 50, 1), ((1, 2, 3), 50, 2), (range(1, 11), 50, 5),
        (range(1, 11), 90, 9), (range(1, 11), 25, 3), (range(1, 101), 90, 90),
    ],
)  # fmt: skip
def test_a_rank_is_the_least_time_that_so_many_do_not_exceed(times, hundredths, right):
    assert at_rank(list(times), hundredths) == right


def test_five_stays_of_one_to_five_hours_of_which_two_met_the_clock():
    rows = []
    for one in range(1, 6):
        source = "clock" if one > 3 else "message"
        rows += [opened(one, 10), moved(one, 10 + one, "NOVO", "CONVERSA", source)]
    found = waited(told(*rows).stays, Window(10 * H, 20 * H))
    new = found["NOVO"]
    assert (new.ended, new.median, new.nine_tenths, new.silent, new.open) == (5, 3 * H, 5 * H, 2, 0)
    assert (new.quarter, new.three_quarters) == (2 * H, 4 * H)
    assert (found["CONVERSA"].ended, found["CONVERSA"].open) == (0, 5)


def test_a_stay_that_lasts_or_ended_elsewhen_or_began_nobody_knows_when_gives_no_time():
    rows = (opened(1, 1), opened(2, 1), moved(2, 30, "NOVO", "PAGO"), moved(3, 5, "NOVO", "PAGO"))
    found = waited(told(*rows).stays, Window(2 * H, 20 * H))
    assert (found["NOVO"].ended, found["NOVO"].open) == (0, 2)
