"""The schema that migrations build is the one that the tables declare, on both databases, and back."""

import asyncio
import sqlite3

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect
from sqlmodel import SQLModel

from engine.core.errors import StoreUnavailable
from engine.store import migrations
from engine.store.lanes import Store

LOG = "INSERT INTO log (at, outcome, facts) VALUES (1, 'moved', '{}')"
AUDIT = (
    "INSERT INTO audit (at, who, what, subject, facts, address, prev_hash, hash)"
    " VALUES (1, 'a', 'b', '', '{}', '', '', 'h')"
)


def test_migrations_build_what_the_tables_declare(empty_database_url):
    migrations.upgrade(empty_database_url)
    engine = migrations.opened(empty_database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_upgrading_twice_changes_nothing_and_going_back_leaves_nothing(empty_database_url):
    assert migrations.current(empty_database_url) is None
    migrations.upgrade(empty_database_url)
    first = migrations.current(empty_database_url)
    migrations.upgrade(empty_database_url)
    assert migrations.current(empty_database_url) == first is not None
    migrations.downgrade(empty_database_url)
    assert migrations.current(empty_database_url) is None
    engine = migrations.opened(empty_database_url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
    engine.dispose()
    migrations.upgrade(empty_database_url)
    assert migrations.current(empty_database_url) == first


async def test_several_may_migrate_at_once(empty_database_url):
    stores = [Store(empty_database_url) for _ in range(3)]
    await asyncio.gather(*(store.migrate() for store in stores))
    assert await stores[0].read(lambda tx: tx.value("SELECT count(*) FROM log")) == 0
    for store in stores:
        await store.close()


@pytest.mark.parametrize("change", ["UPDATE {} SET at = 2", "DELETE FROM {}"])
@pytest.mark.parametrize(("table", "insert"), [("log", LOG), ("audit", AUDIT)])
async def test_the_logs_only_grow(store, table, insert, change):
    """R45, SEC-S23: the database refuses, whoever asks."""
    await store.write("k", lambda tx: tx.run(insert))
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match=f"{table} only grows"):
        await store.write("k", lambda tx: tx.run(change.format(table)))
    assert await store.read(lambda tx: tx.value(f"SELECT at FROM {table}")) == 1


def test_a_database_that_cannot_be_reached_says_so(tmp_path):
    with pytest.raises(StoreUnavailable):
        migrations.upgrade(f"sqlite:///{tmp_path}/no/such/folder/x.db")
    with pytest.raises(StoreUnavailable):
        migrations.upgrade(f"postgresql+psycopg://nobody@/x?host={tmp_path}")
