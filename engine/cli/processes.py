"""The commands that run parts of an installation: all of it, the web, a worker, and bringing the schema up to date."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import settings_now
from engine.settings import as_environment

host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
port = click.option(
    "--port", type=click.IntRange(1, 65_535), default=8_000, show_default=True, help="Port to listen on."
)


@click.command(short_help="Everything on this machine, from nothing.")
@host
@port
@click.option("--data", type=click.Path(path_type=Path), help="Data folder (default: TRILHO_DATA_DIR, or ./data).")
def run(host: str, port: int, data: Path | None) -> int:
    """Run everything on this machine: database, queue, web and worker, with nothing to install or to configure.

    The first start loads the sample flows. It prints the address and, until there is an administrator, a one-time link
    to become one. Ctrl-C stops it.
    """
    from engine.embedded import run as run_everything

    return run_everything(settings_now(data_dir=None if data is None else str(data)), host, port)


@click.command(short_help="Only the web server.")
@host
@port
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
def web(host: str, port: int, workers: int) -> None:
    """Run the web server on TRILHO_DATABASE_URL and TRILHO_REDIS_URL; any number may run at the same time."""
    from engine.cli.opening import with_runtime
    from engine.preparing import WAY_IN
    from engine.services import install
    from engine.serving import command

    settings = settings_now()
    settings = replace(settings, base_url=settings.base_url or f"http://{host}:{port}")
    if token := with_runtime(install.first_start):
        say(f"One-time link of the first administrator: {settings.base_url}{WAY_IN}{token}")
    sys.stdout.flush()
    line = command(host, port, workers)
    os.execve(line[0], line, {**os.environ, **as_environment(settings)})  # noqa: S606 - our own command line, no shell


@click.command(short_help="Only a worker.")
def worker() -> None:
    """Run a worker on TRILHO_DATABASE_URL and TRILHO_REDIS_URL; any number may run at the same time."""
    from engine.cli.opening import with_store

    async def nothing(_store: object) -> None:
        """The check that comes before is all that is wanted."""

    with_store(nothing)
    import uvloop

    from engine.worker import main as work

    uvloop.run(work())


@click.command(short_help="Bring the database to the schema of this version.")
@as_json
def migrate(json_: bool) -> None:
    """Bring the database to the schema of this version (also done by `run`); doing it again changes nothing."""
    from engine.store import migrations

    settings = settings_now()
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = migrations.current(settings.database_url)
    migrations.upgrade(settings.database_url)
    after = migrations.current(settings.database_url)
    if json_:
        say_json({"before": before, "after": after})
    elif before == after:
        say(f"The database is at schema {after} already.")
    else:
        say(f"The database is now at schema {after}{f' (was {before})' if before else ''}.")
