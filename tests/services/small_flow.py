"""A small, complete document for tests of drafts and versions."""

import copy

TREE = {
    "schema": 1,
    "slug": "pequeno",
    "title": "Pequeno",
    "initial": "NOVO",
    "context": {"toques": {"type": "int", "default": 0, "min": 0, "max": 9}},
    "events": {"msg_recebida": {"source": "message"}},
    "actions": {"oi": {"kind": "send", "text": "Oi!"}},
    "states": {
        "NOVO": {"deadline": "1d"},
        "CONVERSA": {"deadline": "2d", "note": "sobre o curso"},
        "FIM": {"kind": "final"},
    },
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
        {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "FIM"},
        {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "FIM"},
    ],
    "ignore": [{"state": "FIM", "on": ["msg_recebida"]}],
}


def small(**changes):
    """The document with whole sections replaced."""
    return copy.deepcopy(TREE | changes)


def without_talk():
    """The same with no state CONVERSA."""
    tree = small()
    del tree["states"]["CONVERSA"]
    tree["transitions"] = [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "FIM", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
    ]
    return tree
