import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.folding import fold, sanitise, spans, visible, words


def test_accents_case_and_invisible_characters_do_not_matter():
    assert fold("PÁRE") == "pare"
    assert fold("pa\u200bre") == "pare"
    assert fold("pa\u0301re") == "pare"
    assert fold("Straße ﬁm") == "strasse fim"


def test_words_are_split_by_everything_that_is_no_letter():
    assert words("Quanto-custa?! 😡 R$ 1.234,56 (à vista)") == ("quanto", "custa", "r", "1", "234", "56", "a", "vista")


def test_an_emoji_in_the_middle_separates_words():
    assert words("oi😀tchau") == ("oi", "tchau")


def test_words_know_where_they_stand():
    text = "  PÁ\u200bRE já!"

    assert [text[w.start : w.end] for w in spans(text)] == ["PÁ\u200bRE", "já"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t", "\u200b\u2060 \u00a0", "\ufe0f", "\u3164", "\u2800", "\u00ad", "\u0301", "\U000e0041", "\x00"],
)
def test_what_shows_nothing_is_empty(text):
    """R29: an empty message is ignored and says so."""
    assert not visible(text)


@pytest.mark.parametrize("text", ["a", ".", "👍", "❤\ufe0f", "👩🏽\u200d💻", "\u200bx", "?", "١"])
def test_what_shows_something_is_not_empty(text):
    assert visible(text)


def test_nul_and_controls_are_taken_out_and_named():
    """R35."""
    assert sanitise("lead\x00exemplo\x07\tfim\n") == ("leadexemplo\tfim\n", ("U+0000", "U+0007"))


def test_half_a_surrogate_pair_becomes_a_replacement():
    assert sanitise("a\ud83d!") == ("a\ufffd!", ("U+D83D",))


def test_line_breaks_have_one_spelling_and_letters_are_composed():
    assert sanitise("a\r\nb\rc") == ("a\nb\nc", ())
    assert sanitise("pa\u0301re") == ("páre", ())


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_a_sanitised_text_can_be_stored_and_sanitised_again(text):
    clean, _ = sanitise(text)

    clean.encode("utf-8")
    assert "\x00" not in clean
    assert sanitise(clean) == (clean, ())


@settings(deadline=None)
@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)
    assert all(text[w.start : w.end] for w in spans(text))
