"""A runtime on each database, closed after the test, and a shop on it.

PostgreSQL is one database for all tests of this folder, emptied before each: making one takes longer than most tests.
"""

import pytest
import pytest_asyncio
from sqlalchemy import create_engine

from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import Provider, opened


@pytest.fixture(scope="session")
def shared_postgres(postgres_cluster, _postgres_template):
    name = postgres_cluster.create(template=_postgres_template)
    engine = create_engine(postgres_cluster.url(name), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        empty = connection.exec_driver_sql(
            "SELECT string_agg('DELETE FROM ' || quote_ident(tablename), '; ') FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        ).scalar_one()
        # What only grows refuses to be emptied, except to a superuser who says that he copies.
        connection.exec_driver_sql("SET session_replication_role = replica")
        connection.exec_driver_sql("SET lock_timeout = '5s'")
        yield postgres_cluster.url(name), lambda: connection.exec_driver_sql(empty)
    engine.dispose()
    postgres_cluster.drop(name)


@pytest.fixture
def emptied_postgres(shared_postgres):
    url, empty = shared_postgres
    empty()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    """The same test on both databases, empty and migrated."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "emptied_postgres")


@pytest_asyncio.fixture
async def runtime(database_url):
    made = a_runtime(database_url)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def shop(database_url):
    """A shop whose store works in the caller: every step is done when its call returns."""
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    yield await opened(runtime)
    await runtime.close()


@pytest_asyncio.fixture
async def busy_shop(database_url):
    """A shop whose store has its real lanes, several of them on PostgreSQL."""
    runtime = a_runtime(database_url, http=Provider())
    yield await opened(runtime)
    await runtime.close()


@pytest_asyncio.fixture
async def small_shop(sqlite_url):
    """A shop on SQLite alone, for what the database has no part in."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    yield await opened(runtime)
    await runtime.close()
