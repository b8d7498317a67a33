"""How much noise a source may make (SEC-S6)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.allowance import BURST, EACH, charged, exhausted, wait

NOW = 1_764_500_000_000


def spent(times: int, now: int = NOW) -> int | None:
    paid = None
    for _ in range(times):
        paid = charged(paid, now)
    return paid


def test_so_many_at_once_are_let_pass_and_not_one_more():
    assert not exhausted(spent(BURST - 1), NOW)
    assert exhausted(spent(BURST), NOW)
    assert not exhausted(None, NOW)


def test_one_more_is_let_pass_after_the_price_of_one():
    assert wait(spent(BURST), NOW) == EACH
    assert not exhausted(spent(BURST), NOW + EACH)


@given(st.lists(st.integers(0, 5_000), max_size=400))
def test_nobody_gets_more_than_the_burst_and_what_time_pays(pauses: list[int]):
    now, paid, passed = NOW, None, 0
    for pause in pauses:
        now += pause
        if not exhausted(paid, now):
            paid, passed = charged(paid, now), passed + 1
    assert passed <= BURST + (now - NOW) // EACH + 1
