"""What was expected against what happened: equal means equal, in order, in number and in kind."""

from dataclasses import replace

import pytest

from engine.services.scenarios.compare import Seen, differences

SEEN = Seen(
    conversations=(
        {
            "names": ["5541987654321", "9@lid", "src-1"], "identifiers": ["5541987654321", "9@lid"], "state": "PAGO",
            "opt_out": False, "ladder_step": 1, "deadline": 12.5, "phone": "5541987654321", "name": None,
            "context": {"n": 1, "on": True}, "tags": ["b", "a"], "needs_attention": False,
        },
        {"names": ["5541900000002"], "state": "NOVO", "opt_out": True},
    ),
    left=(("hello", None), ("access", "tx-1")),
    replies=2,
    records=(
        {"outcome": "sent", "n": 1, "at_about": 10.0, "list": [1, True], "reason": None},
        {"outcome": "sent", "n": 2, "at_about": 11.0, "reason": None},
        {"outcome": "moved", "at_about": 12.0, "reason": "x"},
        {"outcome": "sent", "n": 3, "at_about": 13.0, "reason": None},
    ),
    http=(200, None),
)  # fmt: skip


def conversation(**keys):
    return {"conversations": [{"contact": "5541987654321", **keys}]}


@pytest.mark.parametrize(
    "expect",
    [
        {},
        conversation(),
        {"conversations": [{"contact": "554187654321", "state": "PAGO"}]},
        {"conversations": [{"contact": "9@lid"}, {"contact": "src-1", "state": "PAGO"}]},
        conversation(identifiers=["9@lid", "554187654321"]),
        conversation(context={"n": 1}, phone="554187654321", deadline=12.5, name=None, tags=["a", "b"]),
        {"conversations": [{"count": 1, "state": "NOVO"}, {"count": 2}, {"count": 0, "state": "OPT_OUT"}]},
        {"replies": 2, "actions": ["hello", "access"], "http": [200, None]},
        {"actions": ["hello", "access:tx-1"]},
        {"log": [{"outcome": "sent"}, {"outcome": "sent"}, {"outcome": "sent"}]},
        {"log": [{"outcome": "sent", "times": 2}, {"outcome": "moved"}, {"outcome": "sent", "times": 1}]},
        {"log": [{"outcome": "sent", "times": 3}]},
        {"log": [{"outcome": "never", "times": 0}]},
        {"log": [{"at_about": 10.4}, {"at_about": 11.5}, {"reason": None}]},
        {"log": [{"list": [1, True]}]},
    ],
)
def test_what_happened_is_as_expected(expect):
    assert differences(expect, SEEN) == []


@pytest.mark.parametrize(
    "expect",
    [
        {"conversations": [{"contact": "5541987654322"}]},
        conversation(state="NOVO"),
        conversation(opt_out=True),
        conversation(opt_out=0),
        conversation(ladder_step=True),
        conversation(deadline=12.4),
        conversation(deadline=None),
        conversation(name=""),
        conversation(phone="5541987654322"),
        conversation(context={"n": 2}),
        conversation(context={"n": True}),
        conversation(context={"on": 1}),
        conversation(context={"m": 1}),
        conversation(identifiers=["9@lid"]),
        conversation(identifiers=["9@lid", "5541987654321", "src-1"]),
        conversation(identifiers=["9@lid", "5541987654322"]),
        conversation(tags=["a"]),
        {"conversations": [{"count": 2, "state": "NOVO"}]},
        {"conversations": [{"count": 0, "state": "NOVO"}]},
        {"conversations": [{"count": 1, "contact": "5541900000009"}]},
        {"conversations": [{"count": True, "state": "NOVO"}]},
        {"replies": 1},
        {"actions": ["hello"]},
        {"actions": ["access", "hello"]},
        {"actions": ["hello", "access:tx-2"]},
        {"actions": ["hello:x", "access"]},
        {"http": [200, 0]},
        {"http": [None, 200]},
        {"http": [200]},
        {"log": [{"outcome": "moved"}, {"outcome": "moved"}]},
        {"log": [{"outcome": "moved"}, {"outcome": "sent", "n": 2}]},
        {"log": [{"outcome": "sent", "times": 4}]},
        {"log": [{"outcome": "sent", "times": 2}]},
        {"log": [{"outcome": "sent", "times": 1}, {"outcome": "moved"}]},
        {"log": [{"outcome": "moved", "times": 0}]},
        {"log": [{"at_about": 8}]},
        {"log": [{"n": True}]},
        {"log": [{"nothing": None}]},
        {"log": [{"outcome": "moved", "reason": None}]},
        {"log": [{"list": [True, True]}]},
        {"log": [{"list": [1]}]},
    ],
)
def test_one_thing_that_is_not_as_expected_is_said(expect):
    assert len(differences(expect, SEEN)) == 1


def test_of_several_conversations_of_one_person_the_nearest_is_told():
    twice = replace(SEEN, conversations=(SEEN.conversations[0], {**SEEN.conversations[0], "state": "NOVO"}))
    assert differences(conversation(state="NOVO"), twice) == []
    assert differences(conversation(state="NOVO", opt_out=True), twice) == [
        "conversations[0].opt_out: True expected, False found"
    ]
