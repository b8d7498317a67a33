"""When a message that nobody asked for may leave through a number that can be banned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.core.sparing import PACED, Manners, Recent, local_day, manners, turn
from engine.core.windows import Decision, Verdict

ZONE = "America/Sao_Paulo"
NOON = 1_764_514_800_000 + 0  # 2025-11-30 12:00 in São Paulo
PLAIN = Manners()
SEND = Verdict(Decision.SEND)


def waits(reason: str, until: int) -> Verdict:
    return Verdict(Decision.POSTPONE, reason, until)


def test_a_number_that_did_nothing_lately_may_write() -> None:
    assert turn(PLAIN, Recent(), NOON, ZONE, has_place=False) == SEND


@pytest.mark.parametrize(
    ("recent", "expected"),
    [
        (Recent(slot_at=NOON + 1), waits(PACED, NOON + 1)),
        (Recent(slot_at=NOON), SEND),
        (Recent(last_at=NOON - MINUTE + 1, touches=1, first_at=NOON - MINUTE + 1), waits("contact_gap", NOON + 1)),
        (Recent(last_at=NOON - MINUTE, touches=1, first_at=NOON - MINUTE), SEND),
        (Recent(last_at=NOON - HOUR, touches=5, first_at=NOON - 3 * HOUR), waits("contact_daily", NOON + 21 * HOUR)),
        (Recent(last_at=NOON - HOUR, touches=4, first_at=NOON - 3 * HOUR), SEND),
        (Recent(stranger=True, strangers=50), waits("strangers_daily", NOON + 12 * HOUR)),
        (Recent(stranger=True, strangers=49), SEND),
        (Recent(stranger=False, strangers=50), SEND),
    ],
)
def test_each_limit_holds_to_its_edge_and_says_until_when(recent: Recent, expected: Verdict) -> None:
    assert turn(PLAIN, recent, NOON, ZONE, has_place=False) == expected


def test_the_working_day_holds_for_those_who_have_a_place_too() -> None:
    night = NOON + 9 * HOUR
    for has_place in (True, False):
        assert turn(PLAIN, Recent(), night, ZONE, has_place=has_place) == waits("working_hours", NOON + 20 * HOUR)
    assert turn(PLAIN, Recent(), night, ZONE, has_place=False, any_hour=True) == SEND
    assert turn(PLAIN, Recent(), night - 1, ZONE, has_place=False) == SEND


def test_a_place_in_the_line_is_a_place_whatever_the_line_is_now() -> None:
    recent = Recent(slot_at=NOON + HOUR, stranger=True, strangers=99, touches=9, first_at=NOON, last_at=NOON)
    assert turn(PLAIN, recent, NOON, ZONE, has_place=True) == SEND


AGO = st.one_of(st.none(), st.integers(0, DAY - 1))


@given(
    st.integers(NOON - DAY, NOON + DAY), st.integers(-DAY, DAY), AGO, AGO, st.integers(0, 100), st.integers(0, 10),
    st.booleans(), st.booleans(),
)  # fmt: skip
def test_what_waits_waits_for_a_moment_that_comes(
    now: int,
    slot: int,
    first: int | None,
    last: int | None,
    strangers: int,
    touches: int,
    stranger: bool,
    any_hour: bool,
) -> None:
    """Nothing is due again and again at one moment, and nothing waits for more than a day."""
    recent = Recent(
        slot_at=now + slot,
        strangers=strangers,
        touches=touches,
        first_at=None if first is None else now - first,
        last_at=None if last is None else now - last,
        stranger=stranger,
    )
    verdict = turn(PLAIN, recent, now, ZONE, has_place=False, any_hour=any_hour)
    if verdict.decision is not Decision.SEND:
        assert verdict.until is not None
        assert now < verdict.until <= now + DAY


def test_settings_say_otherwise_where_they_can_be_read() -> None:
    assert manners({"pacing": "off"}) is None
    assert manners({}) == manners({"pacing": "on"}) == PLAIN
    given_ones = {
        "gap_seconds": "20", "jitter_seconds": "1", "contact_gap_seconds": "90", "contact_daily": "2",
        "strangers_daily": "7", "hours": "09:30-18:00",
    }  # fmt: skip
    assert manners(given_ones) == Manners(
        gap=20 * SECOND,
        jitter=SECOND,
        contact_gap=90 * SECOND,
        contact_daily=2,
        strangers_daily=7,
        hours=(570, 1080),
    )
    assert manners({"gap_seconds": "-1", "hours": "sempre", "contact_daily": "x"}) == PLAIN


def test_the_day_is_that_of_the_place() -> None:
    assert (local_day(NOON, ZONE), local_day(NOON + 12 * HOUR, ZONE)) == ("2025-11-30", "2025-12-01")
