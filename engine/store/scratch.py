"""An empty, migrated database for one use: a file that is deleted, or a schema that is dropped."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

from engine.store.migrations import upgrade

_numbers = count(1)


@contextmanager
def scratch(url: str | None = None) -> Iterator[str]:
    """The address of an empty database: beside nothing of yours, in a file, or in a schema of the PostgreSQL at `url`.

    What is stored at `url` is never touched.
    """
    if url is None or make_url(url).get_backend_name() == "sqlite":
        with tempfile.TemporaryDirectory(prefix="trilho-") as folder:
            path = Path(folder) / "scratch.db"
            shutil.copyfile(_template(), path)
            yield f"sqlite:///{path}"
        return
    schema = f"scratch_{os.getpid()}_{next(_numbers)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    address = make_url(url)
    own = address.update_query_dict({"options": f"{address.query.get('options', '')} -c search_path={schema}".strip()})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {schema}"))
        upgrade(own.render_as_string(hide_password=False))
        yield own.render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
        engine.dispose()


@lru_cache(maxsize=1)
def _template() -> Path:
    """A migrated file to copy; migrating takes longer than most scenarios."""
    folder = tempfile.mkdtemp(prefix="trilho-template-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "template.db"
    upgrade(f"sqlite:///{path}")
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path
