"""Here before + entered = left + still here: for every state, window, version and branch, whatever the log says (R45)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.analysis.accounts import Account, Window, accounts
from engine.core.analysis.stays import Cause
from tests.core.analysis.rows import H, moved, noted, opened, told

STATES = ("NOVO", "CONVERSA", "PAGO", "PERDIDO", "SAIU")


def test_the_account_of_a_small_history():
    """Three people: one was in NOVO before the window of hours 10 to 20 and leaves by silence, one comes and goes on, one
    rests all the time.
    """
    rows = (
        opened(1, 2), moved(1, 12, "NOVO", "PERDIDO", "clock"),
        opened(2, 11), moved(2, 13, "NOVO", "CONVERSA"), moved(2, 25, "CONVERSA", "PAGO", "payment"),
    )  # fmt: skip
    found = accounts(told(*rows).stays, {"NOVO": 1}, Window(10 * H, 20 * H))
    assert found == {
        "NOVO": Account(before=2, entered=1, left={Cause.SILENCE: 1, Cause.ONWARD: 1}, still=1),
        "PERDIDO": Account(before=0, entered=1, left={}, still=1),
        "CONVERSA": Account(before=0, entered=1, left={}, still=1),
    }
    assert all(one.closes for one in found.values())


def test_a_window_has_its_first_moment_and_not_its_last():
    rows = (opened(1, 10), moved(1, 20, "NOVO", "PAGO"))
    found = accounts(told(*rows).stays, {}, Window(10 * H, 20 * H))
    assert (found["NOVO"].before, found["NOVO"].entered, found["NOVO"].gone, found["NOVO"].still) == (0, 1, 0, 1)
    after = accounts(told(*rows).stays, {}, Window(20 * H, 30 * H))
    assert (after["NOVO"].before, after["NOVO"].entered, after["NOVO"].gone, after["NOVO"].still) == (1, 0, 1, 0)


def test_an_account_that_does_not_close_says_so():
    assert not Account(before=1, entered=1, left={Cause.LOST: 1}, still=0).closes


ROW = st.tuples(
    st.sampled_from(["moved", "opened", "by_hand", "moved_by_publication", "followed", "opt_out"]),
    st.integers(1, 4),
    st.integers(0, 40),
    st.sampled_from([*STATES, None]),
    st.sampled_from(STATES),
    st.sampled_from(["message", "clock", "human", "payment"]),
    st.integers(1, 3),
    st.sampled_from([None, "t1", "t1_b"]),
)


def row(kind, one, hour, frm, to, source, version, arrow):
    if kind == "moved":
        return moved(one, hour, frm, to, source, version=version, arrow=arrow)
    if kind == "opened":
        return opened(one, hour, to, version=version, after=one % 3 or None)
    if kind == "opt_out":
        return noted(one, hour, None, outcome="opt_out")
    return noted(one, hour, kind, *((frm, to) if kind != "followed" else ()), version=version)


@given(st.lists(ROW, max_size=40), st.integers(0, 45), st.integers(0, 45))
def test_every_account_closes_even_over_a_log_that_makes_no_sense(rows, one, other):
    found = told(*sorted((row(*each) for each in rows), key=lambda each: each.conversation))
    window = Window(min(one, other) * H, max(one, other) * H)
    for version in (None, 1, 2, 3):
        for arrow in (None, "t1", "t1_b"):
            stays = [
                stay
                for stay in found.stays
                if (version is None or stay.version == version) and (arrow is None or arrow in stay.arrows)
            ]
            made = accounts(stays, {"NOVO": 2}, window)
            assert {name: each for name, each in made.items() if not each.closes} == {}
            assert all(min(each.before, each.entered, each.gone, each.still) >= 0 for each in made.values())
