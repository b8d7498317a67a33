"""Where people go whose state a new version lacks: the map, and what it proposes."""

import json

from engine.core.document import read
from engine.core.places import Plan, listed, open_places, plan_of, proposals
from tests.services.small_flow import TREE, small, without_talk


def renamed(**more):
    return read(json.loads(json.dumps(small(**more)).replace('"CONVERSA"', '"PAPO"')))


def test_a_plan_comes_back_from_json_as_it_was():
    for plan in (Plan(), Plan(follow=False), Plan(places={}), Plan(places={(3, "A:B"): None, (1, "A"): "C"})):
        assert plan_of(json.loads(json.dumps(listed(plan)))) == plan


def test_a_renamed_state_is_proposed():
    assert proposals(read(TREE), renamed()) == {"CONVERSA": "PAPO"}


def test_nothing_is_proposed_for_a_state_that_is_simply_gone():
    assert proposals(read(TREE), read(without_talk())) == {}


def test_a_new_state_with_other_arrows_is_no_proposal():
    tree = without_talk()
    tree["states"]["PAPO"] = {"deadline": "2d", "note": "sobre o curso"}
    tree["transitions"] += [{"id": "t9", "from": "PAPO", "on": "timeout", "to": "FIM"}]
    assert proposals(read(TREE), read(tree)) == {}


def test_of_two_that_are_equally_alike_none_is_proposed():
    tree = json.loads(json.dumps(small()).replace('"CONVERSA"', '"PAPO"'))
    tree["states"]["PROSA"] = tree["states"]["PAPO"]
    tree["transitions"][3]["from"] = "PROSA"
    tree["transitions"][0]["to"] = "FIM"
    assert proposals(read(TREE), read(tree)) == {}


def test_nobody_is_put_where_it_would_opt_them_out():
    """R75."""
    tree = small()
    tree["states"]["SAIU"] = {"kind": "optout"}
    assert "SAIU" not in open_places(read(tree))
    assert set(open_places(read(TREE))) == set(TREE["states"])
