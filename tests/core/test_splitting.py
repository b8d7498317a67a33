import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.splitting import shortened, split_text, units


def test_a_short_text_is_one_piece():
    assert split_text(" oi ") == ["oi"]
    assert split_text("") == []


def test_it_is_cut_between_paragraphs_before_sentences_and_sentences_before_words():
    assert split_text("um. dois.\n\ntrês quatro.", 16) == ["um. dois.", "três quatro."]
    assert split_text("uma frase. outra frase", 16) == ["uma frase.", "outra frase"]
    assert split_text("palavra palavra palavra", 16) == ["palavra palavra", "palavra"]


def test_a_link_is_not_cut():
    link = "https://app.exemplo.test/combo/aula-01?ref=agosto"

    assert link in split_text(f"{'x ' * 20}{link} fim", 60)[1]


@pytest.mark.parametrize("cluster", ["👩🏽\u200d💻", "e\u0301", "❤\ufe0f", "🇧🇷"])
def test_what_looks_like_one_character_is_not_cut(cluster):
    text = "x" + cluster * 40

    pieces = split_text(text, 31)

    assert "".join(pieces) == text
    assert all(piece.removeprefix("x").replace(cluster, "") == "" for piece in pieces)


def test_eight_thousand_characters_make_two_messages():
    text = "Aula com exercícios, material em PDF e suporte por um ano. " * 135

    pieces = split_text(text)

    assert [units(p) <= 4_096 for p in pieces] == [True, True]
    assert " ".join(pieces) == text.strip()


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="ab \n.👩\u200d💻é\u0301🇧🇷🏽", max_size=300), st.integers(16, 40))
def test_no_piece_is_too_long_and_no_letter_is_lost(text, limit):
    pieces = split_text(text, limit)

    assert all(0 < units(piece) <= limit for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@given(st.text(max_size=60), st.integers(2, 40))
def test_a_shortened_text_fits_and_begins_as_the_whole_one(text, limit):
    short = shortened(text, limit)

    assert units(short) <= limit
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_a_text_is_not_shortened_inside_what_looks_like_one_character():
    assert shortened("oi 👩🏽‍💻 tudo", 8) == "oi…"
    assert shortened("Quero o combo todo", 12) == "Quero o com…"
