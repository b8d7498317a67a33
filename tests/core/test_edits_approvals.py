"""The switch of an arrow: on and off again is the same document, and what waits meanwhile is a whole flow (R7)."""

from copy import deepcopy

import pytest

from engine.core import edits
from engine.core.checks.run import check
from engine.core.document import read
from engine.core.edits_approvals import approval_of
from engine.core.errors import NotFound, Refused
from tests.core.documents import small

WAITING = "APROVAR_T1"


def asking(ident="t1", **changes):
    return edits.apply(small(**changes), {"op": "ask_approval", "id": ident})


def arrows(tree, **fields):
    return [row for row in (*tree["transitions"], *tree["globals"]) if fields.items() <= row.items()]


def refusal(tree, op, ident="t1"):
    with pytest.raises(Refused) as refused:
        edits.apply(tree, {"op": op, "id": ident})
    return refused.value.code


def silences(**fields):
    """The small flow with a message after a silence."""
    rows = deepcopy(small()["transitions"])
    rows[1] |= {"do": ["oi"], "set": {"toques": "toques + 1"}, **fields}
    return rows


def test_what_an_arrow_sends_waits_in_a_state_of_its_own_and_leaves_with_the_approval():
    tree = asking()

    assert tree["states"][WAITING] == {"kind": "approval", "deadline": "30m"}
    assert arrows(tree, id="t1") == [{"id": "t1", "from": "NOVO", "on": "msg", "to": WAITING}]
    assert arrows(tree, **{"from": WAITING}) == [
        {"id": "t4", "from": WAITING, "on": "approved", "to": "FALANDO", "do": ["oi"]},
        {"id": "t5", "from": WAITING, "on": "rejected", "to": "NOVO"},
        {"id": "t6", "from": WAITING, "on": "timeout", "to": "NOVO"},
    ]
    assert approval_of(tree, "t1") == WAITING
    assert approval_of(small(), "t1") == ""


def test_after_a_silence_the_conversation_goes_on_where_it_led_so_that_nobody_is_asked_for_ever():
    tree = asking("t2", transitions=silences())

    assert arrows(tree, id="t2")[0]["set"] == {"toques": "toques + 1"}, "it counts whether or not somebody approves"
    assert [row["to"] for row in arrows(tree, **{"from": "APROVAR_T2"})] == ["FALANDO"] * 3
    assert not [found for found in check(read(tree)) if found.code == "S7"]


def test_messages_meanwhile_are_left_to_the_person_and_payments_are_not():
    tree = asking()
    flow = read(tree)

    assert tree["ignore"][-1] == {"state": WAITING, "on": ["msg", "preco"]}
    assert [arrow.id for arrow in flow.global_group(WAITING, "pago")] == ["g1"]


def test_an_arrow_of_any_state_that_spares_the_origin_spares_the_state_that_waits():
    spared = asking(globals=[{"id": "g1", "on": "pago", "to": "PAGO", "except": ["PAGO", "NOVO"]}])

    assert spared["globals"][0]["except"] == ["PAGO", "NOVO", WAITING]


def test_a_state_of_that_name_is_left_alone_and_the_phase_is_that_of_the_origin():
    states = {**small()["states"], WAITING: {"kind": "final"}, "NOVO": {"deadline": "1d", "phase": "Entrada"}}

    tree = asking(states=states, ignore=None)

    assert tree["states"]["APROVAR_T1_2"] == {"kind": "approval", "deadline": "30m", "phase": "Entrada"}


@pytest.mark.parametrize("code", ["S3", "S4", "S5", "S6", "S7", "G1", "G2"])
def test_what_it_makes_has_no_fault_that_was_not_there(code):
    def found(tree):
        return sum(one.code == code for one in check(read(tree)))

    assert found(asking()) == found(small())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ignore": None},
        {"globals": [{"id": "g1", "on": "pago", "to": "PAGO", "except": ["NOVO", "PAGO"]}]},
        {"rules": [{"never": {"do": "oi"}, "after": {"state": "PAGO"}}]},
    ],
)
@pytest.mark.parametrize("ident", ["t1", "t2"])
def test_on_and_off_again_is_the_same_document(changes, ident):
    tree = small(transitions=silences(), **changes)

    there = edits.apply(tree, {"op": "ask_approval", "id": ident})

    assert there != tree
    assert edits.apply(there, {"op": "drop_approval", "id": ident}) == tree


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("approval_nothing", {"do": None}),
        ("approval_variant", {"share": 50}),
        ("approval_keeps_deadline", {"keep_deadline": True}),
        ("approval_back", {"to": "@previous"}),
        ("approval_event_value", {"do": ["recibo"]}),
        ("approval_everywhere", {"from": None}),
    ],
)
def test_an_arrow_that_cannot_wait_says_why(code, changed):
    tree = small(actions={"oi": {"kind": "send", "text": "Oi"}, "recibo": {"kind": "send", "text": "Pago: {event.x}"}})
    row = {**tree["transitions"][0], **changed}
    tree["transitions"][0] = {key: value for key, value in row.items() if value is not None}

    assert refusal(tree, "ask_approval") == code


def test_an_arrow_asks_once_and_a_decision_asks_nobody():
    assert refusal(asking(), "ask_approval") == "approval_asked"
    assert refusal(asking(), "ask_approval", "t4") == "approval_asked"
    assert refusal(small(), "drop_approval") == "approval_absent"
    with pytest.raises(NotFound):
        edits.apply(small(), {"op": "ask_approval", "id": "t99"})


@pytest.mark.parametrize(
    "more",
    [
        {"id": "t9", "from": "FALANDO", "on": "msg", "to": WAITING},
        {"id": "t9", "from": WAITING, "on": "msg", "to": "FALANDO"},
        {"id": "t9", "from": WAITING, "on": "approved", "to": "PAGO", "when": "toques > 1"},
    ],
)
def test_a_state_that_does_more_is_not_thrown_away(more):
    tree = asking()

    assert refusal({**tree, "transitions": [*tree["transitions"], more]}, "drop_approval") == "approval_shared"


def test_a_rejection_that_says_something_keeps_what_it_says():
    tree = asking()
    for row in arrows(tree, on="rejected"):
        row["do"] = ["oi"]

    assert refusal(tree, "drop_approval") == "approval_shared"
