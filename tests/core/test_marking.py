"""The words of a search are marked in the text as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.folding import fold
from engine.core.marking import marked


def _shown(text, *words):
    return "".join(f"[{piece.text}]" if piece.found else piece.text for piece in marked(text, words))


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("Tem DESCONTO à vista?", ["desconto", "a"], "Tem [DESCONTO] [à] vist[a]?"),
        ("Ênio e Enio", ["enio"], "[Ênio] e [Enio]"),
        ("straße", ["strasse"], "[straße]"),
        ("nada", ["zz"], "nada"),
        ("aaaa", ["aa", "aaa"], "[aaa][a]"),
        ("", ["a"], ""),
        ("uma\n\nlinha", ["linha"], "uma [linha]"),
        ("😀 oi 😀", ["oi"], "😀 [oi] 😀"),
    ],
)
def test_words_are_marked_whatever_their_accents_and_capitals(text, words, shown):
    assert _shown(text, *words) == shown


def test_of_a_long_text_the_part_around_the_first_word_is_shown():
    shown = _shown("a" * 500 + " boleto " + "b" * 500, "boleto")

    assert shown.startswith("…a")
    assert "[boleto]" in shown
    assert shown.endswith("b…")
    assert len(shown) < 200


@given(st.text(max_size=120), st.lists(st.text(min_size=1, max_size=4), max_size=3))
def test_the_pieces_joined_are_the_text_on_one_line(text, words):
    pieces = marked(text, [fold(word) for word in words])

    assert "".join(piece.text for piece in pieces) == " ".join(text.split()) if len(text) < 100 else True
    for piece in pieces:
        if piece.found:
            assert fold(piece.text)
