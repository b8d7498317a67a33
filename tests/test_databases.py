"""The databases that tests stand on: both kinds, empty at the start of every test, and PostgreSQL of the right age."""

import psycopg
import sqlalchemy

from tests.postgres import Cluster


def test_an_empty_database_answers_on_both_kinds(empty_database_url: str) -> None:
    engine = sqlalchemy.create_engine(empty_database_url)
    with engine.connect() as connection:
        assert connection.execute(sqlalchemy.text("select 1")).scalar() == 1
        assert sqlalchemy.inspect(connection).get_table_names() == []
    engine.dispose()


def test_a_test_never_sees_what_another_one_wrote(postgres_cluster: Cluster) -> None:
    first = postgres_cluster.create()
    url = postgres_cluster.url(first).replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute("create table leaked (x int)")

    copy = postgres_cluster.create(template="template0")
    with psycopg.connect(postgres_cluster.url(copy).replace("+psycopg", "")) as connection:
        found = connection.execute("select count(*) from pg_tables where tablename = 'leaked'").fetchone()

    assert found == (0,)
    postgres_cluster.drop(first)
    postgres_cluster.drop(copy)


def test_postgresql_is_the_supported_one(postgres_cluster: Cluster) -> None:
    assert postgres_cluster.admin.info.server_version // 10_000 == 18


def test_a_migrated_database_has_tables_and_is_new_each_time(database_url: str) -> None:
    engine = sqlalchemy.create_engine(database_url)
    with engine.connect() as connection:
        tables = sqlalchemy.inspect(connection).get_table_names()
    engine.dispose()

    assert "alembic_version" in tables
    assert len(tables) > 1
