"""How far those who began came: each conversation once a state, and everybody who came is accounted for."""

from engine.core.analysis.accounts import Window
from engine.core.analysis.funnel import funnel
from engine.core.analysis.stays import Cause
from tests.core.analysis.rows import ENDS, H, moved, noted, opened, told

WINDOW = Window(0, 100 * H)


def made(*rows, cohort=frozenset({1, 2, 3, 4}), window=WINDOW):
    found = told(*rows)
    return funnel(found.stays, set(cohort), window, ENDS, found.opted_out)


ROWS = (
    opened(1, 0), moved(1, 1, "NOVO", "CONVERSA"), moved(1, 2, "CONVERSA", "PAGO", "payment"),
    opened(2, 0), moved(2, 1, "NOVO", "CONVERSA"), moved(2, 9, "CONVERSA", "PERDIDO", "clock"),
    opened(3, 0), moved(3, 1, "NOVO", "CONVERSA"), moved(3, 3, "CONVERSA", "NOVO"), moved(3, 4, "NOVO", "CONVERSA"),
    opened(4, 0), moved(4, 8, "NOVO", "SAIU"),
)  # fmt: skip


def test_of_four_who_began_three_came_to_the_talk_one_bought_one_fell_silent_one_stopped():
    found = made(*ROWS)
    assert (found.began, found.won, found.opted_out) == (4, 1, 1)
    assert {name: step.reached for name, step in found.steps.items()} == {
        "NOVO": 4, "CONVERSA": 3, "PAGO": 1, "PERDIDO": 1, "SAIU": 1,
    }  # fmt: skip
    talk, new = found.steps["CONVERSA"], found.steps["NOVO"]
    assert (talk.ends, talk.here, talk.lost) == ({Cause.ONWARD: 1, Cause.SILENCE: 1}, 1, 1)
    assert (new.ends, new.here, new.lost) == ({Cause.ONWARD: 3, Cause.OPT_OUT: 1}, 0, 1)
    assert all(step.closes for step in found.steps.values())


def test_what_happened_after_the_window_did_not_happen():
    found = made(*ROWS, window=Window(0, 5 * H))
    assert {name: step.reached for name, step in found.steps.items()} == {"NOVO": 4, "CONVERSA": 3, "PAGO": 1}
    assert found.steps["CONVERSA"].here == 2
    assert found.opted_out == 0


def test_only_the_cohort_counts():
    assert made(*ROWS, cohort={1}).began == 1
    assert made(*ROWS, cohort={1}).steps["CONVERSA"].reached == 1


def test_who_stops_as_a_customer_counts_as_gone_though_the_state_stays():
    found = made(opened(1, 0), moved(1, 1, "NOVO", "PAGO", "payment"), noted(1, 2, None, outcome="opt_out"))
    assert (found.won, found.opted_out) == (1, 1)
    assert found.steps["PAGO"].here == 1
