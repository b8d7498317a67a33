"""SQL written once, with `:name` parameters, in the spelling that each driver wants.

A list given for a name becomes as many parameters: `WHERE id IN :ids`. Lists are filled up to the next power of two by
repeating the last value, so that a driver that prepares statements sees few different texts; an empty list becomes
`(NULL)`, which no value equals. So: use lists for IN, never for NOT IN.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["prepare"]

_PIECE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|::|:([A-Za-z_]\w*)|%")


def prepare(sql: str, params: Mapping[str, object], dialect: str) -> tuple[str, Mapping[str, object]]:
    """The statement and its parameters as the driver of `dialect` (sqlite or postgresql) takes them."""
    lists = {name: value for name, value in params.items() if isinstance(value, list | tuple)}
    if not lists:
        return _translated(sql, (), dialect), params
    flat = {name: value for name, value in params.items() if name not in lists}
    lengths = []
    for name, values in lists.items():
        length = 1 << (len(values) - 1).bit_length() if values else 0
        lengths.append((name, length))
        for place in range(length):
            flat[f"{name}__{place}"] = values[min(place, len(values) - 1)]
    return _translated(sql, tuple(lengths), dialect), flat


@lru_cache(maxsize=2048)
def _translated(sql: str, lists: tuple[tuple[str, int], ...], dialect: str) -> str:
    lengths = dict(lists)
    postgresql = dialect == "postgresql"

    def one(name: str) -> str:
        return f"%({name})s" if postgresql else f":{name}"

    def spelled(found: re.Match[str]) -> str:
        name, text = found.group(1), found.group(0)
        if name is None:
            return text.replace("%", "%%") if postgresql else text
        if name not in lengths:
            return one(name)
        return "(" + (", ".join(one(f"{name}__{place}") for place in range(lengths[name])) or "NULL") + ")"

    return _PIECE.sub(spelled, sql)
