"""Rules that a flow would do well to have, told from the flow alone."""

import pytest

from engine import samples
from engine.core import edits
from engine.core.document import read
from engine.core.recommended_rules import recommended
from tests.services.small_flow import small

SALE = small(
    events={
        "msg_recebida": {"source": "message"},
        "quer_comprar": {"source": "message", "priority": 5},
        "parar": {"source": "message", "priority": 9},
        "pago": {"source": "payment"},
    },
    understanding=[{"event": "parar", "any": ["parar"]}, {"event": "quer_comprar", "any": ["quero"]}],
    actions={
        name: {"kind": "send", "text": name} for name in ("oi", "link", "cobrar", "acesso", "tchau", "nunca")
    },
    states={
        "NOVO": {"deadline": "1d"},
        "PIX": {"look": "payment", "deadline": "1d"},
        "PAGO": {"kind": "final", "look": "won"},
        "FORA": {"kind": "optout"},
    },
    transitions=[
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "NOVO", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "quer_comprar", "to": "PIX", "do": ["link"]},
        {"id": "t3", "from": "PIX", "on": "timeout", "to": "NOVO", "do": ["cobrar"]},
    ],
    globals=[
        {"id": "g1", "on": "pago", "to": "PAGO", "do": ["acesso"]},
        {"id": "g2", "on": "parar", "to": "FORA", "do": ["tchau"], "except": ["FORA"]},
    ],
    ignore=[],
)  # fmt: skip
ALL = [
    {"always": "parar", "leads_to": "FORA"},
    {"only_after": {"event": "pago"}, "do": "acesso"},
    {"at_most": 1, "do": "acesso"},
    {"never": {"do": "link"}, "after": {"state": "PAGO"}},
    {"window": "24h"},
    {"no_nudge_unanswered": True},
    {"at_most": 4, "sends_without_reply": True},
    {"echo": 3},
]


def without(*names):
    """The sale without some arrows."""
    return {
        **SALE, **{key: [row for row in SALE[key] if row["id"] not in names] for key in ("transitions", "globals")}
    }  # fmt: skip


def test_a_sale_that_says_nothing_of_safety_is_offered_all_that_it_can_name():
    assert list(recommended(read(SALE))) == ALL


@pytest.mark.parametrize("row", ALL)
def test_each_is_an_edit_that_reads_and_is_then_no_longer_offered(row):
    after = read(edits.apply(SALE, {"op": "add_rule", "rule": row}))

    assert len(after.rules) == 1
    assert list(recommended(after)) == [other for other in ALL if other != row]


@pytest.mark.parametrize(
    "own",
    [
        {"window": "20h"}, {"echo": 9}, {"at_most": 9, "sends_without_reply": True}, {"at_most": 2, "do": "acesso"},
        {"always": "parar", "leads_to": ["FORA", "PAGO"]}, {"only_after": {"state": "PIX"}, "do": "acesso"},
    ],
)  # fmt: skip
def test_a_rule_of_its_own_about_the_same_thing_is_enough(own):
    offered = recommended(read({**SALE, "rules": [own]}))

    assert len(offered) == len(ALL) - 1


@pytest.mark.parametrize(
    ("gone", "missing"),
    [
        (("g2",), [{"always": "parar", "leads_to": "FORA"}]),
        (("g1",), ALL[1:3]),
        (("t2",), [ALL[3]]),
        (("t3",), ALL[5:7]),
        (("t1",), [ALL[7]]),
    ],
)
def test_what_the_flow_cannot_name_is_not_offered(gone, missing):
    assert list(recommended(read(without(*gone)))) == [row for row in ALL if row not in missing]


def test_what_other_events_set_off_too_is_not_said_to_come_after_one_alone():
    twice = {
        **SALE,
        "transitions": [
            *SALE["transitions"],
            {"id": "t9", "from": "PIX", "on": "msg_recebida", "to": "PIX", "do": ["acesso"]},
        ],
    }

    assert [row for row in recommended(read(twice)) if row.get("do") == "acesso"] == []


def test_the_sample_is_offered_nothing_that_it_cannot_read():
    tree = samples.tree("venda")
    for row in recommended(read(tree)):
        tree = edits.apply(tree, {"op": "add_rule", "rule": row})

    assert recommended(read(tree)) == ()
