"""What a driver's exception means to us, the same for both databases.

Away: the connection or the disk is gone, nothing of this transaction is stored. Busy: somebody else was in the way, the
same work may succeed at once. Unique violations become Conflict. Everything else is a bug and stays what it is.
"""

import sqlite3

from engine.core.errors import Conflict, StoreUnavailable

__all__ = ["Busy", "meaning"]


class Busy(StoreUnavailable):
    """Held off by another transaction: serialization failure, deadlock, lock not free in time."""


_SQLITE_UNIQUE = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
_SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SQLITE_AWAY = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_NOMEM,
)
_POSTGRESQL_BUSY = ("40001", "40P01", "55P03")
_POSTGRESQL_AWAY = ("08", "53", "57", "58")


def meaning(error: BaseException) -> BaseException:
    """Our own exception for a driver's, or the same one when it tells of nothing but a bug."""
    if isinstance(driver_error := getattr(error, "orig", None), Exception):  # SQLAlchemy's wrapping, in migrations
        error = driver_error
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error)
    return _of_postgresql(error) if type(error).__module__.startswith("psycopg") else error


def _of_sqlite(error: sqlite3.Error) -> BaseException:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return StoreUnavailable(str(error)) if "closed database" in str(error) else error
    if code in _SQLITE_UNIQUE:
        return Conflict(str(error))
    if code & 0xFF in _SQLITE_BUSY:
        return Busy(str(error))
    return StoreUnavailable(str(error)) if code & 0xFF in _SQLITE_AWAY else error


def _of_postgresql(error: BaseException) -> BaseException:
    import psycopg  # whose error it is, so it has been read; an installation on SQLite never reads it

    if not isinstance(error, psycopg.Error):
        return error
    state = error.sqlstate
    if isinstance(error, psycopg.errors.UniqueViolation):
        return Conflict(error.diag.message_detail or str(error))
    if state in _POSTGRESQL_BUSY:
        return Busy(str(error))
    lost = state is None and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    if lost or (state is not None and state[:2] in _POSTGRESQL_AWAY):
        return StoreUnavailable(str(error))
    return error
