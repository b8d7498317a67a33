"""A scenario file is read strictly: what nobody knows is an error that says where, never something skipped."""

import copy
import json

import pytest

from engine.core.errors import InvalidDocument
from engine.services.scenarios.reading import load
from engine.services.scenarios.run import play

GOOD = {
    "case": "one",
    "setup": {
        "flow": "venda",
        "channel": {"kind": "whatsapp_cloud"},
        "sources": [{"platform": "hotmart"}],
        "conversations": [{"contact": "5541900000001", "state": "PAGO", "identities": {"lid": "9@lid"}}],
        "outbox": [{"id": 1, "contact": "5541900000001", "action": "pos_venda"}],
        "inbound": [{"id": "a", "contact": "5541900000001"}],
        "faults": [{"at": 0, "what": "workers", "count": 2}],
    },
    "inputs": [
        {"at": 0, "kind": "clock", "payload": {"advance_to": 1}},
        {"at": 0, "kind": "restart", "payload": {"what": ["web"]}},
        {"at": 0, "kind": "send_result", "payload": {"outbox": 1, "status": 200}},
        {"at": 0, "kind": "operator", "payload": {"action": "pause", "conversation": "5541900000001"}},
        {"at": 0, "kind": "whatsapp_cloud", "payload": {"a": "b"}, "generate": {"field": "a", "bytes": 3}},
    ],
    "expect": {"conversations": [{"contact": "5541900000001"}], "log": [{"outcome": "sent", "times": 0}]},
}


def written(tmp_path, tree):
    path = tmp_path / "case.json"
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree))
    return path


def changed(place, value):
    tree = copy.deepcopy(GOOD)
    holder = tree
    *parents, last = place
    for name in parents:
        holder = holder[name]
    holder[last] = value
    return tree


def mistakes(tmp_path, tree):
    with pytest.raises(InvalidDocument) as refused:
        load(written(tmp_path, tree), frozenset({"hotmart"}))
    return [str(mistake) for mistake in refused.value.mistakes]


def test_a_good_file_is_read_in_order_of_time(tmp_path):
    tree = changed(("inputs", 0, "at"), 5)
    scenario = load(written(tmp_path, tree), frozenset({"hotmart"}))
    assert [row["index"] for row in scenario.inputs] == [1, 2, 3, 4, 0]


UNKNOWN_KEYS = [
    ("nonsense",), ("setup", "nonsense"), ("setup", "channel", "nonsense"), ("setup", "conversations", 0, "nonsense"),
    ("setup", "conversations", 0, "identities", "nonsense"), ("setup", "outbox", 0, "nonsense"),
    ("setup", "inbound", 0, "nonsense"), ("setup", "faults", 0, "nonsense"), ("inputs", 0, "nonsense"),
    ("inputs", 0, "payload", "nonsense"), ("inputs", 1, "payload", "nonsense"), ("inputs", 2, "payload", "nonsense"),
    ("inputs", 3, "payload", "nonsense"), ("inputs", 4, "generate", "nonsense"), ("expect", "nonsense"),
    ("expect", "conversations", 0, "nonsense"),
]  # fmt: skip


