"""What an edit is about, in the tree as it is now: so that two people who edit different things never collide."""

from collections.abc import Mapping

from engine.core.edits_pieces import piece_now
from engine.core.edits_rules import rule_now
from engine.core.edits_splits import shares_now

__all__ = ["name_of", "value_now", "whole_now"]

_SECTIONS = {"state": "states", "action": "actions", "event": "events", "field": "context"}


def name_of(edit: Mapping[str, object]) -> str:
    """The place in words of the document: `transition t19 when`, `state NOVO deadline`, `flow title`."""
    verb, _, kind = str(edit.get("op")).partition("_")
    if kind in ("title", "debounce"):
        return f"flow {kind}"
    parts = (kind or verb, edit.get("id"), edit.get("field"))
    return " ".join(str(part) for part in parts if part is not None)


def value_now(tree: Mapping[str, object], edit: Mapping[str, object]) -> object:
    """The value that a `set_…` edit would replace; None where there is none."""
    kind = str(edit.get("op")).removeprefix("set_")
    if kind in ("title", "debounce"):
        return tree.get(kind)
    field = str(edit.get("field"))
    if kind == "flow":
        return tree.get(field)
    if kind == "rule":
        return rule_now(tree, edit)
    if kind == "piece":
        return piece_now(tree, edit)
    if kind == "shares":
        return shares_now(tree, str(edit.get("id")))
    if kind == "setting":
        return _table(tree.get("settings")).get(field)
    return _table(whole_now(tree, edit)).get(field)


def whole_now(tree: Mapping[str, object], edit: Mapping[str, object]) -> object:
    """The whole entry that an edit changes or takes out; None where there is none."""
    kind, ident = str(edit.get("op")).partition("_")[2], edit.get("id")
    if kind == "rule":
        return rule_now(tree, edit)
    if kind == "piece":
        return piece_now(tree, edit)
    if kind == "split":
        return [_arrow(tree, name) for name in shares_now(tree, str(ident)) or ()] or None
    if kind == "transition":
        return _arrow(tree, ident)
    return _table(tree.get(_SECTIONS.get(kind, ""))).get(str(ident))


def _arrow(tree: Mapping[str, object], ident: object) -> Mapping[str, object] | None:
    rows = (row for key in ("transitions", "globals") for row in _rows(tree.get(key)))
    return next((row for row in rows if row.get("id") == ident), None)


def _table(part: object) -> Mapping[str, object]:
    return part if isinstance(part, Mapping) else {}


def _rows(part: object) -> list[Mapping[str, object]]:
    return [row for row in part if isinstance(row, Mapping)] if isinstance(part, list | tuple) else []
