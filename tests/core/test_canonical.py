import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.canonical import canonical, digest
from tests.core.documents import small

TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def test_keys_are_sorted_and_there_is_no_white_space():
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'


def test_order_of_arrows_says_nothing():
    tree = small()
    turned = small(transitions=tree["transitions"][::-1], ignore=tree["ignore"][::-1])

    assert digest(tree) == digest(turned)


def test_order_of_actions_ladders_and_rules_says_something():
    tree = small()
    tree["states"]["FALANDO"]["deadline"] = ["1d", "20h"]
    assert digest(tree) != digest(small())

    tree = small()
    tree["transitions"][0]["do"] = ["a", "b"]
    other = small()
    other["transitions"][0]["do"] = ["b", "a"]
    assert digest(tree) != digest(other)


def test_exceptions_are_a_set():
    one, other = small(), small()
    one["globals"][0]["except"] = ["PAGO", "NOVO"]
    other["globals"][0]["except"] = ["NOVO", "PAGO"]

    assert digest(one) == digest(other)


def test_lists_of_what_is_no_document_keep_their_order():
    assert canonical({"transitions": ["t2", "t1"]}) == '{"transitions":["t2","t1"]}'


def test_whole_numbers_have_one_spelling():
    assert canonical([1.0, 1, -0.0, 0.5]) == "[1,1,0,0.5]"


@pytest.mark.parametrize("value", [float("nan"), {1: 2}, object(), {"a": {3}}, b"x"])
def test_what_json_cannot_say_is_refused(value):
    with pytest.raises(ValueError):
        canonical(value)


@settings(deadline=None)
@given(TREES, st.randoms(use_true_random=False))
def test_the_form_reads_back_and_does_not_depend_on_the_order_of_keys(tree, random_: random.Random):
    def shuffled(value):
        if isinstance(value, dict):
            keys = list(value)
            random_.shuffle(keys)
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(entry) for entry in value] if isinstance(value, list) else value

    assert canonical(shuffled(tree)) == canonical(tree)
    assert json.loads(canonical(tree)) == tree


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_whole_text_has_a_digest(text):
    assert len(digest({"a": text})) == 64


@pytest.mark.parametrize("half", ["\ud800", "a\udfff", "\ude00\ud83d"])
def test_half_a_character_has_no_digest(half):
    """It cannot be stored in UTF-8, and a digest of something that cannot be stored identifies nothing."""
    with pytest.raises(ValueError):
        digest({"a": half})
