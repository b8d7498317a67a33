"""Databases for tests: a fresh, migrated one per test, on SQLite and on PostgreSQL. And properties that are repeatable.

A property is tried on the same examples in every run, so that the same code gives the same verdict; fresh ones are
searched with `pytest --hypothesis-profile=default`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from engine.store import migrations
from tests.postgres import TEMPLATE, Cluster, running_cluster

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """One server per process that runs tests, started by the first test that needs it."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def _postgres_template(postgres_cluster: Cluster) -> str:
    """The schema is built once; copying it takes a fraction of the time of building it."""
    name = postgres_cluster.create(TEMPLATE)
    migrations.upgrade(postgres_cluster.url(name))
    return name


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    migrations.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def empty_postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """An empty PostgreSQL database, for tests of the migrations themselves."""
    name = postgres_cluster.create()
    yield postgres_cluster.url(name)
    postgres_cluster.drop(name)


@pytest.fixture
def postgres_url(postgres_cluster: Cluster, _postgres_template: str) -> Iterator[str]:
    """A migrated PostgreSQL database of this test alone, dropped after it whoever is still connected."""
    name = postgres_cluster.create(template=_postgres_template)
    yield postgres_cluster.url(name)
    postgres_cluster.drop(name)


@pytest.fixture
def sqlite_url(tmp_path: Path, _sqlite_template: Path) -> str:
    """A migrated SQLite file of this test alone."""
    return _copied(_sqlite_template, tmp_path)


@pytest.fixture(scope="module")
def shared_sqlite_url(tmp_path_factory: pytest.TempPathFactory, _sqlite_template: Path) -> str:
    """A migrated SQLite file of all tests of one file, for those that mostly look."""
    return _copied(_sqlite_template, tmp_path_factory.mktemp("shared"))


def _copied(template: Path, folder: Path) -> str:
    path = folder / "trilho.db"
    for part in (template, *template.parent.glob(f"{template.name}-*")):
        shutil.copy(part, path.with_name(part.name.replace(template.name, path.name)))
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The same test on both databases: a fresh, migrated one each time."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """As `database_url`, without a schema."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url
