"""One transaction on one connection, the same to look at on SQLite and on PostgreSQL: SQL with `:name` parameters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.store.failures import meaning
from engine.store.later import Later
from engine.store.statements import prepare, prepare_many

__all__ = ["Tx"]

ROWS_AT_ONCE = 500
"""Of rows that were put off; each has at most a few dozen parameters, of which SQLite takes 32,766 in a statement."""

_names: dict[str, list[str]] = {}
"""The columns of each statement's answer: statements are texts of the code, and drivers tell them slowly."""


class Tx:
    """One transaction. Lives as long as the unit that it is given to; a unit never commits or rolls back itself.

    On PostgreSQL a failed statement spoils the rest of the transaction: do not catch Conflict inside a unit and go
    on, use ON CONFLICT … RETURNING (and never a row count after DO NOTHING, which lies).
    """

    __slots__ = ("_driver", "_later", "dialect")

    def __init__(self, driver: Any, dialect: str, later: Later | None = None) -> None:
        self._driver, self.dialect = driver, dialect
        self._later = Later() if later is None else later

    def rows(self, sql: str, **params: object) -> list[dict[str, Any]]:
        """Every row, as dictionaries by column name."""
        cursor = self._executed(sql, params)
        found = cursor.fetchall()
        if not found:
            return []
        names = _names.get(sql)
        if names is None or len(names) != len(found[0]):
            names = _names[sql] = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        """Every row with its values in the order of the statement: for answers of very many rows."""
        return list(self._executed(sql, params).fetchall())

    def one(self, sql: str, **params: object) -> dict[str, Any] | None:
        """The first row, or None."""
        found = self.rows(sql, **params)
        return found[0] if found else None

    def value(self, sql: str, **params: object) -> Any:
        """The first column of the first row, or None."""
        found = self._executed(sql, params).fetchall()
        return found[0][0] if found else None

    def run(self, sql: str, **params: object) -> int:
        """A statement without an answer; returns how many rows it touched."""
        return int(self._executed(sql, params).rowcount)

    def many(self, sql: str, rows: Sequence[Mapping[str, object]] | Iterable[Mapping[str, object]]) -> None:
        """The same statement once for each row of parameters (no lists inside them)."""
        given = list(rows)
        if not given:
            return
        if len(given) == 1:
            self._executed(sql, given[0])
            return
        text, values = prepare_many(sql, given, self.dialect)
        try:
            self._driver.cursor().executemany(text, values)
        except Exception as error:
            raise meaning(error) from error

    def later(self, table: str, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Rows of a table that only grows (`VALUES :rows`), written before the commit, all of a transaction together and
        in order.

        Whoever reads that table before then finds them written. Not for rows that something else refers to.
        """
        self._later.add(table, sql, rows)

    def flush(self) -> None:
        """Write what was put off."""
        for sql, rows in self._later.taken():
            for begin in range(0, len(rows), ROWS_AT_ONCE):
                self._executed(sql, {"rows": rows[begin : begin + ROWS_AT_ONCE]})

    def _executed(self, sql: str, params: Mapping[str, object]) -> Any:
        if self._later.concerns(sql):
            self.flush()
        text, values = prepare(sql, params, self.dialect)
        cursor = self._driver.cursor()
        try:
            cursor.execute(text, values)
        except Exception as error:
            raise meaning(error) from error
        return cursor
