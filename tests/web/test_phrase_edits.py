"""Edits of phrases as forms ask for them."""

import pytest

from engine.core.errors import Refused
from web.phrase_edits import changed_phrase, priority_edit, taught_phrase


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"event": "preco", "phrase": "  "}, "phrase_missing"),
        ({"event": "preco", "phrase": "x" * 201}, "phrase_too_long"),
        ({"phrase": "quanto custa"}, "event_missing"),
    ],
)
def test_a_form_that_says_too_little_or_too_much_is_refused(form, code):
    for read_form in (changed_phrase, taught_phrase):
        with pytest.raises(Refused) as caught:
            read_form(form)
        assert caught.value.code == code


@pytest.mark.parametrize(("typed", "value"), [("20", 20), (" 0 ", 0), ("-5", -5)])
def test_a_strength_is_a_whole_number(typed, value):
    assert priority_edit({"event": "preco", "value": typed, "seen": "20"}) == {
        "op": "set_event", "id": "preco", "field": "priority", "value": value, "seen": 20,
    }  # fmt: skip


@pytest.mark.parametrize("typed", ["", "forte", "1.5", "--1", "9" * 15, "٤"])
def test_what_is_no_whole_number_is_no_strength(typed):
    with pytest.raises(Refused):
        priority_edit({"event": "preco", "value": typed})
