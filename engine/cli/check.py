"""`trilho check`: the publish-time checks on a flow."""

from pathlib import Path

import click

from engine.cli.answers import as_json, language, say, say_json
from engine.cli.reading import flow_meant

GRAVE = ("error", "warning", "info")


@click.command(short_help="The checks that publishing runs.")
@click.argument("flow", metavar="FLOW")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="Exit 1 when a finding is at least so grave.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "github"]),
    default="text",
    show_default=True,
    help="Lines for people, or a Markdown summary for $GITHUB_STEP_SUMMARY.",
)
@click.option(
    "--save-paths",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write each finding's path as a scenario file, for `trilho scenario`.",
)
@language
@as_json
def check(flow: str, fail_on: str, format_: str, save_paths: Path | None, language: str, json_: bool) -> int:
    """Run the publish-time checks on FLOW: a file (JSON or YAML), SLUG@N of the database, or SLUG.

    A bare SLUG is its draft in the database if there is one, else the sample that ships with Trilho. Needs no database
    and creates nothing but the files of --save-paths.
    """
    from engine.cli.findings import as_document, lines, statistics, tally
    from engine.cli.saving import line, saved
    from engine.cli.summary import summary
    from engine.core.checks import run

    if json_ and format_ != "text":
        raise click.UsageError("--json and --format exclude each other.")
    found = flow_meant(flow, language)
    meant = found.flow
    findings = run.check(meant)
    paths = [] if save_paths is None else saved(meant.slug, found.tree, findings, save_paths, language)
    if json_:
        say_json(
            {
                "flow": meant.slug,
                "sha256": meant.sha256,
                "findings": [as_document(finding, language) for finding in findings],
                "stats": statistics(meant, findings),
                **({} if save_paths is None else {"paths": paths}),
            }
        )
    elif format_ == "github":
        for told in summary(meant, findings, language).splitlines():
            say(told)
    else:
        for finding in findings:
            for told in lines(finding, language):
                say(told)
        for row in paths:
            say(line(row, language))
        say(tally(meant, findings, language))
    return int(any(GRAVE.index(finding.severity) <= GRAVE.index(fail_on) for finding in findings))
