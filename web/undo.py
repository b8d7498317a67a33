"""The edits that bring back what a deletion took: compared from the document before and after."""

from collections.abc import Mapping

Tree = Mapping[str, object]
Edit = dict[str, object]


def bringing_back(before: Tree, after: Tree) -> list[Edit]:
    """Edits that turn `after` into `before` again, as far as states, arrows, exceptions and `ignore` go."""
    states = [
        {"op": "add_state", "id": name, "fields": entry}
        for name, entry in _table(before, "states").items()
        if name not in _table(after, "states")
    ]
    arrows: list[Edit] = []
    for section in ("transitions", "globals"):
        kept = {row["id"]: row for row in _rows(after, section)}
        for row in _rows(before, section):
            now = kept.get(row["id"])
            if now is None:
                arrows.append({"op": "add_transition", "fields": row})
            elif now != row:
                arrows += [
                    {"op": "set_transition", "id": row["id"], "field": field, "value": row.get(field)}
                    for field in sorted({*row, *now})
                    if row.get(field) != now.get(field)
                ]
    left = _rows(after, "ignore")
    ignored = [
        {"op": "ignore", "state": row["state"], "event": event}
        for row in _rows(before, "ignore")
        if row not in left
        for event in _list(row.get("on"))
    ]
    return [*states, *arrows, *ignored]


def _table(tree: Tree, section: str) -> Mapping[str, object]:
    found = tree.get(section)
    return found if isinstance(found, Mapping) else {}


def _rows(tree: Tree, section: str) -> list[dict[str, object]]:
    found = tree.get(section)
    return [dict(row) for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
