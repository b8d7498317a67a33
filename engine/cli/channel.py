"""`trilho channel`: the telephone numbers that the robot speaks through."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant
from engine.cli.connecting import Commands, address, shared
from engine.cli.pairing import pair, state

if TYPE_CHECKING:
    from engine.services.channels import ChannelRecord
    from engine.services.connect import Connections

KINDS = ("whatsapp_cloud", "evolution", "phone")
DEFAULT_FLOW = "venda"


def _channels() -> "Connections[Any, Any]":
    from engine.services.channels import CHANNELS

    return CHANNELS


def _shown(record: "ChannelRecord") -> dict[str, Any]:
    return {
        "name": record.config.name,
        "kind": record.config.kind,
        "flow": record.flow,
        "address": address("wa", record.token),
        "state": record.state,
        "settings": dict(record.config.settings),
        "secrets": sorted(record.config.secrets),
        "created_at": instant(record.created_at),
    }


@click.group()
def channel() -> None:
    """Channels: the numbers that people write to."""


COMMANDS = Commands(
    connections=_channels,
    called="channel",
    plural="channels",
    columns=("name", "kind", "flow", "state", "address"),
    shown=_shown,
    told="Channel {name} ({kind}) {what}; new contacts enter the flow {flow}.",
    flow="The flow that new contacts enter",
)
COMMANDS.onto(channel)
channel.add_command(pair)
channel.add_command(state)


@channel.command()
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What the number is connected to.")
@click.option("--name", required=True, help="A name of your own.")
@click.option("--token", help="The end of the webhook address (default: a fresh secret).")
@click.option("--flow", default=DEFAULT_FLOW, show_default=True, help="The flow that new contacts enter.")
@shared
@as_json
def add(kind: str, name: str, token: str | None, flow: str, values: dict[str, str], json_: bool) -> None:
    """Add a channel and print its webhook address.

    Keys of whatsapp_cloud: app_secret verify_token access_token phone_number_id waba_id base_url. Keys of evolution:
    api_key instance base_url, webhook_secret if its posts shall prove one, and how the number is spared: pacing=off, or
    gap_seconds jitter_seconds contact_gap_seconds contact_daily strangers_daily hours.
    """
    COMMANDS.add(kind, name, flow, token, values, json_)
