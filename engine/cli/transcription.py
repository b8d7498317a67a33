"""`trilho transcription`: the service that turns audios into words."""

from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, listing, say, say_json
from engine.cli.opening import actor, with_runtime

if TYPE_CHECKING:
    from engine.adapters.transcription import Service


def _shown(service: "Service | None") -> dict[str, Any] | None:
    """A service without its key."""
    if service is None:
        return None
    return {
        "base_url": service.base_url,
        "model": service.model,
        "language": service.language,
        "timeout": service.timeout // 1_000,
        "has_key": service.key is not None,
    }


@click.group()
def transcription() -> None:
    """Transcription: the service that turns customers' audios into words."""


@transcription.command("set")
@click.option("--base-url", help="Where it is, such as https://api.openai.com/v1; /audio/transcriptions is added.")
@click.option("--model", help="The model's name there (default at first: gpt-transcribe).")
@click.option(
    "--language", help="The language that people speak (default at first: pt); empty lets the service find out."
)
@click.option("--key", help="The service's key, which is sealed; empty takes it away.")
@click.option("--timeout", metavar="SECONDS", help="How long one try may take (default at first: 30).")
@as_json
def set_(json_: bool, **values: str | None) -> None:
    """Set the service up, or change it: what is not given stays as it was.

    Any server that speaks the protocol of OpenAI's audio transcriptions will do, also one on your own machines.
    """
    given = {name: value for name, value in values.items() if value is not None}
    if not given:
        raise click.UsageError("Say what to set", click.get_current_context())

    async def work(runtime: Any) -> "Service":
        from engine.services.transcription import set_service

        return await set_service(runtime, actor(), given)

    service = with_runtime(work)
    if json_:
        say_json(_shown(service))
    else:
        say(f"Audios are transcribed by {service.model} at {service.base_url}.")


@transcription.command()
@as_json
def show(json_: bool) -> None:
    """Show the service, without its key, and what became of the audios so far."""

    async def work(runtime: Any) -> Any:
        from engine.services.transcription import show as report

        return await report(runtime)

    report = with_runtime(work)
    shown = _shown(report.service)
    if json_:
        say_json({"service": shown, "audios": dict(report.audios), "transcribed_seconds": report.duration // 1_000})
        return
    if shown is None:
        say("No service is set up: audios are kept and shown, not transcribed.")
    else:
        listing([[name, "" if value is None else value] for name, value in shown.items()], ("setting", "value"))
    listing([[state, count] for state, count in report.audios.items()], ("transcript", "audios"))


@transcription.command()
@as_json
def remove(json_: bool) -> None:
    """Use no service any more; transcripts that exist stay."""

    async def work(runtime: Any) -> None:
        from engine.services.transcription import remove as taken_away

        await taken_away(runtime, actor())

    with_runtime(work)
    if json_:
        say_json({"removed": True})
    else:
        say("Audios are not transcribed any more.")
