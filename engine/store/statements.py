"""SQL written once, with `:name` parameters, in the spelling that each driver wants.

A list given for a name becomes as many parameters: `WHERE id IN :ids`. Lists are filled up to the next power of two by
repeating the last value, so that a driver that prepares statements sees few different texts; an empty list becomes
`(NULL)`, which no value equals. So: use lists for IN, never for NOT IN. A list of tuples becomes as many rows, never
more: `VALUES :rows`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

__all__ = ["prepare"]

_PIECE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|::|:([A-Za-z_]\w*)|%")


def prepare(sql: str, params: Mapping[str, object], dialect: str) -> tuple[str, Mapping[str, object]]:
    """The statement and its parameters as the driver of `dialect` (sqlite or postgresql) takes them."""
    lists = {name: value for name, value in params.items() if isinstance(value, list | tuple)}
    if not lists:
        return _translated(sql, (), dialect), params
    flat = {name: value for name, value in params.items() if name not in lists}
    shapes = []
    for name, values in lists.items():
        rows = [row for row in values if isinstance(row, tuple)]
        filled = [piece for row in rows for piece in row] or _filled(values)
        shapes.append((name, len(filled), len(rows[0]) if rows else 0))
        flat.update((f"{name}__{place}", value) for place, value in enumerate(filled))
    return _translated(sql, tuple(shapes), dialect), flat


def _filled(values: Sequence[object]) -> list[object]:
    length = 1 << (len(values) - 1).bit_length() if values else 0
    return [values[min(place, len(values) - 1)] for place in range(length)]


@lru_cache(maxsize=2048)
def _translated(sql: str, lists: tuple[tuple[str, int, int], ...], dialect: str) -> str:
    """`lists` holds for each list its name, its number of parameters, and how many of them make a row (0: no rows)."""
    shapes = {name: (length, width) for name, length, width in lists}
    postgresql = dialect == "postgresql"

    def one(name: str) -> str:
        return f"%({name})s" if postgresql else f":{name}"

    def spelled(found: re.Match[str]) -> str:
        name, text = found.group(1), found.group(0)
        if name is None:
            return text.replace("%", "%%") if postgresql else text
        if name not in shapes:
            return one(name)
        length, width = shapes[name]
        pieces = [one(f"{name}__{place}") for place in range(length)] or ["NULL"]
        width = width or len(pieces)
        return ", ".join(f"({', '.join(pieces[at : at + width])})" for at in range(0, len(pieces), width))

    return _PIECE.sub(spelled, sql)
