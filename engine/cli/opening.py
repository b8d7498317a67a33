"""From the environment to an installation: settings, whether the database is there and current, and a runtime on it."""

import asyncio
import getpass
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engine.cli.answers import Unusable
from engine.settings import Settings, from_environment

if TYPE_CHECKING:
    from engine.core.permissions import Actor
    from engine.runtime import Runtime
    from engine.store.lanes import Store

__all__ = ["actor", "base_url", "database_there", "require_current", "settings_now", "with_runtime", "with_store"]

T = TypeVar("T")
DEFAULT_BASE = "http://127.0.0.1:8000"
FIRST = "run `trilho migrate` first"


def settings_now(**changes: str | None) -> Settings:
    """The settings of this process; `changes` are variables without their prefix. Raises BadSettings."""
    given = {f"TRILHO_{name.upper()}": value for name, value in changes.items() if value is not None}
    environment: Mapping[str, str] = {**os.environ, **given}
    return from_environment(environment)


def base_url(settings: Settings) -> str:
    """Where the pages of the installation are: as configured, else where it was started last."""
    return settings.base_url or asyncio.run(_started_at(settings)) or DEFAULT_BASE


async def _started_at(settings: Settings) -> str | None:
    from engine.services.install import last_address
    from engine.store.lanes import Store

    store = Store(settings.database_url, inline=True)
    try:
        return await last_address(store)
    finally:
        await store.close()


def actor() -> "Actor":
    """Who is at the terminal, for the audit log."""
    from engine.core.permissions import Actor

    try:
        return Actor(f"terminal:{getpass.getuser()}")
    except (OSError, KeyError):  # a container's user may have no name
        return Actor("terminal")


def database_there(settings: Settings) -> bool:
    """Whether there is something to open: reading must not make an empty SQLite file."""
    scheme, _, path = settings.database_url.partition(":///")
    return scheme != "sqlite" or Path(path.partition("?")[0]).exists()


def with_runtime(work: "Callable[[Runtime], Coroutine[Any, Any, T]]") -> T:
    """Run work on the installation, whose database must be there and current. Raises Unusable and what `work` raises."""

    async def opened(settings: Settings) -> T:
        from engine.runtime import open_runtime

        runtime = await open_runtime(settings)
        try:
            await require_current(runtime.store)
            return await work(runtime)
        finally:
            await runtime.close()

    return _run(opened)


def with_store(work: "Callable[[Store], Coroutine[Any, Any, T]]") -> T:
    """Run work that only reads the database; makes neither a key nor a folder. Raises as `with_runtime`."""

    async def opened(settings: Settings) -> T:
        from engine.store.lanes import Store

        store = Store(settings.database_url)
        try:
            await require_current(store)
            return await work(store)
        finally:
            await store.close()

    return _run(opened)


def _run(opened: Callable[[Settings], Coroutine[Any, Any, T]]) -> T:
    settings = settings_now()
    _quiet(settings)
    _require_there(settings)
    return asyncio.run(opened(settings))


async def require_current(store: "Store") -> None:
    """Raise Unusable unless the schema is the one of this version."""
    from engine.store.revision import newest, revision

    there, wanted = await store.read(revision), newest()
    if there is None:
        raise Unusable(("", f"The database has no tables yet: {FIRST}."))
    if there < wanted:
        raise Unusable(("", f"The database is at schema {there} and this version needs {wanted}: {FIRST}."))
    if there > wanted:
        raise Unusable(("", f"The database is at schema {there}, newer than this version of Trilho knows ({wanted})."))


def _require_there(settings: Settings) -> None:
    if not database_there(settings):
        raise Unusable(("", f"There is no database at {settings.database_url.partition(':///')[2]} yet: {FIRST}."))


def _quiet(settings: Settings) -> None:
    """What services log goes to standard error, and only what matters: the answer alone is on standard output."""
    from engine import logs

    logs.configure(settings.log, sys.stderr)
    logging.getLogger().setLevel(logging.WARNING)
