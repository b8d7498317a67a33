"""One connection and one transaction on it, the same to look at on SQLite and on PostgreSQL.

`Tx` speaks SQL with `:name` parameters (the event path) and, when asked, a SQLModel session on the same connection and
in the same transaction (the editor). SQLite writes begin with BEGIN IMMEDIATE: a deferred one that reads first and
writes later fails when somebody else wrote in between, and the driver's own default loses updates without a word.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import make_url

from engine.store.failures import meaning
from engine.store.later import Later
from engine.store.statements import prepare, prepare_many

if TYPE_CHECKING:
    from sqlmodel import Session

__all__ = ["Tx", "open_engine"]

BUSY_MS = 5_000
"""How long one transaction waits for another's lock before it gives up, in milliseconds."""

ROWS_AT_ONCE = 500
"""Of rows that were put off; each has at most a few dozen parameters, of which SQLite takes 32,766 in a statement."""

_names: dict[str, list[str]] = {}
"""The columns of each statement's answer: statements are texts of the code, and drivers tell them slowly."""


class Tx:
    """One transaction. Lives as long as the unit that it is given to; a unit never commits or rolls back itself.

    On PostgreSQL a failed statement spoils the rest of the transaction: do not catch Conflict inside a unit and go
    on, use ON CONFLICT … RETURNING (and never a row count after DO NOTHING, which lies).
    """

    __slots__ = ("_connection", "_driver", "_later", "_session", "dialect")

    def __init__(self, connection: Connection, later: Later | None = None) -> None:
        self._connection = connection
        self._later = Later() if later is None else later
        self._driver: Any = connection.connection.driver_connection
        self._session: Session | None = None
        self.dialect = connection.dialect.name

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
        self._flushed()
        text, values = prepare_many(sql, given, self.dialect)
        try:
            self._cursor().executemany(text, values)
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

    @property
    def connection(self) -> Connection:
        """The SQLAlchemy connection, for schema work."""
        return self._connection

    @property
    def session(self) -> "Session":
        """A SQLModel session in this very transaction; flushed before raw statements and before the commit."""
        if self._session is None:
            from sqlmodel import Session  # only the editor needs it, and it takes a second to read

            self._session = Session(self._connection, autoflush=True, expire_on_commit=False)
        return self._session

    def _executed(self, sql: str, params: Mapping[str, object]) -> Any:
        self._flushed()
        if self._later.concerns(sql):
            self.flush()
        text, values = prepare(sql, params, self.dialect)
        cursor = self._cursor()
        try:
            cursor.execute(text, values)
        except Exception as error:
            raise meaning(error) from error
        return cursor

    def _cursor(self) -> Any:
        if self.dialect == "sqlite":
            return self._driver.cursor()
        from psycopg import RawCursor  # read already by whoever connected; an installation on SQLite never reads it

        return RawCursor(self._driver)

    def _flushed(self) -> None:
        if self._session is not None:
            self._session.flush()

    def settle(self) -> None:
        """What the session still holds goes to the database. Called by the lane after each unit."""
        if self._session is not None:
            self._session.flush()
            self._session.close()
            self._session = None

    def drop(self) -> None:
        """Forget the session without writing."""
        if self._session is not None:
            self._session.close()
            self._session = None


def open_engine(url: str, *, writes: bool) -> Engine:
    """An engine whose every connection is set up for writing or for reading. Nothing is opened yet.

    What failed statements were given never becomes part of an error's words: it is people's names and messages, and
    errors are logged (SEC-S22).
    """
    if make_url(url).get_backend_name() == "sqlite":
        return _sqlite(url, writes=writes)
    return _postgresql(url, writes=writes)


def _sqlite(url: str, *, writes: bool) -> Engine:
    # The lane's thread is the only user, but it may be closed from another one.
    arguments = {"isolation_level": None, "check_same_thread": False, "cached_statements": 512}
    engine = create_engine(url, poolclass=NullPool, connect_args=arguments, hide_parameters=True)
    in_memory = make_url(url).database in (None, "", ":memory:")

    def prepared(driver: Any, _record: object) -> None:
        cursor = driver.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA secure_delete = ON")
        if not writes and not in_memory:
            cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", prepared)
    event.listen(engine, "begin", begun)
    return engine


def _postgresql(url: str, *, writes: bool) -> Engine:
    # One snapshot for all statements of a read; writes see what was committed last, and the row version is the fence.
    level = "READ COMMITTED" if writes else "REPEATABLE READ"
    arguments = {
        "connect_timeout": 5,
        "tcp_user_timeout": 10_000,
        "application_name": "trilho",
        # An address may bring options of its own (a schema), which these would replace.
        "options": f"{make_url(url).query.get('options', '')} -c lock_timeout={BUSY_MS} -c statement_timeout=60000",
    }
    return create_engine(
        url,
        poolclass=NullPool,
        connect_args=arguments,
        hide_parameters=True,
        execution_options={"isolation_level": level, "postgresql_readonly": not writes},
    )
