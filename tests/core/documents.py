"""A small valid document to start from, and the mistakes of a changed one."""

from copy import deepcopy

from engine.core.document import read
from engine.core.errors import InvalidDocument

SMALL: dict = {
    "schema": 1,
    "slug": "pequeno",
    "title": "Pequeno",
    "timezone": "America/Sao_Paulo",
    "initial": "NOVO",
    "context": {"toques": {"type": "int", "default": 0, "min": 0, "max": 3}},
    "events": {
        "msg": {"source": "message"},
        "preco": {"source": "message", "falls_back_to": "msg", "priority": 20},
        "pago": {"source": "payment", "data": {"transacao": "text"}},
    },
    "understanding": [{"event": "preco", "any": ["quanto custa"]}],
    "actions": {"oi": {"kind": "send", "text": "Oi"}},
    "states": {
        "NOVO": {"deadline": "1d"},
        "FALANDO": {"deadline": ["20h", "1d"], "jitter": "10m"},
        "PAGO": {"kind": "final"},
    },
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg", "to": "FALANDO", "do": ["oi"]},
        {"id": "t2", "from": "FALANDO", "on": "timeout", "when": "toques < 3", "to": "FALANDO"},
        {"id": "t3", "from": "FALANDO", "on": "timeout", "when": "otherwise", "to": "PAGO"},
    ],
    "globals": [{"id": "g1", "on": "pago", "to": "PAGO", "except": ["PAGO"]}],
    "ignore": [{"state": "PAGO", "on": ["msg"]}],
}


def small(**changes):
    """The document with whole sections replaced; None takes a section out. A copy: what a test does to it stays there."""
    tree = deepcopy(SMALL | changes)
    return {key: value for key, value in tree.items() if value is not None}


def changed(path: str, value: object):
    """The document with one place changed: `states.NOVO.deadline`, `transitions.0.to`."""
    tree = deepcopy(SMALL)
    *way, last = path.split(".")
    at = tree
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return tree


def mistakes(tree) -> list:
    try:
        read(tree)
    except InvalidDocument as refused:
        return list(refused.mistakes)
    return []


def codes(tree) -> list[tuple[str, str]]:
    return [(m.place, m.code) for m in mistakes(tree)]
