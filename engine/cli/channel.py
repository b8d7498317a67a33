"""`trilho channel`: the telephone numbers that the robot speaks through."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant, listing, say, say_json
from engine.cli.connecting import name_of, named, shared
from engine.cli.opening import actor, base_url, settings_now, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.channels import ChannelRecord

KINDS = ("whatsapp_cloud", "evolution", "phone")
DEFAULT_FLOW = "venda"


@click.group()
def channel() -> None:
    """Channels: the numbers that people write to."""


@channel.command()
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What the number is connected to.")
@click.option("--name", required=True, help="A name of your own.")
@click.option("--token", help="The end of the webhook address (default: a fresh secret).")
@click.option("--flow", default=DEFAULT_FLOW, show_default=True, help="The flow that new contacts enter.")
@shared
@as_json
def add(kind: str, name: str, token: str | None, flow: str, values: dict[str, str], json_: bool) -> None:
    """Add a channel and print its webhook address.

    Keys of whatsapp_cloud: app_secret verify_token access_token phone_number_id base_url. Keys of evolution: api_key
    instance base_url.
    """

    async def work(runtime: "Runtime") -> "ChannelRecord":
        from engine.services import channels

        return await channels.add(runtime, kind, name, actor(), token=token, flow=flow, values=values)

    _tell(with_runtime(work), "added", json_)


@channel.command("list")
@as_json
def list_(json_: bool) -> None:
    """List the channels, without their secrets."""

    async def work(runtime: "Runtime") -> "list[ChannelRecord]":
        from engine.services import channels

        return await channels.everything(runtime)

    found = [_shown(record) for record in with_runtime(work)]
    if json_:
        say_json({"channels": found})
    else:
        columns = ("name", "kind", "flow", "state", "address")
        listing([[row[column] for column in columns] for row in found], columns)


@channel.command("set")
@named
@click.option("--rename", help="A new name.")
@click.option("--flow", help="The flow that new contacts enter from now on.")
@shared
@as_json
def set_(
    name: str | None, name_option: str | None, rename: str | None, flow: str | None, values: dict[str, str], json_: bool
) -> None:
    """Change a channel; `--set key=` takes a key away."""
    chosen = name_of(name, name_option)

    async def work(runtime: "Runtime") -> "ChannelRecord":
        from engine.services import channels

        there = await channels.by_name(runtime, chosen)
        return await channels.change(runtime, there.id, actor(), name=rename, flow=flow, values=values)

    _tell(with_runtime(work), "changed", json_)


@channel.command()
@named
@as_json
def remove(name: str | None, name_option: str | None, json_: bool) -> None:
    """Take a channel out of use: its webhook address is unknown from now on."""
    chosen = name_of(name, name_option)

    async def work(runtime: "Runtime") -> None:
        from engine.services import channels

        await channels.remove(runtime, (await channels.by_name(runtime, chosen)).id, actor())

    with_runtime(work)
    if json_:
        say_json({"removed": chosen})
    else:
        say(f"Channel {chosen} removed.")


def _tell(record: "ChannelRecord", what: str, json_: bool) -> None:
    shown = _shown(record)
    if json_:
        say_json(shown)
        return
    say(f"Channel {shown['name']} ({shown['kind']}) {what}; new contacts enter the flow {shown['flow']}.")
    say(f"Webhook address: {shown['address']}")


def _shown(record: "ChannelRecord") -> dict[str, Any]:
    return {
        "name": record.config.name,
        "kind": record.config.kind,
        "flow": record.flow,
        "address": f"{base_url(settings_now())}/hooks/wa/{record.token}",
        "state": record.state,
        "settings": dict(record.config.settings),
        "secrets": sorted(record.config.secrets),
        "created_at": instant(record.created_at),
    }
