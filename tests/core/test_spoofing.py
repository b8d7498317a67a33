"""Names that pretend are seen to (SEC-S17)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.spoofing import BOX, revealed

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana\u202egnp.exe", f"Ana{BOX}gnp.exe"),
        ("Ana\u200b\u200b\u2060Lima", f"Ana{BOX}Lima"),
        ("\u2066Ana\u2069", f"{BOX}Ana{BOX}"),
        ("A\u200dna", f"A{BOX}na"),
        ("Ana\u00ad", f"Ana{BOX}"),
        ("An\ufe0fa", f"An{BOX}a"),
        ("\u3164", BOX),
        ("Ana\nLima\u2028x", f"Ana{BOX}Lima{BOX}x"),
        ("Ana\U000e0041\U000e0042", f"Ana{BOX}"),
    ],
)
def test_what_is_hidden_in_a_name_is_a_box(name, shown):
    assert revealed(name) == shown


@pytest.mark.parametrize(
    "name",
    ["José d’Ávila", "👩‍👩‍👧‍👦 Família", "❤️ Bia", "👩🏽‍🚀", "می‌خواهم", "محمد علي", "שרה", "क्‍ष", "李小龍", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "Ana 1️⃣", "", "O'Neil-Smith, Jr."],
)  # fmt: skip
def test_honest_names_of_every_script_stay_as_they_are(name):
    assert revealed(name) == name


@given(st.text(max_size=60))
def test_nothing_that_turns_words_is_left_in_any_name(name: str):
    shown = revealed(name)

    assert not set(TURNING) & set(shown)
    assert len(shown) <= len(name)
    assert revealed(shown) == shown
