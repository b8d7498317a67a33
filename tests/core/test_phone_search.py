"""A number is found in any spelling; who may see none finds it by the whole alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import identity
from engine.core.phone_search import sought


def _fits(words, number, *, whole=False):
    key = identity.key(number)
    return any(
        key == pattern if "%" not in pattern else pattern.strip("%") in key for pattern in sought(words, whole=whole)
    )


@pytest.mark.parametrize(
    "words",
    ["5511988887777", "+55 (11) 98888-7777", "11 98888-7777", "1188887777", "011 8888 7777", "55 11 8888-7777",
     "98888-7777", "8888-7777", "7777", "11 8888", "55118888", "1198"],
)  # fmt: skip
def test_every_spelling_and_part_of_a_number_finds_it(words):
    assert _fits(words, "+5511988887777")


@pytest.mark.parametrize("words", ["", "77", "bruna", "11 98888-7777 bruna", "(-)", "²²²²", "11 98888-7778", "0800"])
def test_what_is_not_a_part_of_it_does_not(words):
    assert not _fits(words, "+5511988887777")


@pytest.mark.parametrize(
    ("words", "found"),
    [("11 98888-7777", True), ("11 8888-7777", True), ("+55 11 98888-7777", True), ("98888-7777", False), ("7777", False)],
)  # fmt: skip
def test_without_the_right_to_see_phones_only_the_whole_number_finds(words, found):
    assert _fits(words, "+5511988887777", whole=True) is found
    assert all("%" not in pattern for pattern in sought(words, whole=True))


@given(st.text(max_size=40), st.booleans())
def test_no_text_is_a_mistake_and_every_pattern_is_digits(words, whole):
    for pattern in sought(words, whole=whole):
        assert pattern.strip("%").isdigit()


@given(st.sampled_from(["11", "21", "47", "99"]), st.integers(6, 9), st.integers(0, 9_999_999), st.data())
def test_any_stretch_of_an_old_spelling_finds_the_mobile(area, first, rest, data):
    old = f"{area}{first}{rest:07d}"
    end = data.draw(st.integers(4, len(old)))

    assert _fits(old[:end], f"55{area}9{first}{rest:07d}")
