"""Rows that are written at the end of a transaction, together: nothing in it waits for their answer one by one."""

import re
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["Later"]

Rows = list[tuple[object, ...]]


class Later:
    """What was put off, by table, in the order in which it was given."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], Rows] = {}

    def add(self, table: str, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Put rows of a table off; `sql` takes them as `:rows`."""
        self._waiting.setdefault((table, sql), []).extend(rows)

    def concerns(self, sql: str) -> bool:
        """Whether a statement speaks of a table with rows that are not written yet."""
        return any(_speaks_of(sql, table) for table, _ in self._waiting)

    def taken(self) -> list[tuple[str, Rows]]:
        """Everything, to be written now."""
        waiting, self._waiting = self._waiting, {}
        return [(sql, rows) for (_, sql), rows in waiting.items()]


@lru_cache(maxsize=1024)
def _speaks_of(sql: str, table: str) -> bool:
    # A parameter may be named as a table is (`:webhook`): that is no reason to write early.
    return re.search(rf"(?<!:)\b{table}\b", sql) is not None
