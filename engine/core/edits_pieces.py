"""Edits of what a message consists of: its buttons, the options of its list, its parts, its file, the head of a template.

Pieces of a list have no name: each is known by its number from 0 and by how its author saw it, so that two people at
different pieces never collide. Of what stands alone (`media`, `opener`, `header`) there is no number. Raises NotFound
for an action that there is none of; Refused: `piece_changed`, `too_many_pieces`, `unknown_field`, `bad_edit`.
"""

from collections.abc import Mapping, Sequence

from engine.core import limits
from engine.core.edits_rules import place_of
from engine.core.edits_tree import Tree, entry_of, replaced, rows_of, table_of
from engine.core.errors import NotFound, Refused

__all__ = ["LISTS", "SINGLES", "add_piece", "delete_piece", "move_piece", "piece_now", "set_piece"]

LISTS = {"buttons": limits.BUTTONS, "rows": limits.ROWS, "parts": 50}
"""Each list with how many pieces it may have."""
SINGLES = {"media": ("media",), "opener": ("list", "button"), "header": ("template", "header")}
"""Where in the action each piece stands that is alone."""
_OPENER = "opener"


def set_piece(tree: Mapping[str, object], edit: Mapping[str, object]) -> Tree:
    """Put a piece in the place of the one that its author saw (`was`); None takes a piece that stands alone out."""
    action, kind, value = _action(tree, edit), str(edit["piece"]), edit["value"]
    if kind in SINGLES:
        return _with(tree, edit, _put(action, SINGLES[kind], value))
    rows = _rows(action, kind)
    place = place_of(rows, edit.get("number"), edit.get("was")) if edit.get("was") is not None else None
    if place is None or not isinstance(value, Mapping):
        raise Refused("piece_changed")
    return _with(tree, edit, _listed(action, kind, [*rows[:place], value, *rows[place + 1 :]]))


def add_piece(tree: Mapping[str, object], edit: Mapping[str, object]) -> Tree:
    """Put a piece at the end. A message of one text or file becomes one of parts; a file stays above the text that has
    buttons or a list under it. `opener` is what opens a list that is new.
    """
    action, kind, value = _action(tree, edit), str(edit["piece"]), edit["value"]
    if not isinstance(value, Mapping):
        raise Refused("bad_edit", op=edit.get("op"), missing="value")
    if kind in SINGLES:
        raise Refused("unknown_field", field=kind)
    if kind == "rows" and "list" not in action:
        action = {**action, "list": {"button": edit.get(_OPENER) or value.get("title"), "rows": []}}
    if kind == "parts" and "parts" not in action:
        action = _in_parts(action)
    rows = _rows(action, kind)
    if len(rows) >= LISTS[kind]:
        raise Refused("too_many_pieces", most=LISTS[kind])
    last = len(rows) - 1 if kind == "parts" and "text" not in value and _chooses(action) else len(rows)
    return _with(tree, edit, _listed(action, kind, [*rows[:last], value, *rows[last:]]))


def delete_piece(tree: Mapping[str, object], edit: Mapping[str, object]) -> Tree:
    """Take a piece away; a list goes with its last one."""
    action, kind = _action(tree, edit), str(edit["piece"])
    if kind in SINGLES:
        return _with(tree, edit, _put(action, SINGLES[kind], None))
    rows, place = _found(action, kind, edit)
    return _with(tree, edit, _listed(action, kind, [*rows[:place], *rows[place + 1 :]]))


def move_piece(tree: Mapping[str, object], edit: Mapping[str, object]) -> Tree:
    """Change places with the neighbour, `by` -1 or 1; at the end of the list nothing happens."""
    action, kind = _action(tree, edit), str(edit["piece"])
    rows, place = _found(action, kind, edit)
    other = place + (1 if edit.get("by") == 1 else -1)
    if not 0 <= other < len(rows):
        return dict(tree)
    moved = list(rows)
    moved[place], moved[other] = moved[other], moved[place]
    return _with(tree, edit, _listed(action, kind, moved))


def piece_now(tree: Mapping[str, object], edit: Mapping[str, object]) -> object:
    """The piece that an edit is about as it is written now: what has its id, or its number where it has none."""
    action, kind, was = (
        entry_of(table_of(tree, "actions").get(str(edit.get("id")))),
        str(edit.get("piece")),
        edit.get("was"),
    )
    if kind in SINGLES:
        return _at(action, SINGLES[kind])
    rows = _rows(action, kind) if kind in LISTS else []
    place = place_of(rows, edit.get("number"), was)
    if place is None and isinstance(was, Mapping) and "id" in was:
        return next((row for row in rows if row.get("id") == was["id"]), None)
    place = place if place is not None else place_of(rows, edit.get("number"))
    return rows[place] if place is not None else None


def _action(tree: Mapping[str, object], edit: Mapping[str, object]) -> Mapping[str, object]:
    name, kind = str(edit["id"]), str(edit["piece"])
    if name not in (actions := table_of(tree, "actions")):
        raise NotFound("action", name)
    if kind not in LISTS and kind not in SINGLES:
        raise Refused("unknown_field", field=kind)
    return entry_of(actions[name])


def _with(tree: Mapping[str, object], edit: Mapping[str, object], action: Mapping[str, object]) -> Tree:
    return {**tree, "actions": {**table_of(tree, "actions"), str(edit["id"]): action}}


def _found(
    action: Mapping[str, object], kind: str, edit: Mapping[str, object]
) -> tuple[list[Mapping[str, object]], int]:
    rows = _rows(action, kind) if kind in LISTS else []
    place = place_of(rows, edit.get("number"), edit.get("was"))
    if place is None:
        raise Refused("piece_changed")
    return rows, place


def _rows(action: Mapping[str, object], kind: str) -> list[Mapping[str, object]]:
    return rows_of(entry_of(action.get("list")), "rows") if kind == "rows" else rows_of(action, kind)


def _listed(action: Mapping[str, object], kind: str, rows: Sequence[object]) -> Tree:
    if kind != "rows":
        return replaced(action, kind, list(rows) or None)
    return replaced(action, "list", {**entry_of(action.get("list")), "rows": list(rows)} if rows else None)


def _in_parts(action: Mapping[str, object]) -> Tree:
    """The file and the text that a message has, as its first parts."""
    parts = [action["media"]] if "media" in action else []
    parts += [{"text": action["text"]}] if "text" in action else []
    return {**{key: kept for key, kept in action.items() if key not in ("media", "text")}, "parts": parts}


def _chooses(action: Mapping[str, object]) -> bool:
    return "buttons" in action or "list" in action


def _at(action: Mapping[str, object], way: Sequence[str]) -> object:
    found: object = action
    for name in way:
        found = entry_of(found).get(name)
    return found


def _put(entry: Mapping[str, object], way: Sequence[str], value: object) -> Tree:
    if len(way) == 1:
        return replaced(entry, way[0], value)
    if way[0] not in entry:
        raise Refused("piece_changed")
    return replaced(entry, way[0], _put(entry_of(entry[way[0]]), way[1:], value))
