"""The command line: `trilho COMMAND`. Each group of commands is a file, read only when it is asked for."""

import click

from engine.cli.program import Program

__all__ = ["main"]

COMMANDS = {
    "run": "processes:run",
    "web": "processes:web",
    "worker": "processes:worker",
    "migrate": "processes:migrate",
    "check": "check:check",
    "diagram": "diagram:diagram",
    "diff": "diff:diff",
    "replay": "replay:replay",
    "scenario": "scenario:scenario",
    "flow": "flow:flow",
    "channel": "channel:channel",
    "source": "source:source",
    "contacts": "contacts:contacts",
    "transcription": "transcription:transcription",
    "media": "media:media",
    "retention": "retention:retention",
    "user": "user:user",
    "sending": "sending:sending",
    "doctor": "doctor:doctor",
    "audit": "audit:audit",
}


@click.group("trilho", cls=Program, commands_in=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trilho", message="%(prog)s %(version)s")
def main() -> None:
    """WhatsApp sales flows that are proved before they are published.

    `trilho run` starts everything on this machine. The other commands act at once on a running installation, through
    its database (TRILHO_DATA_DIR or TRILHO_DATABASE_URL).

    Exit codes: 0 good, 1 the answer is no, 2 wrong use or input that cannot be read.
    """
