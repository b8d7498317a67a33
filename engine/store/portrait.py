"""Everything that the database holds of a person, table by table, and their files (SEC-S24)."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from engine.store import media_pieces, sent_files
from engine.store.connection import Tx
from engine.store.personal import TABLES

__all__ = ["LARGEST", "files", "rows"]

LARGEST = 200_000_000
"""Bytes of files in one export; what is beyond is named and left out."""
_JSON = frozenset({"tags", "context", "media", "payload", "data", "facts", "content"})


def rows(tx: Tx, people: Sequence[int], conversations: Sequence[int]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table that has any, oldest first, with what is JSON in them read."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in TABLES:
        if not one.shown:
            continue
        columns = ", ".join(f'"{name}"' for name in one.shown)
        whose = {"people": list(people) or [0], "talks": list(conversations) or [0]}
        used = {name: ids for name, ids in whose.items() if f":{name}" in one.mine}
        order = next(
            (name for name in ("id", "at", "created_at", "opened_at", "taken_at") if name in one.shown), one.shown[0]
        )
        kept = tx.rows(f'SELECT {columns} FROM {one.name} WHERE {one.mine} ORDER BY "{order}"', **used)
        if kept:
            found[one.name] = [{name: _read(name, value) for name, value in row.items()} for row in kept]
    return found


def files(tx: Tx, found: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, bytes | None]]:
    """(name, bytes) of what they sent and of what people sent them; None for what is too much for one export."""
    left = LARGEST
    kept = [("media", row["inbound_id"], row["mime"], row["bytes"]) for row in found.get("media", ())]
    kept += [("sent", row["id"], row["mime"], row["bytes"]) for row in found.get("sent_file", ())]
    for kind, number, mime, size in kept:
        name = f"{kind}-{number}.{_ending(mime)}"
        if not size or size > left:
            yield name, None
            continue
        read = media_pieces.read if kind == "media" else sent_files.read
        content = read(tx, int(number), 0, int(size) - 1)
        left -= len(content)
        yield name, content or None


def _read(name: str, value: object) -> object:
    if name not in _JSON or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _ending(mime: object) -> str:
    kind = str(mime or "").partition(";")[0].rpartition("/")[2]
    return "".join(char for char in kind if char.isalnum())[:8] or "bin"
