"""SQL written once, with `:name` parameters, in the spelling that each driver wants: numbered, with a list of values.

Numbered, because a driver that is given names reads every new text to number them itself, and that takes longer than
the statement. A list given for a name becomes as many parameters: `WHERE id IN :ids`. Lists are filled up to the next
power of two by repeating the last value, so that a driver that prepares statements sees few different texts; an empty
list becomes `(NULL)`, which no value equals. So: use lists for IN, never for NOT IN. A list of tuples becomes as many
rows, never more: `VALUES :rows`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

__all__ = ["prepare", "prepare_many"]

_PIECE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|::|:([A-Za-z_]\w*)")
_SIGNS = {"postgresql": "$", "sqlite": "?"}


def prepare(sql: str, params: Mapping[str, object], dialect: str) -> tuple[str, list[object]]:
    """The statement and its values as the driver of `dialect` (sqlite or postgresql) takes them."""
    lists = {name: value for name, value in params.items() if isinstance(value, list | tuple)}
    if not lists:
        text, names = _translated(sql, (), dialect)
        return text, [params[name] for name in names]
    values = {name: [value] for name, value in params.items() if name not in lists}
    shapes = []
    for name, given in lists.items():
        rows = [row for row in given if isinstance(row, tuple)]
        values[name] = [piece for row in rows for piece in row] or _filled(given)
        shapes.append((name, len(values[name]), len(rows[0]) if rows else 0))
    text, names = _translated(sql, tuple(shapes), dialect)
    return text, [value for name in names for value in values[name]]


def prepare_many(sql: str, rows: Sequence[Mapping[str, object]], dialect: str) -> tuple[str, list[list[object]]]:
    """The statement, and for each row of parameters (without lists) its values."""
    text, names = _translated(sql, (), dialect)
    return text, [[row[name] for name in names] for row in rows]


def _filled(values: Sequence[object]) -> list[object]:
    length = 1 << (len(values) - 1).bit_length() if values else 0
    return [values[min(place, len(values) - 1)] for place in range(length)]


@lru_cache(maxsize=2048)
def _translated(sql: str, lists: tuple[tuple[str, int, int], ...], dialect: str) -> tuple[str, tuple[str, ...]]:
    """The text, and the names in the order of their numbers.

    `lists` holds for each list its name, its number of parameters, and how many of them make a row (0: no rows).
    """
    shapes = {name: (length, width) for name, length, width in lists}
    first: dict[str, int] = {}
    count = 0

    def spelled(found: re.Match[str]) -> str:
        nonlocal count
        name = found.group(1)
        if name is None:
            return found.group(0)
        length, width = shapes.get(name, (1, 0))
        if name not in first:
            first[name] = count + 1
            count += length
        pieces = [f"{_SIGNS[dialect]}{first[name] + place}" for place in range(length)] or ["NULL"]
        if name not in shapes:
            return pieces[0]
        width = width or len(pieces)
        return ", ".join(f"({', '.join(pieces[at : at + width])})" for at in range(0, len(pieces), width))

    return _PIECE.sub(spelled, sql), tuple(first)
