"""`trilho sending`: the switch that holds every message of the installation."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, instant, say, say_json
from engine.cli.opening import actor, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.emergency import Halt


@click.group()
def sending() -> None:
    """Stop all sending at once, and let it go on."""


@sending.command()
@click.option("--reason", default="", help="Shown to the team on every page.")
@as_json
def stop(reason: str, json_: bool) -> None:
    """Hold every message from now on. Nothing is lost: what would be said waits."""

    async def work(runtime: "Runtime") -> "Halt":
        from engine.services import emergency

        return await emergency.stop(runtime, actor(), reason)

    _told(with_runtime(work), json_)


@sending.command()
@as_json
def resume(json_: bool) -> None:
    """Let messages leave again; of several reminders to one conversation only the newest."""

    async def work(runtime: "Runtime") -> int:
        from engine.services import emergency

        return await emergency.resume(runtime, actor())

    dropped = with_runtime(work)
    if json_:
        say_json({"stopped": False, "out_of_date": dropped})
    else:
        say(f"Messages leave again. Out of date and not sent: {dropped}.")


@sending.command()
@as_json
def status(json_: bool) -> int:
    """Whether messages leave: exit code 1 when they do not."""

    async def work(runtime: "Runtime") -> "Halt | None":
        from engine.services import emergency

        return await emergency.standing(runtime)

    found = with_runtime(work)
    if found is not None:
        _told(found, json_)
    elif json_:
        say_json({"stopped": False})
    else:
        say("Messages leave.")
    return int(found is not None)


def _told(found: "Halt", json_: bool) -> None:
    if json_:
        say_json({"stopped": True, "since": found.at, "by": found.who, "reason": found.reason})
        return
    why = f": {found.reason}" if found.reason else ""
    say(f"Nothing leaves since {instant(found.at)}, by {found.who}{why}.")
