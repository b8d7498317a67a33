"""Which of two cycles goes on when two contacts become one (R70, R71)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.flow import Look, State, StateKind
from engine.core.merging import BOUGHT, ENDED, STOPPED, Candidate, goes_on

STATES = [
    None,
    State(name="NOVO"),
    State(name="PAGO", kind=StateKind.FINAL, look=Look.WON),
    State(name="PERDIDO", kind=StateKind.FINAL, look=Look.LOST),
    State(name="OPT_OUT", kind=StateKind.OPTOUT, look=Look.OUT),
    State(name="APROVA", kind=StateKind.APPROVAL, look=Look.HUMAN),
]
CANDIDATES = st.builds(Candidate, id=st.integers(1, 9), state=st.sampled_from(STATES), active_at=st.integers(0, 5))


def talking(number, at):
    return Candidate(number, STATES[1], at)


@given(CANDIDATES, CANDIDATES)
def test_the_order_of_the_two_says_nothing_and_both_come_back(one, other):
    assert goes_on(one, other)[0].id == goes_on(other, one)[0].id
    assert sorted(goes_on(one, other), key=id) == sorted((one, other), key=id)


@given(CANDIDATES, CANDIDATES)
def test_what_was_bought_and_what_was_asked_for_is_never_followed_by_less(one, other):
    kept, left = goes_on(one, other)
    assert kept.rank <= left.rank
    if BOUGHT in (one.rank, other.rank):
        assert kept.rank == BOUGHT
    elif STOPPED in (one.rank, other.rank):
        assert kept.rank == STOPPED


@given(CANDIDATES, CANDIDATES)
def test_among_equals_the_one_in_which_something_was_said_last_goes_on(one, other):
    kept, left = goes_on(one, other)
    if kept.rank == left.rank:
        assert (kept.active_at, kept.id) >= (left.active_at, left.id)


def test_a_talk_under_way_goes_on_before_one_that_was_lost():
    lost = Candidate(9, STATES[3], 99)
    assert lost.rank == ENDED
    assert goes_on(lost, talking(1, 0))[0].id == 1
