"""Edits of splits: they stay whole, whatever is done to one of their branches."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import edits
from engine.core.document import read
from engine.core.edit_targets import value_now, whole_now
from engine.core.errors import NotFound, Refused
from tests.core.documents import small


def shares(tree) -> dict[str, int | None]:
    rows = [*tree["transitions"], *tree["globals"]]
    return {row["id"]: row.get("share") for row in rows if row["id"].startswith(("t1", "g1"))}


def split(*, times: int = 1, ident: str = "t1"):
    tree = small()
    for _ in range(times):
        tree = edits.apply(tree, {"op": "split_transition", "id": ident})
    return tree


def refusal(tree, **edit) -> str:
    with pytest.raises(Refused) as refused:
        edits.apply(tree, edit)
    return refused.value.code


def test_an_arrow_gets_a_twin_that_does_the_same_for_half_of_the_contacts() -> None:
    tree = split()

    assert shares(tree) == {"t1": 50, "t1_b": 50, "g1": None}
    assert tree["transitions"][-1] == {**tree["transitions"][0], "id": "t1_b", "do": ["oi_b"]}
    assert tree["actions"]["oi_b"] == tree["actions"]["oi"]
    assert [read(tree).branches[name].letter for name in ("t1", "t1_b")] == ["A", "B"]


def test_every_safety_rule_holds_for_the_messages_of_a_variant_too() -> None:
    rules = [
        {"never": {"do": "oi"}, "after": {"state": "PAGO"}, "unless": ["oi"]},
        {"at_most": 1, "do": "oi"},
        {"only_after": {"do": "oi"}, "do": "oi"},
        {"echo": 3},
    ]
    tree = edits.split_transition(small(rules=rules), "t1")

    assert tree["rules"] == [
        {"never": {"do": "oi"}, "after": {"state": "PAGO"}, "unless": ["oi", "oi_b"]},
        *rules[1:],
        {"never": {"do": "oi_b"}, "after": {"state": "PAGO"}, "unless": ["oi", "oi_b"]},
        {"at_most": 1, "do": "oi_b"},
        {"only_after": {"do": "oi_b"}, "do": "oi_b"},
    ]
    assert len(read(tree).rules) == 7
    assert small(rules=rules)["rules"] == rules


def test_what_is_no_message_is_done_by_both_and_names_stay_apart() -> None:
    tree = small()
    tree["actions"] |= {"avisar": {"kind": "notify", "text": "x"}, "oi_b": {"kind": "send", "text": "Outro"}}
    tree["transitions"][0]["do"] = ["oi", "avisar"]

    twin = edits.split_transition(tree, "t1")["transitions"][-1]

    assert twin["do"] == ["oi_b_", "avisar"]


def test_an_arrow_from_anywhere_can_be_split_too() -> None:
    assert shares(split(ident="g1")) == {"t1": None, "g1": 50, "g1_b": 50}


def test_another_twin_takes_half_of_the_last_branch_and_of_no_other() -> None:
    tree = split(times=3)

    assert shares(tree) == {"t1": 50, "t1_b": 25, "t1_c": 13, "t1_d": 12, "g1": None}
    read(tree)
    assert refusal(split(times=6), op="split_transition", id="t1") == "too_many_variants"


def test_a_twin_gets_an_id_that_nobody_has() -> None:
    taken = edits.apply(small(), {"op": "add_transition", "fields": {"id": "t1_b", "on": "preco", "to": "PAGO"}})

    assert "t1_c" in read(edits.split_transition(taken, "t1")).arrows


def test_shares_are_set_for_all_branches_at_once() -> None:
    tree = edits.apply(split(), {"op": "set_shares", "id": "t1_b", "value": {"t1": 90, "t1_b": 10}})

    assert shares(tree)["t1_b"] == 10
    assert value_now(tree, {"op": "set_shares", "id": "t1"}) == {"t1": 90, "t1_b": 10}
    for wrong in ({"t1": 60, "t1_b": 50}, {"t1": 101, "t1_b": -1}, {"t1": "50", "t1_b": 50}):
        assert refusal(tree, op="set_shares", id="t1", value=wrong) == "shares_sum"
    for wrong in ({"t1": 100}, {"t1": 50, "t2": 50}, "half", None):
        assert refusal(tree, op="set_shares", id="t1", value=wrong) == "not_split"
    assert refusal(tree, op="set_shares", id="t2", value={"t2": 100}) == "not_split"


def test_the_winner_of_a_test_stays_for_everybody() -> None:
    tree = edits.apply(split(times=2), {"op": "end_split", "id": "t1_b"})

    assert "t1" not in shares(tree)
    assert shares(tree) == {"t1_b": None, "g1": None}
    assert read(tree).branches == {}
    assert refusal(tree, op="end_split", id="t1_b") == "not_split"


def test_what_a_branch_loses_goes_to_the_others_and_one_alone_is_no_split() -> None:
    two = edits.delete_transition(split(times=2), "t1")
    assert shares(two) == {"t1_b": 50, "t1_c": 50, "g1": None}
    assert shares(edits.delete_transition(two, "t1_c")) == {"t1_b": None, "g1": None}

    uneven = edits.set_shares(split(times=2), "t1", {"t1": 34, "t1_b": 33, "t1_c": 33})
    assert shares(edits.delete_transition(uneven, "t1_c")) == {"t1": 51, "t1_b": 49, "g1": None}

    unused = edits.set_shares(split(times=2), "t1", {"t1": 100, "t1_b": 0, "t1_c": 0})
    assert shares(edits.delete_transition(unused, "t1")) == {"t1_b": 50, "t1_c": 50, "g1": None}


def test_what_all_branches_have_in_common_is_set_for_all_of_them() -> None:
    tree = split()
    for field, value in (("when", "toques<3"), ("on", "preco"), ("from", "PAGO"), ("when", "toques < 2")):
        tree = edits.set_transition(tree, "t1_b", field, value)
        read(tree)

    assert [(row["from"], row["on"], row["when"]) for row in tree["transitions"] if row["id"].startswith("t1")] == [
        ("PAGO", "preco", "toques < 2")
    ] * 2
    aside = edits.set_transition(tree, "t1_b", "to", "PAGO")
    assert [row["to"] for row in aside["transitions"] if row["id"].startswith("t1")] == ["FALANDO", "PAGO"]
    anywhere = edits.set_transition(split(ident="g1"), "g1", "except", ["NOVO", "PAGO"])
    assert [row["except"] for row in anywhere["globals"]] == [["NOVO", "PAGO"]] * 2


def test_conditions_that_differ_in_spaces_alone_are_one_split() -> None:
    tree = edits.set_transition(split(), "t1", "when", "toques < 3")
    tree["transitions"][0]["when"] = "toques<3"

    assert shares(edits.end_split(tree, "t1")) == {"t1": None, "g1": None}
    tree["transitions"][0]["when"] = "toques < '"
    assert edits.delete_split(tree, "t1")["transitions"][-1]["id"] == "t1_b"


def test_a_state_that_goes_takes_its_branch_along_and_leaves_a_whole_flow() -> None:
    tree = edits.set_transition(split(times=2), "t1_b", "to", "PAGO")
    tree = edits.add_state(tree, "LONGE", {"kind": "final"})
    tree = edits.set_transition(tree, "t1_c", "to", "LONGE")

    left = edits.delete_state(tree, "LONGE")

    assert shares(left) == {"t1": 67, "t1_b": 33, "g1": None}
    read(left)
    assert read(edits.rename_state(tree, "NOVO", "ENTRADA")).branches.keys() == {"t1", "t1_b", "t1_c"}


def test_all_branches_of_a_split_are_deleted_together() -> None:
    tree = split(times=2)

    assert whole_now(tree, {"op": "delete_split", "id": "t1"}) == [
        row for row in tree["transitions"] if row["id"].startswith("t1")
    ]
    assert shares(edits.apply(tree, {"op": "delete_split", "id": "t1_b"})) == {"g1": None}
    with pytest.raises(NotFound):
        edits.delete_split(tree, "t99")
    assert whole_now(tree, {"op": "delete_split", "id": "t99"}) is None


@given(st.integers(0, 2**40))
def test_whatever_is_done_in_whatever_order_the_document_is_valid(seed: int) -> None:
    rng, tree = Random(seed), small()
    for _ in range(12):
        names = list(read(tree).arrows)
        name = rng.choice(names)
        doing = rng.choice(("split", "split", "end", "delete", "when", "shares"))
        with suppress(Refused):
            if doing == "split":
                tree = edits.split_transition(tree, name)
            elif doing == "end":
                tree = edits.end_split(tree, name)
            elif doing == "delete" and len(names) > 4:
                tree = edits.delete_transition(tree, name)
            elif doing == "when" and name.startswith("t1"):
                tree = edits.set_transition(tree, name, "when", rng.choice(("toques < 3", "toques <3", None)))
            elif doing == "shares":
                now = value_now(tree, {"op": "set_shares", "id": name})
                cuts = sorted(rng.randint(0, 100) for _ in range(len(now) - 1))
                parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
                tree = edits.set_shares(tree, name, dict(zip(now, parts, strict=True)))
        read(tree)
