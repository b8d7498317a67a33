"""Edits of phrases as forms ask for them, and what takes them back."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core import edits
from engine.core.document import read
from engine.core.errors import Refused
from engine.core.folding import words
from tests.core.test_edits_phrases import add, gone, tree, understanding
from web.phrase_edits import changed_phrase, inverse, priority_edit, taught_phrase

PHRASE = st.text(alphabet="abcdé ", min_size=1, max_size=6).filter(words)


@st.composite
def rules(draw):
    """Rules in which no phrase stands twice: of equal words nobody can tell which was taken away."""
    phrases = draw(st.lists(PHRASE, min_size=1, max_size=12, unique_by=words))
    made = []
    while phrases:
        taken, vetoes = draw(st.integers(1, len(phrases))), draw(st.integers(0, 2))
        row = {"event": draw(st.sampled_from(["preco", "parar"])), "any": phrases[:taken]}
        against, phrases = phrases[taken : taken + vetoes], phrases[taken + vetoes :]
        made.append({**row, "none": against} if against else row)
    return made


def meaning(document):
    """The words of each rule; their order within it means nothing (R24), the order of rules does."""
    rows = [(row["event"], row["any"], row.get("none", [])) for row in understanding(document)]
    return [(event, sorted(map(words, phrases)), sorted(map(words, against))) for event, phrases, against in rows]


@given(rules(), st.data())
def test_taking_any_phrase_away_and_undoing_it_gives_the_same_meaning(made, data):
    before = tree(made)
    told = [(row["event"], phrase, among) for row in made for among in ("any", "none") for phrase in row.get(among, ())]
    event, phrase, among = data.draw(st.sampled_from(told))
    change = gone(event, phrase, among=among)
    after = edits.apply(before, change)
    read(after)
    [step] = inverse(before, change)

    assert meaning(after) != meaning(before)
    assert meaning(edits.apply(after, step)) == meaning(before)


@given(rules(), PHRASE)
def test_adding_a_phrase_and_undoing_it_gives_the_same_document(made, phrase):
    assume(all(words(phrase) != words(known) for row in made for known in row["any"]))
    before, change = tree(made), add("preco", phrase)
    [step] = inverse(before, change)

    assert edits.apply(edits.apply(before, change), step) == before


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
