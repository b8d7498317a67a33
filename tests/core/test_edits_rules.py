"""Edits of safety rules: which rule is meant is said by its number and by how it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import edits
from engine.core.document import read
from engine.core.edit_targets import name_of, value_now, whole_now
from engine.core.errors import NotFound, Refused
from tests.services.small_flow import small

RULES = ({"window": "24h"}, {"echo": 3}, {"at_most": 1, "do": "oi"}, {"no_nudge_unanswered": True})


def rules(tree):
    return tree.get("rules", [])


def tree(*given_rules):
    return small(rules=[dict(rule) for rule in given_rules]) if given_rules else small()


def test_a_rule_is_added_at_the_end_or_at_its_place_and_the_flow_still_reads():
    first = edits.apply(tree(), {"op": "add_rule", "rule": {"window": "24h"}})
    second = edits.apply(first, {"op": "add_rule", "rule": {"echo": 3}, "at": 0})

    assert rules(second) == [{"echo": 3}, {"window": "24h"}]
    assert [rule.kind for rule in read(second).rules] == ["echo", "window"]


def test_a_rule_that_is_there_is_not_added_again_whatever_it_is_called():
    named = tree({"window": "24h", "label": "janela"})

    for change in ({"op": "add_rule", "rule": {"window": "24h"}},):
        with pytest.raises(Refused, match="rule_there"):
            edits.apply(named, change)
    with pytest.raises(Refused, match="rule_there"):
        edits.apply(tree(*RULES), {"op": "set_rule", "id": 1, "value": {"window": "24h"}})


@pytest.mark.parametrize("rule", [None, 7, [], {}, "window"])
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(Refused, match="bad_edit"):
        edits.apply(tree(), {"op": "add_rule", "rule": rule})
    with pytest.raises(Refused, match="bad_edit"):
        edits.apply(tree(*RULES), {"op": "set_rule", "id": 0, "value": rule})


def test_a_rule_is_found_where_it_stands_by_now():
    moved = tree(RULES[1], RULES[2])  # the first one was taken out meanwhile

    changed = edits.apply(moved, {"op": "set_rule", "id": 2, "was": RULES[2], "value": {"at_most": 2, "do": "oi"}})
    gone = edits.apply(moved, {"op": "delete_rule", "id": 2, "was": RULES[2]})

    assert rules(changed) == [RULES[1], {"at_most": 2, "do": "oi"}]
    assert rules(gone) == [RULES[1]]


def test_of_two_alike_the_nearer_one_is_meant():
    alike = small(rules=[{"echo": 3}, {"window": "24h"}, {"echo": 3}])

    assert rules(edits.apply(alike, {"op": "delete_rule", "id": 2, "was": {"echo": 3}})) == [
        {"echo": 3},
        {"window": "24h"},
    ]


@pytest.mark.parametrize("number", [4, -1, None, "0", True, 1.0])
def test_a_number_that_is_none_is_not_found(number):
    with pytest.raises(NotFound):
        edits.apply(tree(*RULES), {"op": "delete_rule", "id": number})
    with pytest.raises(NotFound):
        edits.apply(tree(*RULES), {"op": "set_rule", "id": number, "value": {"echo": 9}})


def test_a_rule_that_is_gone_is_not_found_and_the_very_same_change_is_none():
    change = {"op": "set_rule", "id": 1, "was": {"echo": 3}, "value": {"echo": 4}}

    with pytest.raises(NotFound):
        edits.apply(tree(RULES[0]), change)
    assert rules(edits.apply(tree(RULES[0], {"echo": 4}), change)) == [RULES[0], {"echo": 4}]


def test_the_list_goes_with_its_last_rule():
    assert "rules" not in edits.apply(tree({"echo": 3}), {"op": "delete_rule", "id": 0})


def test_what_a_change_is_about_is_the_rule_as_it_is_now():
    about = {"op": "set_rule", "id": 1, "was": {"echo": 3}, "of": 2, "value": {"echo": 4}}

    assert name_of(about) == "rule 1"
    assert value_now(tree({"echo": 3}, {"window": "24h"}), about) == {"echo": 3}, "it moved"
    assert value_now(tree({"window": "24h"}, {"echo": 5}), about) == {"echo": 5}, "somebody changed it"
    assert value_now(tree({"window": "24h"}), about) is None, "somebody took it out"
    assert value_now(tree({"echo": 9}, {"window": "24h"}, {"echo": 5}), about) is None, "nobody knows which one it was"
    assert whole_now(tree({"window": "24h"}, {"echo": 5}), {**about, "op": "delete_rule"}) == {"echo": 5}


@given(st.permutations(RULES), st.integers(0, 3))
def test_deleting_and_putting_back_gives_the_same_list(order, number):
    before = tree(*order)

    after = edits.apply(before, {"op": "delete_rule", "id": number, "was": order[number]})
    back = edits.apply(after, {"op": "add_rule", "rule": order[number], "at": number})

    assert rules(back) == rules(before)
