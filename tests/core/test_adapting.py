"""A context taken to another version keeps what fits and starts the rest as new (R61); and what differs between trees."""

import pytest

from engine.core.adapting import adapting
from engine.core.changes import Change, changes
from engine.core.document import read
from engine.core.edit_targets import name_of, value_now, whole_now
from tests.services.small_flow import TREE, small, without_talk


def flow(**context):
    return read(small(context=context))


INT = {"type": "int", "default": 1, "min": 0, "max": 5}


def test_versions_with_the_same_fields_need_nothing():
    assert adapting(flow(a=INT), flow(a=dict(INT))) is None


@pytest.mark.parametrize(
    ("kept", "field", "expected"),
    [
        (3, INT, 3),
        (9, INT, 5),
        (-9, INT, 0),
        ("x", INT, 1),
        (True, INT, 1),
        (2.5, INT, 1),
        (3, {"type": "double", "default": 0.5}, 3),
        ("a", {"type": "enum", "values": ["a", "b"], "default": "b"}, "a"),
        ("z", {"type": "enum", "values": ["a", "b"], "default": "b"}, "b"),
        ("z", {"type": "enum", "values": ["a", "b"], "optional": True}, None),
        ("z", {"type": "text", "optional": True}, "z"),
        (("a",), {"type": "list", "default": []}, ("a",)),
        (True, {"type": "bool", "default": False}, True),
        (None, INT, 1),
    ],
)
def test_a_value_stays_when_it_fits(kept, field, expected):
    adapted = adapting(flow(), flow(a=field))({"a": kept, "gone": 1} if kept is not None else {"gone": 1})
    assert adapted == ({} if expected is None else {"a": expected})


def test_changes_name_what_is_new_gone_or_different():
    assert changes(TREE, TREE) == ()
    found = changes(TREE, {**without_talk(), "title": "Outro"})
    assert Change("flow", "title", "changed") in found
    assert Change("states", "CONVERSA", "removed") in found
    assert Change("transitions", "t1", "changed", ("to",)) in found
    assert Change("transitions", "t3", "removed") in found
    assert Change("states", "CONVERSA", "added") in changes(without_talk(), TREE)
    assert [change.kind for change in changes({}, TREE)] == ["added"] * len(changes({}, TREE))


@pytest.mark.parametrize(
    ("edit", "name", "value"),
    [
        ({"op": "set_title"}, "flow title", "Pequeno"),
        ({"op": "set_flow", "field": "initial"}, "flow initial", "NOVO"),
        ({"op": "set_setting", "field": "max_age"}, "setting max_age", None),
        ({"op": "set_state", "id": "NOVO", "field": "deadline"}, "state NOVO deadline", "1d"),
        ({"op": "set_field", "id": "toques", "field": "max"}, "field toques max", 9),
        ({"op": "set_action", "id": "oi", "field": "text"}, "action oi text", "Oi!"),
        ({"op": "set_event", "id": "nope", "field": "label"}, "event nope label", None),
        ({"op": "set_transition", "id": "t2", "field": "to"}, "transition t2 to", "FIM"),
    ],
)
def test_an_edit_is_about_one_place(edit, name, value):
    assert name_of(edit) == name
    assert value_now(TREE, edit) == value


def test_the_whole_entry_that_an_edit_is_about():
    assert whole_now(TREE, {"op": "delete_state", "id": "NOVO"}) == {"deadline": "1d"}
    assert whole_now(TREE, {"op": "delete_transition", "id": "t9"}) is None
