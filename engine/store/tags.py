"""Tags: their colours, and those that are in use."""

import json
from collections.abc import Mapping

from engine.core.tagging import usual_colour
from engine.store.connection import Tx

__all__ = ["colours", "in_use", "of", "paint", "painted"]


def colours(tx: Tx) -> dict[str, int]:
    """The colours that somebody chose."""
    return {row["name"]: int(row["colour"]) for row in tx.rows("SELECT name, colour FROM tag")}


def paint(tx: Tx, name: str, colour: int) -> None:
    """Give a tag its colour, wherever it is shown."""
    tx.run(
        "INSERT INTO tag (name, colour) VALUES (:name, :colour) ON CONFLICT (name) DO UPDATE SET colour = :colour",
        name=name,
        colour=colour,
    )


def of(written: str, chosen: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """A contact's tags, as the column has them, with their colours."""
    if written == "[]":
        return ()
    return tuple(painted(name, chosen) for name in json.loads(written))


def painted(name: str, chosen: Mapping[str, int]) -> tuple[str, int]:
    """A tag with its colour: the one that was chosen, else its usual one."""
    return name, chosen.get(name, usual_colour(name))


def in_use(tx: Tx, most: int) -> list[str]:
    """Tags that contacts have, in the order of the alphabet; of very many the first."""
    rows = tx.rows("SELECT DISTINCT tags FROM contact WHERE tags <> '[]' AND merged_into IS NULL")
    return sorted({name for row in rows for name in json.loads(row["tags"])}, key=str.casefold)[:most]
