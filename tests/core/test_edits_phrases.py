"""Edits of the understanding: one phrase at a time."""

import copy

import pytest

from engine.core import edits
from engine.core.errors import NotFound, Refused
from tests.services.small_flow import small

EVENTS = {
    "msg_recebida": {"source": "message"},
    "preco": {"source": "message", "falls_back_to": "msg_recebida", "priority": 20},
    "parar": {"source": "message", "falls_back_to": "msg_recebida"},
}
RULES = [
    {"event": "preco", "any": ["quanto custa", "Preço"], "none": ["preço da entrega"]},
    {"event": "parar", "any": ["parar"]},
    {"event": "preco", "any": ["valor"]},
]


def tree(rules=RULES):
    return small(events=EVENTS, understanding=copy.deepcopy(rules))


def add(event, phrase, **more):
    return {"op": "add_phrase", "event": event, "phrase": phrase, **more}


def gone(event, phrase, **more):
    return {"op": "delete_phrase", "event": event, "phrase": phrase, **more}


def understanding(document):
    return document["understanding"]


def test_a_phrase_joins_the_first_rule_of_its_event_or_the_one_that_is_named():
    first = understanding(edits.apply(tree(), add("preco", "  quanto \n fica ")))
    third = understanding(edits.apply(tree(), add("preco", "quanto fica", at=2)))
    foreign = understanding(edits.apply(tree(), add("preco", "quanto fica", at=1)))

    assert first[0]["any"] == ["quanto custa", "Preço", "quanto fica"]
    assert third[2]["any"] == ["valor", "quanto fica"]
    assert foreign == first


def test_an_event_without_a_rule_gets_one_and_a_phrase_against_needs_one_for_it():
    made = edits.apply(tree([]), add("preco", "quanto custa"))

    assert understanding(made) == [{"event": "preco", "any": ["quanto custa"]}]
    with pytest.raises(Refused) as caught:
        edits.apply(tree([]), add("preco", "entrega", among="none"))
    assert caught.value.code == "rule_missing"
    assert understanding(edits.apply(tree(), add("parar", "sem parar", among="none")))[1]["none"] == ["sem parar"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (add("preco", "PRECO!"), "phrase_taken"),
        (add("preco", "valor"), "phrase_taken"),
        (add("preco", "preço da entrega", among="none"), "phrase_taken"),
        (add("preco", " 👍 "), "phrase_without_words"),
        (add("preco", "x", among="event"), "unknown_field"),
        (gone("preco", "valor", among="event"), "unknown_field"),
        ({"op": "add_understanding", "rule": {"event": "preco"}}, "bad_edit"),
        ({"op": "add_understanding", "rule": 7}, "bad_edit"),
        ({"op": "add_phrase", "event": "preco"}, "bad_edit"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(change, code):
    before = tree()
    with pytest.raises(Refused) as caught:
        edits.apply(before, change)
    assert caught.value.code == code
    assert before == tree()


def test_what_is_not_there_cannot_be_taken_away():
    for change in (
        add("nada", "x"),
        gone("preco", "parar"),
        gone("nada", "valor"),
        gone("preco", "valor", among="none"),
    ):
        with pytest.raises(NotFound):
            edits.apply(tree(), change)


def test_a_rule_with_buttons_stays_without_words():
    tapped = [{"event": "preco", "any": ["valor"], "buttons": ["ver_preco"]}]

    assert understanding(edits.apply(tree(tapped), gone("preco", "valor"))) == [
        {"event": "preco", "buttons": ["ver_preco"]}
    ]
    assert understanding(edits.apply(tree([]), {"op": "add_understanding", "rule": tapped[0]})) == tapped


def test_a_rule_that_looks_for_nothing_any_more_goes():
    assert understanding(edits.apply(tree(), gone("parar", "parar"))) == [RULES[0], RULES[2]]
    assert understanding(edits.apply(tree(), gone("preco", "preço da entrega", among="none")))[0] == {
        "event": "preco",
        "any": ["quanto custa", "Preço"],
    }
