"""Opens a database: the drivers' own connections, set up for writing or for reading, the same for both databases.

Without SQLAlchemy, which takes a good part of a second to read: only migrations need it, and get these connections.
"""

import sqlite3
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["BUSY_MS", "POSTGRESQL", "SQLITE", "begin", "connect", "dialect_of", "in_memory", "with_options"]

BUSY_MS = 5_000
"""How long one transaction waits for another's lock before it gives up, in milliseconds."""
SQLITE, POSTGRESQL = "sqlite", "postgresql"
SCHEME = {SQLITE: "sqlite:///", POSTGRESQL: "postgresql+psycopg://"}


def dialect_of(url: str) -> str:
    """Which of the two databases an address names."""
    return SQLITE if url.startswith(SQLITE) else POSTGRESQL


def in_memory(url: str) -> bool:
    """Whether the database is only there as long as its connection is."""
    return dialect_of(url) == SQLITE and _path(url) in ("", ":memory:")


def connect(url: str, *, writes: bool) -> Any:
    """A connection of the driver. One transaction at a time is begun with `begin`; `commit` and `rollback` end it.

    Raises the driver's errors; `failures.meaning` tells what they are.
    """
    return _sqlite(url, writes=writes) if dialect_of(url) == SQLITE else _postgresql(url, writes=writes)


def begin(driver: Any, *, writes: bool) -> None:
    """SQLite takes the writing lock at once: a transaction that reads first and writes later fails when somebody else
    wrote in between. PostgreSQL begins by itself with the first statement.
    """
    if isinstance(driver, sqlite3.Connection):
        driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def with_options(url: str, options: str) -> str:
    """An address of PostgreSQL with more options for the server than it has."""
    from psycopg.conninfo import conninfo_to_dict

    plain, _, rest = url.partition("?")
    own = conninfo_to_dict(_libpq(url)).get("options") or ""
    kept = [part for part in rest.split("&") if part and not part.startswith("options=")]
    return f"{plain}?{'&'.join([*kept, 'options=' + quote(f'{own} {options}'.strip())])}"


def _path(url: str) -> str:
    return url.removeprefix(SCHEME[SQLITE]).removeprefix("sqlite://").partition("?")[0]


def _sqlite(url: str, *, writes: bool) -> sqlite3.Connection:
    # The lane's thread is the only user, but it may be closed from another one.
    driver = sqlite3.connect(
        _path(url) or ":memory:", isolation_level=None, check_same_thread=False, cached_statements=512
    )
    try:
        driver.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        driver.execute("PRAGMA journal_mode = WAL")
        driver.execute("PRAGMA synchronous = FULL")
        driver.execute("PRAGMA foreign_keys = ON")
        driver.execute("PRAGMA secure_delete = ON")
        if not writes and not in_memory(url):
            driver.execute("PRAGMA query_only = ON")
    except BaseException:
        driver.close()
        raise
    return driver


def _libpq(url: str) -> str:
    return f"postgresql://{url.removeprefix(SCHEME[POSTGRESQL])}"


def _postgresql(url: str, *, writes: bool) -> "Connection[Any]":
    import psycopg  # an installation on SQLite never reads it
    from psycopg.conninfo import conninfo_to_dict

    own: dict[str, Any] = {**conninfo_to_dict(_libpq(url))}
    # An address may bring options of its own (a schema), which ours would replace.
    own["options"] = f"{own.get('options') or ''} -c lock_timeout={BUSY_MS} -c statement_timeout=60000"
    defaults = {"connect_timeout": 5, "tcp_user_timeout": 10_000, "application_name": "trilho"}
    # A statement of numbered parameters is sent as it stands: parsing the long ones again took longer than sending them.
    driver = psycopg.connect(**{**defaults, **own}, cursor_factory=psycopg.RawCursor)
    # One snapshot for all statements of a read; writes see what was committed last, and the row version is the fence.
    level = psycopg.IsolationLevel.READ_COMMITTED if writes else psycopg.IsolationLevel.REPEATABLE_READ
    driver.isolation_level, driver.read_only = level, not writes
    return driver
