"""`trilho diagram`: the picture of a flow in a file."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from engine.cli.answers import Unusable, as_json, language, say, say_json
from engine.cli.reading import flow_meant

if TYPE_CHECKING:
    from engine.core.diagram.palette import Theme
    from engine.services.draw import Format

FORMATS = ("svg", "png", "pdf", "dot", "mmd")


@click.command(short_help="The picture of a flow.")
@click.argument("flow", metavar="FLOW")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="The format (default: by the file's ending).")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option(
    "--phase", type=click.IntRange(min=0), metavar="N",
    help="One phase of a large flow, 0 for their overview (the default above 300 states).",
)  # fmt: skip
@click.option("--no-actions", is_flag=True, help="Leave out what the robot does.")
@language
@as_json
def diagram(
    flow: str,
    output: Path,
    format_: str | None,
    theme: str,
    phase: int | None,
    no_actions: bool,
    language: str,
    json_: bool,
) -> None:
    """Draw FLOW: a file (JSON or YAML), SLUG@N of the database, or SLUG (its draft, else the sample of this name)."""
    from engine.core.diagram.graph import Drawing
    from engine.core.diagram.phases import phases
    from engine.services.draw import picture
    from engine.services.draw_phases import of_phases, usual

    chosen = format_ or output.suffix.lstrip(".").lower()
    if chosen not in FORMATS:
        raise click.UsageError(f"The ending of {output.name} is none of {', '.join(FORMATS)}: say --format.")
    drawing = Drawing(theme=cast("Theme", theme), actions=not no_actions, language=language)
    meant = flow_meant(flow, language).flow
    file = cast("Format", chosen)
    number = usual(meant, file) if phase is None else phase
    count = len(phases(meant))
    if (number or 0) > count:
        raise click.UsageError(f"{meant.slug} has no phase {number}: it has {count}.")
    whole = number is None or not count
    drawn = asyncio.run(picture(meant, drawing, file) if whole else of_phases(meant, drawing, number or 0, file))
    content = drawn.encode() if isinstance(drawn, str) else drawn
    try:
        output.write_bytes(content)
    except OSError as error:
        raise Unusable(("", f"The file {output} cannot be written: {error.strerror or error}.")) from None
    if json_:
        say_json({"flow": meant.slug, "file": str(output), "format": chosen, "bytes": len(content)})
    else:
        of = "" if whole else f", phase {number} of {count}" if number else f", the overview of its {count} phases"
        say(f"{meant.slug} is drawn in {output}{of}.")
