"""`trilho source`: the payment platforms that tell what people bought."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant, listing, say, say_json
from engine.cli.connecting import Commands, address, name_of, named, shared
from engine.cli.opening import actor, with_runtime

if TYPE_CHECKING:
    from engine.services.connect import Connections
    from engine.services.sources import SourceRecord
    from engine.services.unanswered import Unanswered

COLUMNS = ("source", "platform", "notice", "since", "attempts", "next", "reason")


def _sources() -> "Connections[Any, Any]":
    from engine.services.sources import SOURCES

    return SOURCES


def _shown(record: "SourceRecord") -> dict[str, Any]:
    return {
        "name": record.config.name,
        "platform": record.config.platform,
        "flow": record.flow,
        "products": dict(record.products),
        "address": address("pay", record.token),
        "events": dict(record.events),
        "settings": {key: value for key, value in record.config.settings.items() if not key.startswith("product.")},
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
    columns=("name", "platform", "flow", "products", "address"),
    shown=_shown,
    told="Payment source {name} ({platform}) {what}; its events go to the flow {flow}.",
    flow="The flow that gets the payment events",
)
COMMANDS.onto(source)


class _Add(click.Command):
    """Its help ends with the keys of every platform, read from their declarations when it is asked for."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The keys."""
        from engine.adapters.payments.registry import PLATFORMS

        for platform in PLATFORMS.values():
            with formatter.section(f"Keys of {platform.name} ({platform.title})"):
                formatter.write_dl(
                    [
                        (f"{key.name}{'…' if key.prefix else ''}", f"{key.about}{' (secret)' if key.secret else ''}")
                        for key in platform.keys
                    ]
                )
        super().format_epilog(ctx, formatter)


@source.command(cls=_Add)
@click.option("--platform", required=True, help="The payment platform, such as hotmart; see below.")
@click.option("--name", required=True, help="A name of your own.")
@click.option("--flow", required=True, help="The flow that gets the payment events.")
@click.option("--token", help="The end of the webhook address (default: a fresh secret).")
@shared
@as_json
def add(platform: str, name: str, flow: str, token: str | None, values: dict[str, str], json_: bool) -> None:
    """Add a payment source and print its webhook address.

    Beside the keys of its platform, `--set event.approved=NAME` says which event of the flow an outcome becomes, where
    it is not the usual one (the flow must have it; `-` lets it become nothing), and `--set product.ID=FLOW` (or the
    product's name for its id) which flow gets the notices about a product, where it is not the source's own.
    """
    COMMANDS.add(platform, name, flow, token, values, json_)


@source.command()
@as_json
def unanswered(json_: bool) -> None:
    """List what platforms were asked about notices and have not answered.

    Without a next attempt it was asked often enough: see to the reason, then `trilho source ask-again NAME`.
    """

    async def work(runtime: Any) -> "list[Unanswered]":
        from engine.services.unanswered import listed

        return await listed(runtime)

    found = [_told(one) for one in with_runtime(work)]
    if json_:
        say_json({"unanswered": found})
    else:
        listing([[row[column] for column in COLUMNS] for row in found], COLUMNS)


@source.command("ask-again")
@named
@as_json
def ask_again(name: str | None, name_option: str | None, json_: bool) -> None:
    """Ask a platform anew about every notice of a source that it was asked about in vain."""
    chosen = name_of(name, name_option)

    async def work(runtime: Any) -> int:
        from engine.services.unanswered import again

        return await again(runtime, chosen, actor())

    count = with_runtime(work)
    if json_:
        say_json({"source": chosen, "notices": count})
    else:
        say(f"Payment source {chosen}: {count} {'notice is' if count == 1 else 'notices are'} asked about again.")


def _told(one: "Unanswered") -> dict[str, Any]:
    return {
        "source": one.source,
        "platform": one.platform,
        "notice": one.notice,
        "since": instant(one.since),
        "attempts": one.attempts,
        "next": instant(one.next_at),
        "reason": one.reason,
    }
