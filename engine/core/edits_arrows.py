"""Edits of arrows: transitions, global or not, and what a state ignores on purpose."""

from collections.abc import Mapping

from engine.core.edits_splits import SHARED_FIELDS, kept_whole, twins
from engine.core.edits_tree import ARROWS, Tree, new_name, replaced, rows_of, table_of
from engine.core.errors import NotFound, Refused

TRANSITION_FIELDS = ("from", "on", "to", "when", "set", "do", "except", "keep_deadline", "share", "label", "note")


def set_transition(tree: Mapping[str, object], ident: str, field: str, value: object) -> Tree:
    """Set a field of an arrow, global or not; None takes it out. What the branches of a split have in common is set
    for all of them.
    """
    key, rows, _ = _find(tree, ident)
    if field not in TRANSITION_FIELDS or field == ("from" if key == "globals" else "except"):
        raise Refused("unknown_field", field=field)
    meant = twins(tree, ident) if field in SHARED_FIELDS else (ident,)
    return {**tree, key: [replaced(row, field, value) if row.get("id") in meant else row for row in rows]}


def add_transition(tree: Mapping[str, object], fields: Mapping[str, object]) -> Tree:
    """Add an arrow; without `from` it is a global one, without `id` it gets a fresh one."""
    key = "transitions" if fields.get("from") is not None else "globals"
    unknown = [name for name in fields if name not in (*TRANSITION_FIELDS, "id")]
    if unknown:
        raise Refused("unknown_field", field=unknown[0])
    ident = str(fields.get("id") or fresh_id(tree, "t" if key == "transitions" else "g"))
    new_name(ident, {row.get("id") for name in ARROWS for row in rows_of(tree, name)})
    row = {"id": ident, **{name: value for name, value in fields.items() if name != "id" and value is not None}}
    return {**tree, key: [*rows_of(tree, key), row]}


def delete_transition(tree: Mapping[str, object], ident: str) -> Tree:
    """Take an arrow out. If it was a branch of a split, the others take its share."""
    key, rows, at = _find(tree, ident)
    return kept_whole(tree, {**tree, key: [*rows[:at], *rows[at + 1 :]]})


def add_ignored(tree: Mapping[str, object], state: str, event: str) -> Tree:
    """Say that a state ignores an event on purpose."""
    if state not in table_of(tree, "states"):
        raise NotFound("state", state)
    return {**tree, "ignore": [*rows_of(tree, "ignore"), {"state": state, "on": [event]}]}


def fresh_id(tree: Mapping[str, object], letter: str = "t") -> str:
    """The id after the highest one: `t24` where `t23` is the last."""
    ids = [str(row.get("id", "")) for key in ARROWS for row in rows_of(tree, key)]
    numbers = [int(i[len(letter) :]) for i in ids if i.startswith(letter) and i[len(letter) :].isdecimal()]
    return f"{letter}{max(numbers, default=0) + 1}"


def _find(tree: Mapping[str, object], ident: str) -> tuple[str, list[Mapping[str, object]], int]:
    for key in ARROWS:
        rows = rows_of(tree, key)
        for at, row in enumerate(rows):
            if row.get("id") == ident:
                return key, rows, at
    raise NotFound("transition", ident)
