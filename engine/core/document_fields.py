"""Where a document's tree names a field of the context: conditions, notes of arrows, gaps in texts; and the new name there."""

from collections.abc import Mapping

from engine.core.errors import GuardError
from engine.core.guards.tokens import Shape, tokens
from engine.core.templating import with_path

__all__ = ["renamed_field"]

Tree = dict[str, object]
_OTHERWISE = "otherwise"


def renamed_field(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Every mention of a field, but for its own entry."""
    made: Tree = {**tree}
    for key in ("transitions", "globals"):
        if isinstance(rows := tree.get(key), list | tuple):
            made[key] = [_arrow(row, name, to) for row in rows]
    if isinstance(actions := tree.get("actions"), Mapping):
        made["actions"] = {ident: _texts(action, name, to) for ident, action in actions.items()}
    return made


def _arrow(row: object, name: str, to: str) -> object:
    if not isinstance(row, Mapping):
        return row
    changed = dict(row)
    if "when" in row:
        changed["when"] = _expression(row["when"], name, to)
    if isinstance(notes := row.get("set"), Mapping):
        changed["set"] = {(to if key == name else key): _expression(value, name, to) for key, value in notes.items()}
    return changed


def _expression(source: object, name: str, to: str) -> object:
    """A condition with the name replaced where it stands as a name: not in a text, not after a dot."""
    if not isinstance(source, str) or source == _OTHERWISE:
        return source
    try:
        read = list(tokens(source))
    except GuardError:
        return source
    at, pieces = 0, []
    for before, token in zip([None, *read], read, strict=False):
        after_dot = before is not None and before.shape is Shape.SIGN and before.value == "."
        if token.shape is Shape.NAME and token.value == name and not after_dot:
            pieces += [source[at : token.position], to]
            at = token.position + len(name)
    return "".join([*pieces, source[at:]])


def _texts(value: object, name: str, to: str) -> object:
    """Whatever an action holds, with the gaps of its texts renamed."""
    if isinstance(value, str):
        return with_path(value, name, to)
    if isinstance(value, Mapping):
        return {key: _texts(entry, name, to) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_texts(entry, name, to) for entry in value]
    return value
