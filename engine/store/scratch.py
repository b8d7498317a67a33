"""An empty, migrated database for one use: a file that is deleted, or a schema that is dropped."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path

from engine.store import drivers

_numbers = count(1)


@contextmanager
def scratch(url: str | None = None) -> Iterator[str]:
    """The address of an empty database: beside nothing of yours, in a file, or in a schema of the PostgreSQL at `url`.

    What is stored at `url` is never touched.
    """
    if url is None or drivers.dialect_of(url) == drivers.SQLITE:
        with tempfile.TemporaryDirectory(prefix="trilho-") as folder:
            path = Path(folder) / "scratch.db"
            shutil.copyfile(_template(), path)
            yield f"sqlite:///{path}"
        return
    schema = f"scratch_{os.getpid()}_{next(_numbers)}"
    own = drivers.with_options(url, f"-c search_path={schema}")
    try:
        _run(url, f"CREATE SCHEMA {schema}")
        _migrate(own)
        yield own
    finally:
        _run(url, f"DROP SCHEMA IF EXISTS {schema} CASCADE")


def _migrate(url: str) -> None:
    # Read when the first one is made: a web server that only might simulate starts without it.
    from engine.store.migrations import upgrade

    upgrade(url)


def _run(url: str, statement: str) -> None:
    with closing(drivers.connect(url, writes=True)) as driver:
        driver.execute(statement)
        driver.commit()


@lru_cache(maxsize=1)
def _template() -> Path:
    """A migrated file to copy; migrating takes longer than most scenarios."""
    folder = tempfile.mkdtemp(prefix="trilho-template-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "template.db"
    _migrate(f"sqlite:///{path}")
    _run(f"sqlite:///{path}", "PRAGMA wal_checkpoint(TRUNCATE)")
    return path
