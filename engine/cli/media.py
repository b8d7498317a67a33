"""`trilho media`: the files that customers send."""

from typing import Any

import click

from engine.cli.answers import as_json, listing, say, say_json
from engine.cli.opening import actor, with_runtime

MEGABYTE = 1024 * 1024


@click.group()
def media() -> None:
    """Media: the files that customers send."""


@media.command("set")
@click.option("--limit", type=click.IntRange(1, 100), required=True, metavar="MB", help="How large a file may be.")
@as_json
def set_(limit: int, json_: bool) -> None:
    """Set how large a file may be; larger ones are refused from now on, and the conversation says so."""

    async def work(runtime: Any) -> None:
        from engine.services.media_limit import set_limit

        await set_limit(runtime, actor(), limit * MEGABYTE)

    with_runtime(work)
    if json_:
        say_json({"limit_mb": limit})
    else:
        say(f"Files of up to {limit} MB are kept.")


@media.command()
@as_json
def show(json_: bool) -> None:
    """Show the limit, and how many files there are and how large they are together."""

    async def work(runtime: Any) -> Any:
        from engine.services.media_limit import show as report

        return await report(runtime)

    report = with_runtime(work)
    limit = report.limit // MEGABYTE
    if json_:
        say_json({"limit_mb": limit, "files": dict(report.files), "bytes": report.bytes})
        return
    say(f"Files of up to {limit} MB are kept; they have {report.bytes / MEGABYTE:.1f} MB in all.")
    listing([[state, count] for state, count in report.files.items()], ("state", "files"))
