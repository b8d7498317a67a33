"""`trilho channel pair` and `state`: connect a number whose session runs on a gateway, and see how it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.answers import Unusable, as_json, say, say_json
from engine.cli.connecting import name_of, named
from engine.cli.opening import actor, base_url, settings_now, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.pairing import Seen

__all__ = ["pair", "state"]

STATES: Mapping[str, str] = {
    "open": "is connected",
    "connecting": "waits for its QR code to be read",
    "close": "is not connected: run `trilho channel pair`",
    "missing": "is not there: the gateway has no such instance, and it could not be made",
    "unauthorized": "cannot be asked: the gateway does not take the key",
    "unreached": "cannot be asked: the gateway does not answer",
}


@click.command()
@named
@click.option("--number", default="", help="The number, to get a code that is typed on its telephone.")
@click.option(
    "--qr",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the QR code into this file (PNG). It links a telephone for a minute: keep it to yourself.",
)
@as_json
def pair(name: str | None, name_option: str | None, number: str, file: Path | None, json_: bool) -> None:
    """Create or connect the number's instance at its gateway, and have its news posted here."""
    chosen, base = name_of(name, name_option), base_url(settings_now())

    async def work(runtime: "Runtime") -> "Seen":
        from engine.services import channels, pairing

        there = await channels.by_name(runtime, chosen)
        return await pairing.begin(runtime, there.id, actor(), base, number)

    seen = with_runtime(work)
    if file is not None and seen.link.qr is not None:
        _write(file, seen.link.qr)
    _tell(seen, file, json_)


@click.command()
@named
@as_json
def state(name: str | None, name_option: str | None, json_: bool) -> int:
    """Ask the gateway how the number's connection is; exit 1 unless it is open."""
    chosen = name_of(name, name_option)

    async def work(runtime: "Runtime") -> "Seen":
        from engine.services import channels, pairing

        there = await channels.by_name(runtime, chosen)
        return await pairing.seen(runtime, there.id)

    seen = with_runtime(work)
    _tell(seen, None, json_)
    return int(seen.link.state != "open")


def _write(file: Path, content: bytes) -> None:
    try:
        file.touch(mode=0o600)
        file.write_bytes(content)
    except OSError as error:
        raise Unusable((str(file), f"cannot be written: {error.strerror}")) from error


def _tell(seen: "Seen", file: Path | None, json_: bool) -> None:
    link = seen.link
    written = str(file) if file is not None and link.qr is not None else None
    if json_:
        say_json({"name": seen.name, "state": link.state, "pairing_code": link.pairing_code, "qr": written})
        return
    say(f"Channel {seen.name} {STATES.get(link.state, f'is {link.state}')}.")
    if link.detail:
        say(f"The gateway says: {link.detail}")
    if link.pairing_code:
        say(f"Code to type on the telephone: {link.pairing_code}")
    if written:
        say(f"QR code: {written}")
    elif link.qr is not None:
        say("Read the QR code on the channel's page in Trilho, or write it into a file with --qr.")
    if seen.unproved:
        say("The gateway did not keep our header: its posts will be refused. Take webhook_secret away or update it.")