@pytest.mark.parametrize("place", UNKNOWN_KEYS, ids=lambda place: ".".join(map(str, place)))
def test_a_key_that_nobody_knows_is_an_error_wherever_it_stands(tmp_path, place):
    (mistake,) = mistakes(tmp_path, changed(place, 1))
    assert "nonsense" in mistake
    assert "is not a key of the format" in mistake


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("setup",), [], "setup: has the wrong type"),
        (("inputs",), {}, "inputs: has the wrong type"),
        (("expect",), None, "expect: has the wrong type"),
        (("setup", "conversations"), "x", "setup.conversations: has the wrong type"),
        (("setup", "conversations", 0), "x", "setup.conversations[0]: must be an object"),
        (("setup", "conversations", 0), {"state": "PAGO"}, "setup.conversations[0].contact: is missing"),
        (("setup", "conversations", 0, "deadline_at"), [1], "must be seconds, or two of them"),
        (("setup", "conversations", 0, "count"), "3", "setup.conversations[0].count: has the wrong type"),
        (("setup", "outbox", 0, "status"), "flying", "setup.outbox[0].status: must be one of"),
        (("setup", "channel"), {"instance": "x"}, "setup.channel.kind: is missing"),
        (("setup", "sources", 0, "platform"), "nobody", "setup.sources[0].platform: must be one of hotmart"),
        (("setup", "faults", 0, "what"), "earthquake", "setup.faults[0].what: must be one of"),
        (("setup", "faults", 0), {"at": 0, "what": "all_down"}, "needs its end"),
        (("setup", "faults", 0), {"at": 3, "what": "no_transcription_service"}, "setup.faults[0].at: must be 0"),
        (("inputs", 0, "at"), "0", "inputs[0].at: has the wrong type"),
        (("inputs", 0, "at"), True, "inputs[0].at: has the wrong type"),
        (("inputs", 0, "kind"), "telegram", "nobody knows 'telegram'"),
        (("inputs", 0, "kind"), "transcript", "inputs[0].payload.message: is missing"),
        (("inputs", 0, "fetch"), {"status": 200}, "inputs[0].fetch: this kind of sender is never asked back"),
        (("inputs", 0, "fetch"), [7], "inputs[0].fetch: must be an object, or a list"),
        (("inputs", 0, "fetch"), 7, "inputs[0].fetch: has the wrong type"),
        (("inputs", 0, "fetch"), {"http": "soon"}, "inputs[0].fetch.http: must be a status, or one of timeout"),
        (("inputs", 0, "fault"), {"times": 1}, "inputs[0].fault.on: is missing"),
        (("inputs", 1, "payload", "what"), ["printer"], "inputs[1].payload.what: must be one of"),
        (("inputs", 4, "generate"), {"field": "a"}, "inputs[4].generate.bytes: is missing"),
        (("expect", "conversations", 0), {"state": "PAGO"}, "needs a contact, or a count"),
        (("expect", "log", 0), {}, "must be an object with at least one key"),
        (("expect", "log", 0, "times"), -1, "expect.log[0].times"),
        (("expect", "log", 0, "times"), True, "expect.log[0].times"),
        (("expect", "actions"), [1], "expect.actions[0]: must be a text"),
        (("expect", "replies"), True, "expect.replies: has the wrong type"),
        (("expect", "http"), [200], "must have one entry for each of the 5 inputs"),
        (("expect", "http"), ["200"] * 5, "expect.http[0]: must be a status, or null"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_meant_is_an_error_that_says_where(tmp_path, place, value, said):
    assert any(said in mistake for mistake in mistakes(tmp_path, changed(place, value)))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"inputs": []}', "[" * 100_000])
def test_what_is_no_scenario_at_all_is_refused(tmp_path, text):
    assert mistakes(tmp_path, text)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("setup", "flow"), "nobody", "nobody"),
        (("setup", "set"), {"states.NOWHERE.deadline": "1h"}, "NOWHERE"),
        (("setup", "channel", "kind"), "pigeon", "pigeon"),
        (("setup", "channel", "instance"), "x", "key_unknown"),
        (("setup", "sources", 0, "password"), "x", "key_unknown"),
        (("setup", "conversations", 0, "state"), "NOWHERE", "NOWHERE"),
        (("setup", "conversations", 0, "context"), {"nothing": 1}, "nothing"),
        (("setup", "conversations", 0, "ladder_step"), 7, "no step 7"),
        (("setup", "conversations", 0, "flow"), "nobody", "nobody"),
        (("setup", "outbox", 0, "action"), "nothing", "nothing"),
        (("setup", "inbound", 0, "contact"), "5541900000099", "5541900000099"),
        (("inputs", 3, "payload", "action"), "dance", "dance"),
        (("inputs", 3, "payload", "conversation"), "5541900000099", "5541900000099"),
        (("inputs", 4, "generate", "field"), "b.c", "leads nowhere"),
        (("inputs", 4, "kind"), "evolution", "has no evolution channel"),
    ],
)
async def test_what_only_shows_when_it_is_played_is_a_difference_and_no_crash(tmp_path, place, value, said):
    result = await play(written(tmp_path, changed(place, value)))
    assert not result.passed
    assert any(said in difference for difference in result.differences), result.differences
