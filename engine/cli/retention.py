"""`trilho retention`: what is older than it may be kept."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import actor, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.retention import Standing


@click.command()
@click.option("--apply", "apply_", is_flag=True, help="Take it away now, without waiting for the worker's daily run.")
@as_json
def retention(apply_: bool, json_: bool) -> None:
    """Show how long messages, files and notices are kept and how many are older; with --apply, take their content away."""

    async def work(runtime: "Runtime") -> "Standing":
        from engine.services import retention as keeping

        if apply_:
            await keeping.apply(runtime, actor())
        return await keeping.show(runtime)

    standing = with_runtime(work)
    if json_:
        say_json(
            {
                "days": dict(standing.days),
                "due": dict(standing.due),
                "removed": dict(standing.removed),
                "applied": apply_,
            }
        )
        return
    for kind, days in standing.days.items():
        gone = f", {standing.removed.get(kind, 0)} went now" if apply_ else ""
        say(f"{kind}: {days} days; {standing.due[kind]} older{gone}")
