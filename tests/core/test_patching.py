"""What a change made of a document is kept as steps; making and unmaking them leads from one document to the other."""

import json
from copy import deepcopy

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import edits
from engine.core.canonical import canonical
from engine.core.patching import applied, as_data, clashes, from_data, inverse, patch, witness
from engine.samples import tree as sample
from tests.core.documents import small

VALUES = st.sampled_from(["a", "b", ["a"], ["a", "b"], {"x": 1}, None, 7, True])
ENTRY = st.dictionaries(st.sampled_from(["on", "to", "when", "set"]), VALUES, max_size=3)
ROWS = st.lists(ENTRY, max_size=5)
ARROWS = st.lists(st.sampled_from(["t1", "t2", "t3"]), unique=True).flatmap(
    lambda ids: st.tuples(*(ENTRY.map(lambda entry, i=i: {"id": i, **entry}) for i in ids)).map(list)
)
DOCUMENT = st.fixed_dictionaries(
    {"schema": st.just(1)},
    optional={
        "title": VALUES,
        "states": st.dictionaries(st.sampled_from(["A", "B"]), ENTRY, max_size=2),
        "transitions": ARROWS,
        "understanding": ROWS,
        "rules": ROWS,
    },
)


@given(DOCUMENT, DOCUMENT)
@settings(max_examples=150, deadline=None)
def test_the_steps_lead_from_one_document_to_the_other_and_back(old, new):
    steps = from_data(json.loads(json.dumps(as_data(patch(old, new)))))

    there = applied(old, steps)

    assert canonical(there) == canonical(new)
    assert canonical(applied(there, inverse(steps))) == canonical(old)
    assert clashes(old, steps) == () == clashes(new, inverse(steps))


def test_one_field_of_one_arrow_is_one_small_step():
    tree = sample("venda")
    after = edits.set_transition(tree, "t2", "when", "toques > 1")

    (step,) = patch(tree, after)

    assert step.place == ("transitions", "t2", "when")


def test_what_others_changed_elsewhere_stays_when_a_change_is_taken_back():
    tree = small()
    mine = edits.set_state(tree, "NOVO", "deadline", "2h")
    theirs = edits.add_phrase(edits.set_state(mine, "NOVO", "note", "x"), "preco", "quanto sai")

    back = applied(theirs, inverse(patch(tree, mine)))

    assert back["states"]["NOVO"] == {"deadline": "1d", "note": "x"}
    assert back["understanding"] == theirs["understanding"]


def test_rows_of_a_list_are_found_where_they_stand_by_now():
    tree = small(rules=[{"echo": 3}])
    mine = edits.add_rule(tree, {"window": "24h"})
    theirs = edits.add_rule(mine, {"no_nudge_unanswered": True}, 0)

    back = applied(theirs, inverse(patch(tree, mine)))

    assert back["rules"] == [{"no_nudge_unanswered": True}, {"echo": 3}]


def test_the_same_place_changed_by_somebody_else_is_a_clash_with_both_values():
    tree = small()
    steps = inverse(patch(tree, edits.set_state(tree, "NOVO", "deadline", "2h")))
    theirs = edits.set_state(tree, "NOVO", "deadline", "6h")

    (clash,) = clashes(theirs, steps)

    assert (clash.step.now, clash.there, clash.lost) == (("1d",), ("6h",), False)
    assert clashes(tree, steps) == ()
    assert witness((clash,)) != witness(clashes(edits.set_state(tree, "NOVO", "deadline", "7h"), steps))


def test_a_place_that_was_taken_out_is_lost_and_left_alone():
    tree = small()
    steps = inverse(patch(tree, edits.set_transition(tree, "t2", "when", "toques < 2")))
    theirs = edits.delete_transition(edits.delete_transition(tree, "t2"), "t3")

    (clash,) = clashes(theirs, steps)

    assert clash.lost
    assert applied(theirs, steps) == theirs
    before = deepcopy(theirs)
    assert theirs == before
