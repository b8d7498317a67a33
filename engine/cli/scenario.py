"""`trilho scenario`: play scenario files and say what differs."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.answers import Unusable, as_json, say, say_json
from engine.core.errors import BadSettings
from engine.settings import from_environment

if TYPE_CHECKING:
    from engine.services.scenarios.run import Result


@click.command(short_help="Play scenario files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--database-url", metavar="URL", help="A PostgreSQL to play on, in a schema of its own (default: SQLite)."
)
@as_json
def scenario(paths: Sequence[Path], database_url: str | None, json_: bool) -> int:
    """Play scenario files, or all of a folder, through the real services on a database of their own and a virtual clock.

    One line for each file, with what differs; exit code 1 when one failed.
    """
    _require_usable(paths, database_url)
    from engine.services.scenarios import run

    chosen = run.files(paths)
    if not chosen:
        raise Unusable(*((str(path), "There is no scenario file (*.json) in this folder.") for path in paths))
    results = []
    for path in chosen:
        result = asyncio.run(run.play(path, database_url))
        results.append(result)
        if not json_:
            _tell(result)
    failed = sum(1 for result in results if not result.passed)
    if json_:
        shown = [{"file": r.file, "passed": r.passed, "differences": list(r.differences)} for r in results]
        say_json({"results": shown})
    else:
        say(f"{len(results) - failed} passed, {failed} failed")
    return int(failed > 0)


def _tell(result: "Result") -> None:
    say(f"{'passed' if result.passed else 'FAILED'}  {result.file}")
    for difference in result.differences:
        say(f"    {' '.join(difference.split())}")


def _require_usable(paths: Sequence[Path], database_url: str | None) -> None:
    missing = [(str(path), "There is no such file or folder.") for path in paths if not path.exists()]
    if missing:
        raise Unusable(*missing)
    try:
        from_environment({} if database_url is None else {"TRILHO_DATABASE_URL": database_url})
    except BadSettings as error:
        raise Unusable(("", str(error).replace("TRILHO_DATABASE_URL", "--database-url"))) from None
