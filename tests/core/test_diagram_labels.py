"""User text on a drawing: cleaned, cut, escaped; and how wide it is (SEC-S15)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.diagram.labels import LONGEST, clean, escaped, key, shown
from engine.core.diagram.metrics import width


@given(st.text(st.characters(), max_size=300))
def test_shown_text_holds_nothing_that_could_be_markup_or_break_xml(text):
    said = shown(text)
    assert not re.search(r'[<>"\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]', said)
    assert not re.search(r"&(?!amp;|lt;|gt;|quot;|#x27;)", said)
    said.encode()


@given(st.text(st.characters(), max_size=60), st.text(st.characters(), max_size=60))
def test_keys_are_plain_and_tell_names_apart(one, other):
    assert re.fullmatch(r"[A-Za-z0-9_.~%-]*", key(one))
    assert (key(one) == key(other)) == (one == other)


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("dois\nnomes\te  espaços ", "dois nomes e espaços"),
        ("nulo\x00aqui", "nuloaqui"),
        ("\ud800meio", "meio"),
        ("\u202eotxet", "otxet"),
        ("a" * 300, "a" * (LONGEST - 1) + "…"),
        ("ação → ≥ 3 👍", "ação → ≥ 3 👍"),
    ],
)
def test_text_is_one_clean_line(typed, drawn):
    assert clean(typed) == drawn


def test_backslashes_are_doubled_because_graphviz_replaces_pairs():
    assert escaped(r"a\Nb") == r"a\\Nb"


def test_widths_are_those_of_arial():
    assert width("mensagem", 1000) == 833 + 556 + 556 + 500 + 556 + 556 + 556 + 833
    assert width("ção", 11) == width("cao", 11)
    assert width("NOVO", 12, bold=True) > 12 * 2.8
    assert width("", 12) == 0
    assert width("日", 10) == 10
