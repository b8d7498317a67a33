from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import edits
from engine.core.document import read
from engine.core.errors import NotFound, Refused
from engine.samples import tree as sample
from tests.core.documents import small

EDITS = [
    {"op": "set_title", "value": "Outro"},
    {"op": "set_debounce", "value": {"quiet": "1s"}},
    {"op": "set_flow", "field": "timezone", "value": "UTC"},
    {"op": "set_setting", "field": "quiet_hours", "value": None},
    {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "2h"},
    {"op": "add_state", "id": "AJUDA", "fields": {"deadline": "1h"}},
    {"op": "rename_state", "id": "FALANDO", "name": "CONVERSANDO"},
    {"op": "delete_state", "id": "FALANDO", "redirect_to": "NOVO"},
    {"op": "set_transition", "id": "t2", "field": "when", "value": "toques >= 3"},
    {"op": "set_transition", "id": "g1", "field": "except", "value": None},
    {"op": "add_transition", "fields": {"from": "NOVO", "on": "preco", "to": "FALANDO"}},
    {"op": "delete_transition", "id": "t2"},
    {"op": "set_action", "id": "oi", "field": "text", "value": "Olá"},
    {"op": "add_action", "id": "tchau", "fields": {"kind": "send", "text": "Tchau"}},
    {"op": "rename_action", "id": "oi", "name": "ola"},
    {"op": "set_event", "id": "preco", "field": "priority", "value": 30},
    {"op": "add_event", "id": "quer", "fields": {"source": "message", "falls_back_to": "msg"}},
    {"op": "rename_event", "id": "preco", "name": "valor"},
    {"op": "set_field", "id": "toques", "field": "max", "value": 5},
    {"op": "add_field", "id": "vip", "fields": {"type": "bool"}},
    {"op": "ignore", "state": "PAGO", "event": "preco"},
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["op"])
def test_an_edit_gives_a_new_valid_tree_and_leaves_the_old_one_alone(edit):
    before = small()

    after = edits.apply(before, edit)

    assert before == small()
    assert after != before
    read(after)


def test_a_field_is_set_by_its_own_name():
    after = edits.apply(small(), {"op": "set_transition", "id": "t2", "field": "when", "value": "toques >= 3"})

    assert after["transitions"][1]["when"] == "toques >= 3"


def test_none_takes_a_field_out():
    after = edits.set_transition(small(), "t2", "when", None)

    assert "when" not in after["transitions"][1]


def test_a_setting_keeps_its_null():
    """R37: `quiet_hours: null` switches them off."""
    assert edits.set_setting(small(), "quiet_hours", None)["settings"] == {"quiet_hours": None}


def test_a_state_is_renamed_wherever_it_stands():
    tree = small(
        rules=[
            {"never": {"do": "oi"}, "after": {"state": "PAGO"}},
            {"always": "pago", "leads_to": ["PAGO"]},
            {"only_after": {"state": "PAGO"}, "do": "oi"},
        ]
    )

    after = edits.rename_state(tree, "PAGO", "COMPROU")

    assert "PAGO" not in str(after)
    assert list(after["states"]) == ["NOVO", "FALANDO", "COMPROU"]
    read(after)


def test_an_event_and_an_action_are_renamed_wherever_they_stand():
    tree = sample("venda")

    tree = edits.rename_event(tree, "pix_gerado", "pix_criado")
    tree = edits.rename_action(tree, "entregar_acesso", "liberar")

    assert "'pix_gerado'" not in str(tree)
    assert "'entregar_acesso'" not in str(tree).replace("'name': 'entregar_acesso'", "")
    read(tree)


def test_buttons_that_mean_an_event_follow_its_name_and_do_not_keep_it():
    tree = small()
    rows = {"button": "Ver", "rows": [{"id": "preco", "title": "Preço"}]}
    tree["actions"]["oi"] |= {"text": "Oi", "buttons": [{"id": "preco", "title": "Preço"}, {"id": "x", "title": "X"}]}
    tree["actions"]["menu"] = {"kind": "send", "text": "Oi", "list": rows}
    before = str(tree)

    renamed = edits.rename_event(tree, "preco", "valor")

    assert [button["id"] for button in renamed["actions"]["oi"]["buttons"]] == ["valor", "x"]
    assert renamed["actions"]["menu"]["list"]["rows"][0]["id"] == "valor"
    assert str(tree) == before
    alone = {**tree, "transitions": [], "globals": [], "ignore": [], "rules": []}
    assert "preco" not in edits.delete_event(alone, "preco")["events"]


