"""One spelling per value: the same tree always gives the same text, and a document's sha256 is its identity.

Order carries no meaning in a flow document except in lists of actions, ladders and classifier rules. So the keys of
every table are sorted, and in a document (what has a `schema`) the lists that are really sets are sorted too:
`transitions` and `globals` by id, `ignore` by content, and the names in `except` and in an `ignore`'s `on`. Numbers are
written without a needless fraction (`1.0` is `1`), because JSON and YAML writers differ in that. Nothing else is
touched: a `null` stays a `null`.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

_SETS = ("transitions", "globals", "ignore")


def canonical(tree: object) -> str:
    """The canonical JSON text. Raises ValueError for what JSON cannot say (NaN, keys that are no text)."""
    if isinstance(tree, Mapping) and "schema" in tree:
        tree = {key: _unordered(value) if key in _SETS else value for key, value in tree.items()}
    return _text(tree)


def digest(tree: object) -> str:
    """The sha256 of the canonical form, 64 hexadecimal digits. Raises ValueError as `canonical` does, and for half a
    character: nothing has a digest that cannot be stored.
    """
    return sha256(canonical(tree).encode()).hexdigest()


def _text(value: object) -> str:
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, dict | Mapping):  # the quick question first: nearly every table is a dict
        if not all(isinstance(key, str) for key in value):
            raise ValueError("keys must be texts")
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int | float):
        return value
    raise ValueError(f"{type(value).__name__} has no place in a document")


def _unordered(rows: object) -> object:
    if not isinstance(rows, list | tuple):
        return rows
    return sorted((_row(row) for row in rows), key=lambda row: (_identity(row), _text(row)))


def _identity(row: object) -> str:
    return str(row.get("id", "")) if isinstance(row, Mapping) else ""


def _row(row: object) -> object:
    if not isinstance(row, Mapping):
        return row
    return {key: _names(value) if key in ("except", "on") else value for key, value in row.items()}


def _names(value: object) -> object:
    """A set of names in a fixed order; anything else is left for the reader to refuse."""
    if isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
        return sorted(value)
    return value
