"""Bodies with one thing wrong: another value in any place, or any key missing."""

from collections.abc import Iterator
from typing import Any

WRONG: list[Any] = [
    None, True, 0, -1, 1 << 70, 1.5, "", "x", "\x00", "\ud83d", "x" * 70_000, [], [[]], [None], {}, {"id": {}}, {"": ""},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a body where something else could stand."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def replaced(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[path[0]] = replaced(body[path[0]], path[1:], value)
    return copy


def without(body: Any) -> Iterator[Any]:
    """The body without each of its keys, one at a time."""
    for place in places(body)[1:]:
        holder = body
        for key in place[:-1]:
            holder = holder[key]
        if isinstance(holder, dict):
            rest = {key: value for key, value in holder.items() if key != place[-1]}
            yield replaced(body, place[:-1], rest)
