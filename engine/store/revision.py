"""At which revision the schema is, and which one this version wants; told without the library that migrates."""

from pathlib import Path

from engine.store.connection import Tx

__all__ = ["newest", "revision"]

VERSIONS = Path(__file__).parent / "migrations" / "versions"


def revision(tx: Tx) -> str | None:
    """The number of the last migration that was run; None when there are no tables yet."""
    tables = "sqlite_master WHERE name" if tx.dialect == "sqlite" else "pg_tables WHERE tablename"
    if tx.value(f"SELECT 1 FROM {tables} = 'alembic_version'") is None:
        return None
    found = tx.value("SELECT version_num FROM alembic_version")
    return None if found is None else str(found)


def newest() -> str:
    """The newest revision, from the names of the migration files (NUMBER_title.py)."""
    return max(file.name.partition("_")[0] for file in VERSIONS.glob("[0-9]*.py"))
