"""Brings a database to the schema of this version, forwards and back; several processes may try at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, NullPool, Pool, StaticPool, create_engine, event, text

from engine.core.errors import StoreUnavailable
from engine.store import drivers
from engine.store.failures import meaning

__all__ = ["config_for", "current", "downgrade", "opened", "upgrade", "upgrade_through"]

NAMES = {drivers.SQLITE: "sqlite", drivers.POSTGRESQL: "postgresql+psycopg"}
_Work: TypeAlias = Callable[[Connection], None]
_LOCK = 7_116_041_105
"""The advisory lock that lets one process migrate PostgreSQL at a time; SQLite's BEGIN IMMEDIATE does the same."""


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to `revision`. Raises StoreUnavailable when it cannot be reached."""
    _within(url, lambda connection: _upgraded(connection, revision))


def downgrade(url: str, revision: str = "base") -> None:
    """Take the database back to `revision`, dropping what later ones added."""

    def back(connection: Connection) -> None:
        _locked(connection)
        command.downgrade(config_for(connection), revision)

    _within(url, back)


def upgrade_through(driver: Any) -> None:
    """Bring the SQLite database of this connection to the newest revision."""
    with _engine(drivers.SQLITE, lambda: driver, StaticPool).begin() as connection:
        _upgraded(connection, "head")


def current(url: str) -> str | None:
    """The revision that the database is at, or None before the first."""
    found: list[str | None] = []
    _within(url, lambda connection: found.append(MigrationContext.configure(connection).get_current_revision()))
    return found[0]


def _within(url: str, work: _Work) -> None:
    engine = opened(url)
    try:
        with engine.begin() as connection:
            work(connection)
    except Exception as error:
        told = meaning(error)
        if isinstance(told, StoreUnavailable):
            raise told from error
        raise
    finally:
        engine.dispose()


def opened(url: str) -> Engine:
    """SQLAlchemy on connections that are set up for writing as everybody's are; its statements begin a transaction."""
    return _engine(drivers.dialect_of(url), lambda: _plain(drivers.connect(url, writes=True)), NullPool)


def _engine(dialect: str, connect: Callable[[], Any], pool: type[Pool]) -> Engine:
    # What failed statements were given never becomes part of an error's words: errors are logged (SEC-S22).
    engine = create_engine(f"{NAMES[dialect]}://", creator=connect, poolclass=pool, hide_parameters=True)
    event.listen(
        engine, "begin", lambda connection: drivers.begin(connection.connection.driver_connection, writes=True)
    )
    return engine


def _plain(driver: Any) -> Any:
    """SQLAlchemy writes parameters in the driver's usual way."""
    if type(driver).__module__.startswith("psycopg"):
        import psycopg

        driver.cursor_factory = psycopg.Cursor
    return driver


def _upgraded(connection: Connection, revision: str) -> None:
    _locked(connection)
    command.upgrade(config_for(connection), revision)


def _locked(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def config_for(connection: Connection) -> Config:
    """Alembic on this connection; its script folder is this package, wherever it is installed."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
