"""`trilho source`: the payment platforms that tell what people bought."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant
from engine.cli.connecting import Commands, address, shared

if TYPE_CHECKING:
    from engine.services.connect import Connections
    from engine.services.sources import SourceRecord


def _sources() -> "Connections[Any, Any]":
    from engine.services.sources import SOURCES

    return SOURCES


def _shown(record: "SourceRecord") -> dict[str, Any]:
    return {
        "name": record.config.name,
        "platform": record.config.platform,
        "flow": record.flow,
        "address": address("pay", record.token),
        "events": dict(record.events),
        "secrets": sorted(record.config.secrets),
        "created_at": instant(record.created_at),
    }


@click.group()
def source() -> None:
    """Payment sources: the platforms that tell what people bought."""


COMMANDS = Commands(
    connections=_sources,
    called="payment source",
    plural="sources",
    columns=("name", "platform", "flow", "address"),
    shown=_shown,
    told="Payment source {name} ({platform}) {what}; its events go to the flow {flow}.",
    flow="The flow that gets the payment events",
)
COMMANDS.onto(source)


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
    not the usual one; the flow must have it. `--set event.refunded=-` lets an outcome become nothing.
    """
    COMMANDS.add(platform, name, flow, token, values, json_)
