"""Rows as an examination wants them: by the place where they stand, or by the conversation that they belong to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.store.connection import Tx

__all__ = ["Place", "by_conversation", "places"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A row, by its table and its id."""

    table: str
    id: int | str


def places(tx: Tx, table: str, sql: str, **params: object) -> list[Place]:
    """The rows of a table whose `id` a question answers with."""
    return [Place(table, row["id"]) for row in tx.rows(sql, **params)]


def by_conversation(tx: Tx, kind: Callable[..., T], sql: str, ids: Sequence[int]) -> dict[int, list[T]]:
    """What a question with `:ids` answers for each of these conversations, in order; nothing is an empty list."""
    found: dict[int, list[T]] = {i: [] for i in ids}
    for row in tx.rows(sql, ids=list(ids)):
        found[row["conversation_id"]].append(kind(**row))
    return found
