"""Kinds of columns.

Instants are integer milliseconds. JSON documents are text in canonical form, so that both databases keep the same
bytes and hashes can be recomputed. Columns that the sweep looks at carry a partial index.
"""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, Text, text
from sqlmodel import Field

# SQLite gives rowid aliases (and so cheap, gapless ids) only to INTEGER; PostgreSQL wants 64 bits.
BIG = BigInteger().with_variant(Integer(), "sqlite")


def row_id() -> Any:
    """A key that counts by itself."""
    return Field(default=None, sa_column=Column(BIG, primary_key=True, autoincrement=True))


def instant(*, null: bool = False, default: int | None = None) -> Any:
    """Milliseconds since the epoch."""
    return Field(default=default, sa_column=Column(BigInteger, nullable=null))


def document(default: str = "{}") -> Any:
    """JSON as text."""
    return Field(default=default, sa_column=Column(Text, nullable=False))


def partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index over the few rows that wait for something."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))
