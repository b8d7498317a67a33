"""One PostgreSQL database for many tests, emptied before each: making one takes longer than most tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import create_engine

from tests.postgres import Cluster


@contextmanager
def shared(cluster: Cluster, template: str) -> Iterator[Callable[[], str]]:
    """A function that empties the database and returns its address."""
    name = cluster.create(template=template)
    url = cluster.url(name)
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        emptying = connection.exec_driver_sql(
            "SELECT string_agg('DELETE FROM ' || quote_ident(tablename), '; ') FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        ).scalar_one()
        # Ids begin at 1 again, as they do in the databases of the other tests.
        restarting = connection.exec_driver_sql(
            "SELECT string_agg('ALTER SEQUENCE ' || quote_ident(sequencename) || ' RESTART', '; ') FROM pg_sequences"
            " WHERE schemaname = 'public'"
        ).scalar_one()
        # What only grows refuses to be emptied, except to a superuser who says that he copies.
        connection.exec_driver_sql("SET session_replication_role = replica")
        connection.exec_driver_sql("SET lock_timeout = '5s'")

        def empty() -> str:
            connection.exec_driver_sql(f"{emptying}; {restarting}")
            return url

        yield empty
    engine.dispose()
    cluster.drop(name)
