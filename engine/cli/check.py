"""`trilho check`: the publish-time checks on a flow."""

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
@language
@as_json
def check(flow: str, fail_on: str, format_: str, language: str, json_: bool) -> int:
    """Run the publish-time checks on FLOW: a file (JSON or YAML), SLUG@N of the database, or SLUG.

    A bare SLUG is its draft in the database if there is one, else the sample that ships with Trilho. Needs no database
    and creates nothing.
    """
    from engine.cli.findings import as_document, lines, statistics, tally
    from engine.cli.summary import summary
    from engine.core.checks import run

    if json_ and format_ != "text":
        raise click.UsageError("--json and --format exclude each other.")
    meant = flow_meant(flow, language).flow
    findings = run.check(meant)
    if json_:
        say_json(
            {
                "flow": meant.slug,
                "sha256": meant.sha256,
                "findings": [as_document(finding, language) for finding in findings],
                "stats": statistics(meant, findings),
            }
        )
    elif format_ == "github":
        for line in summary(meant, findings, language).splitlines():
            say(line)
    else:
        for finding in findings:
            for line in lines(finding, language):
                say(line)
        say(tally(meant, findings, language))
    return int(any(GRAVE.index(finding.severity) <= GRAVE.index(fail_on) for finding in findings))
