"""Telephone numbers of buyers, in one field or in three, become digits with a country code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.payments.phones import in_parts, whole


@pytest.mark.parametrize(
    ("given_as", "expected"),
    [
        ("+5541900000001", "5541900000001"),
        ("5541900000001", "5541900000001"),
        ("41900000001", "5541900000001"),
        ("(41) 90000-0001", "5541900000001"),
        ("041 90000 0001", "5541900000001"),
        ("4130000000", "554130000000"),
        ("+14155550100", "14155550100"),
        ("+351 912 345 678", "351912345678"),
        (41900000001, "5541900000001"),
        ("900000001", "900000001"),
        ("", None),
        (None, None),
        ("não tenho", None),
        ("123", None),
        ([], None),
        (True, None),
    ],
)
def test_one_field(given_as: object, expected: str | None) -> None:
    assert whole(given_as) == expected


@pytest.mark.parametrize(
    ("country", "area", "number", "expected"),
    [
        ("55", "41", "900000001", "5541900000001"),
        ("+55", "41", "900000001", "5541900000001"),
        ("55", "041", "90000-0001", "5541900000001"),
        (None, "41", "900000001", "5541900000001"),
        (None, None, "41900000001", "5541900000001"),
        ("55", None, "41900000001", "5541900000001"),
        ("55", "41", "41900000001", "5541900000001"),
        ("55", "41", "5541900000001", "5541900000001"),
        ("55", "41", "+5541900000001", "5541900000001"),
        (55, 41, 900000001, "5541900000001"),
        ("55", "41", "30000000", "554130000000"),
        ("1", "415", "5550100", "14155550100"),
        ("351", None, "912345678", "351912345678"),
        ("351", "", "351912345678", "351912345678"),
        ("55", "41", None, None),
        (None, None, None, None),
        ({}, [], "x", None),
    ],
)
def test_three_fields(country: object, area: object, number: object, expected: str | None) -> None:
    assert in_parts(country, area, number) == expected


PARTS = st.none() | st.text("0123456789 +-()é", max_size=16) | st.integers() | st.lists(st.none(), max_size=1)


@given(PARTS, PARTS, PARTS)
def test_whatever_is_written_a_phone_is_5_to_20_digits_or_none(country: object, area: object, number: object) -> None:
    for found in (in_parts(country, area, number), whole(number)):
        assert found is None or (found.isascii() and found.isdigit() and 5 <= len(found) <= 20)


@given(st.integers(11, 99).filter(lambda area: area != 55), st.integers(900_000_000, 999_999_999))
def test_a_brazilian_mobile_is_the_same_in_every_shape(area: int, number: int) -> None:
    expected = f"55{area}{number}"
    assert whole(expected) == whole(f"+{expected}") == whole(f"({area}) {number}") == expected
    assert in_parts("55", str(area), str(number)) == in_parts(None, area, number) == expected
    assert in_parts("+55", None, f"{area}{number}") == in_parts("55", area, expected) == expected
