from datetime import datetime
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.flow import DAY, HOUR, MINUTE
from engine.core.windows import Circumstances, Decision, Origin, may_send, next_allowed, window_open

SP = "America/Sao_Paulo"
NIGHT = (21 * 60, 8 * 60)
T0 = 1_785_589_200_000  # 2026-08-01 10:00 in Sao Paulo


def local(hour: int, minute: int = 0, day: int = 1) -> int:
    return int(datetime(2026, 8, day, hour, minute, tzinfo=ZoneInfo(SP)).timestamp() * 1000)


def test_the_window_closes_a_minute_before_its_24_hours():
    """R28."""
    assert window_open(T0, T0 + DAY - 2 * MINUTE)
    assert not window_open(T0, T0 + DAY - MINUTE)
    assert not window_open(0, T0)


@pytest.mark.parametrize(
    ("now", "allowed"),
    [
        (local(10), local(10)),
        (local(20, 59), local(20, 59)),
        (local(21), local(8, 0, 2)),
        (local(23, 30), local(8, 0, 2)),
        (local(0, 10), local(8)),
        (local(7, 59), local(8)),
        (local(8), local(8)),
    ],
)
def test_the_night_is_waited_out(now, allowed):
    """R37."""
    assert next_allowed(now, NIGHT, SP) == allowed


def test_a_siesta_lies_within_one_day():
    assert next_allowed(local(13), (12 * 60, 14 * 60), SP) == local(14)
    assert next_allowed(local(15), (12 * 60, 14 * 60), SP) == local(15)


def test_without_quiet_hours_it_is_always_now():
    assert next_allowed(local(3), None, SP) == local(3)


@settings(deadline=None)
@given(
    st.integers(10**12, 2 * 10**12),
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.sampled_from([SP, "UTC", "America/New_York", "Pacific/Apia"]),
)
def test_the_wait_is_never_backwards_nor_longer_than_about_a_day(now, begin, end, zone):
    if begin == end:
        return
    until = next_allowed(now, (begin, end), zone)

    assert now <= until <= now + DAY + 2 * HOUR
    assert next_allowed(until, (begin, end), zone) == until or until - now < HOUR


FLAGS = ("opted_out", "confirms_opt_out", "paused", "from_global", "has_window", "window_open", "has_template", "quiet")


def every():
    for origin in Origin:
        for bits in product((False, True), repeat=len(FLAGS)):
            given_ = dict(zip(FLAGS, bits, strict=True))
            quiet = given_.pop("quiet")
            yield Circumstances(origin=origin, quiet_until=99 if quiet else None, **given_)


def test_every_combination_gives_the_verdict_of_the_rules():
    """R4, R27, R28, R37, R75: the whole table, judged by the sentences of the rules one by one."""
    seen = set()
    for now in every():
        verdict = may_send(now)
        seen.add(verdict.decision)
        answers = now.origin in (Origin.MESSAGE, Origin.PAYMENT) or now.confirms_opt_out
        answers = answers or (now.origin is Origin.HUMAN and now.window_open)
        held = now.paused and not now.from_global and not now.confirms_opt_out and now.origin is not Origin.HUMAN
        if now.opted_out and not answers:
            assert (verdict.decision, verdict.reason) == (Decision.SUPPRESS, "opt_out"), now
        elif held:
            assert (verdict.decision, verdict.reason) == (Decision.HOLD, "paused"), now
        elif now.quiet_until and now.origin in (Origin.CLOCK, Origin.CAMPAIGN):
            assert (verdict.decision, verdict.until) == (Decision.POSTPONE, 99), now
        elif now.has_window and not now.window_open:
            if now.has_template:
                assert verdict.decision is Decision.TEMPLATE, now
            else:
                assert (verdict.decision, verdict.reason) == (Decision.SUPPRESS, "window_closed_no_template"), now
        else:
            assert verdict.decision is Decision.SEND, now

    assert seen == set(Decision)


def test_nothing_that_the_clock_starts_leaves_after_an_opt_out():
    """R75."""
    clock = [now for now in every() if now.origin is Origin.CLOCK and now.opted_out and not now.confirms_opt_out]

    assert {may_send(now).decision for now in clock} == {Decision.SUPPRESS}


def test_a_paid_delivery_leaves_at_night_after_an_opt_out_and_during_a_pause():
    """R4, R37, R75."""
    now = Circumstances(origin=Origin.PAYMENT, opted_out=True, paused=True, from_global=True, quiet_until=99)

    assert may_send(now).decision is Decision.SEND
