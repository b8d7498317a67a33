"""At which revision the schema is."""

from engine.store.connection import Tx

__all__ = ["revision"]


def revision(tx: Tx) -> str | None:
    """The number of the last migration that was run; None when there are no tables yet."""
    tables = "sqlite_master WHERE name" if tx.dialect == "sqlite" else "pg_tables WHERE tablename"
    if tx.value(f"SELECT 1 FROM {tables} = 'alembic_version'") is None:
        return None
    found = tx.value("SELECT version_num FROM alembic_version")
    return None if found is None else str(found)