def test_the_arrows_of_a_deleted_state_go_or_turn():
    tree = small(globals=[], ignore=[])
    tree["transitions"].append({"id": "t4", "from": "NOVO", "on": "preco", "to": "PAGO"})

    gone = edits.delete_state(tree, "PAGO")
    turned = edits.delete_state(tree, "PAGO", "NOVO")

    assert [t["id"] for t in gone["transitions"]] == ["t1", "t2"]
    assert [t["to"] for t in turned["transitions"]] == ["FALANDO", "FALANDO", "NOVO", "NOVO"]


def test_a_deleted_state_is_no_exception_any_more():
    tree = small()
    tree["globals"][0]["except"] = ["FALANDO", "PAGO"]

    assert edits.delete_state(tree, "FALANDO")["globals"][0]["except"] == ["PAGO"]


def test_the_next_id_follows_the_highest_one():
    assert edits.fresh_id(small()) == "t4"
    assert edits.fresh_id(small(transitions=[])) == "t1"
    assert edits.add_transition(small(), {"on": "msg", "to": "NOVO"})["globals"][-1]["id"] == "g2"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ({"op": "voar"}, "unknown_edit"),
        ({"op": "set_state", "id": "NOVO"}, "bad_edit"),
        ({"op": "set_state", "id": "NOVO", "field": "cor", "value": 1}, "unknown_field"),
        ({"op": "set_flow", "field": "schema", "value": 2}, "unknown_field"),
        ({"op": "add_state", "id": "NOVO", "fields": {}}, "name_taken"),
        ({"op": "add_state", "id": "não pode", "fields": {}}, "bad_name"),
        ({"op": "add_state", "id": "X", "fields": 1}, "bad_edit"),
        ({"op": "rename_state", "id": "NOVO", "name": "PAGO"}, "name_taken"),
        ({"op": "delete_state", "id": "NOVO"}, "initial_state"),
        ({"op": "delete_state", "id": "NOVO", "redirect_to": "NOVO"}, "same_state"),
        ({"op": "set_transition", "id": "g1", "field": "from", "value": "NOVO"}, "unknown_field"),
        ({"op": "set_transition", "id": "t1", "field": "except", "value": []}, "unknown_field"),
        ({"op": "set_transition", "id": "t1", "field": "id", "value": "x"}, "unknown_field"),
        ({"op": "add_transition", "fields": {"id": "t1", "from": "NOVO"}}, "name_taken"),
        ({"op": "add_transition", "fields": {"cor": 1}}, "unknown_field"),
        ({"op": "delete_action", "id": "oi"}, "used_by_transition"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(edit, code):
    with pytest.raises(Refused) as refused:
        edits.apply(small(), edit)

    assert refused.value.code == code


def test_a_state_that_a_rule_names_is_not_deleted_without_a_way_out():
    tree = small(rules=[{"always": "pago", "leads_to": "FALANDO"}])

    with pytest.raises(Refused):
        edits.delete_state(tree, "FALANDO")
    assert edits.delete_state(tree, "FALANDO", "PAGO")["rules"] == [{"always": "pago", "leads_to": "PAGO"}]


def test_an_unused_action_is_deleted_and_one_in_a_rule_is_not():
    tree = edits.add_action(small(), "tchau", {"kind": "send", "text": "Tchau"})

    assert edits.delete_action(tree, "tchau") == small()
    with pytest.raises(Refused):
        edits.delete_action({**tree, "rules": [{"at_most": 1, "do": "tchau"}]}, "tchau")


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "set_state", "id": "X", "field": "look", "value": "talk"},
        {"op": "set_transition", "id": "t99", "field": "to", "value": "NOVO"},
        {"op": "delete_transition", "id": "t99"},
        {"op": "delete_state", "id": "X"},
        {"op": "delete_state", "id": "FALANDO", "redirect_to": "X"},
        {"op": "delete_action", "id": "x"},
        {"op": "rename_event", "id": "x", "name": "y"},
        {"op": "ignore", "state": "X", "event": "msg"},
    ],
)
def test_what_is_not_there_is_not_found(edit):
    with pytest.raises(NotFound):
        edits.apply(small(), edit)


SAMPLES = [sample("venda"), sample("venda-literal")]


@settings(deadline=None, max_examples=8)
@given(st.sampled_from(SAMPLES), st.data())
def test_renaming_there_and_back_changes_nothing(tree, data):
    before = deepcopy(tree)
    name = data.draw(st.sampled_from(sorted(tree["states"])))

    there = edits.rename_state(tree, name, "OUTRO_NOME")
    back = edits.rename_state(there, "OUTRO_NOME", name)

    assert tree == before
    assert read(back).sha256 == read(before).sha256
