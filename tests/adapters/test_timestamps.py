"""Instants in every unit."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.timestamps import to_millis

THIRTEEN = 1_785_589_200_000
"""2026-08-01 13:00 UTC, ten in the morning in São Paulo."""


@pytest.mark.parametrize(
    "value",
    [
        "1785589200",
        1_785_589_200,
        1_785_589_200.0,
        {"low": 1_785_589_200, "high": 0, "unsigned": True},
        "1785589200000",
        1_785_589_200_000,
        "2026-08-01 10:00",
        "2026-08-01 10:00:00",
        "2026-08-01T10:00:00.000-03:00",
        "2026-08-01T13:00:00Z",
        " 1785589200 ",
    ],
)
def test_one_instant_in_every_unit(value: object) -> None:
    assert to_millis(value) == THIRTEEN


def test_the_lower_half_of_a_long_number_is_unsigned() -> None:
    when = to_millis({"low": -1_118_390_013, "high": 415, "unsigned": False})
    assert when == int(datetime(2026, 8, 1, 12, 40, 5, 123_000, tzinfo=UTC).timestamp() * 1000)


def test_a_text_without_zone_is_local_time_of_the_given_zone() -> None:
    assert to_millis("2026-08-01 14:00", zone="Europe/Lisbon") == THIRTEEN


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, "", "ontem", "٣", 0, -1, "-1", 1e300, float("nan"), float("inf"), "9" * 19, "9" * 400, [], {},
        {"low": 1}, {"low": 1, "high": "2"}, {"low": 1, "high": 1 << 70}, "0001-01-01", "1960-01-01T00:00:00Z",
        "9999-12-31T23:59:59-12:00", "2026-13-01", 10**400, {"low": 1, "high": 10**400},
    ],
)  # fmt: skip
def test_what_is_no_instant_is_none(value: object) -> None:
    assert to_millis(value) is None


@given(st.integers(min_value=100_000_000_000, max_value=4_102_444_799_999))
def test_milliseconds_and_their_digits_and_halves_agree(millis: int) -> None:
    halves = {"low": (millis & 0xFFFF_FFFF) - (1 << 32 if millis & 0x8000_0000 else 0), "high": millis >> 32}
    assert to_millis(millis) == to_millis(str(millis)) == to_millis(halves) == millis


@given(st.integers(min_value=1, max_value=4_102_444_799))
def test_seconds_are_not_milliseconds(seconds: int) -> None:
    assert to_millis(seconds) == seconds * 1000
