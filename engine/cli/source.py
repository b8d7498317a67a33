"""`trilho source`: the payment platforms that tell what people bought."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant, listing, say, say_json
from engine.cli.connecting import name_of, named, shared
from engine.cli.opening import actor, base_url, settings_now, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.sources import SourceRecord


@click.group()
def source() -> None:
    """Payment sources: the platforms that tell what people bought."""


@source.command()
@click.option("--platform", required=True, help="The payment platform, such as hotmart.")
@click.option("--name", required=True, help="A name of your own.")
@click.option("--flow", required=True, help="The flow that gets the payment events.")
@click.option("--token", help="The end of the webhook address (default: a fresh secret).")
@shared
@as_json
def add(platform: str, name: str, flow: str, token: str | None, values: dict[str, str], json_: bool) -> None:
    """Add a payment source and print its webhook address.

    Keys of hotmart: hottok. `--set event.approved=NAME` says which event of the flow an outcome becomes, where it is
    not the usual one.
    """

    async def work(runtime: "Runtime") -> "SourceRecord":
        from engine.services import sources

        return await sources.add(runtime, platform, name, flow, actor(), token=token, values=values)

    _tell(with_runtime(work), "added", json_)


@source.command("list")
@as_json
def list_(json_: bool) -> None:
    """List the payment sources, without their secrets."""

    async def work(runtime: "Runtime") -> "list[SourceRecord]":
        from engine.services import sources

        return await sources.everything(runtime)

    found = [_shown(record) for record in with_runtime(work)]
    if json_:
        say_json({"sources": found})
    else:
        columns = ("name", "platform", "flow", "address")
        listing([[row[column] for column in columns] for row in found], columns)


@source.command("set")
@named
@click.option("--rename", help="A new name.")
@click.option("--flow", help="The flow that gets the payment events from now on.")
@shared
@as_json
def set_(
    name: str | None, name_option: str | None, rename: str | None, flow: str | None, values: dict[str, str], json_: bool
) -> None:
    """Change a payment source; `--set key=` takes a key away."""
    chosen = name_of(name, name_option)

    async def work(runtime: "Runtime") -> "SourceRecord":
        from engine.services import sources

        there = await sources.by_name(runtime, chosen)
        return await sources.change(runtime, there.id, actor(), name=rename, flow=flow, values=values)

    _tell(with_runtime(work), "changed", json_)


@source.command()
@named
@as_json
def remove(name: str | None, name_option: str | None, json_: bool) -> None:
    """Take a payment source out of use: its webhook address is unknown from now on."""
    chosen = name_of(name, name_option)

    async def work(runtime: "Runtime") -> None:
        from engine.services import sources

        await sources.remove(runtime, (await sources.by_name(runtime, chosen)).id, actor())

    with_runtime(work)
    if json_:
        say_json({"removed": chosen})
    else:
        say(f"Payment source {chosen} removed.")


def _tell(record: "SourceRecord", what: str, json_: bool) -> None:
    shown = _shown(record)
    if json_:
        say_json(shown)
        return
    say(f"Payment source {shown['name']} ({shown['platform']}) {what}; its events go to the flow {shown['flow']}.")
    say(f"Webhook address: {shown['address']}")


def _shown(record: "SourceRecord") -> dict[str, Any]:
    return {
        "name": record.config.name,
        "platform": record.config.platform,
        "flow": record.flow,
        "address": f"{base_url(settings_now())}/hooks/pay/{record.token}",
        "events": dict(record.events),
        "secrets": sorted(record.config.secrets),
        "created_at": instant(record.created_at),
    }
