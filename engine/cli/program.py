"""The program around the commands: reads them when they are needed, and turns every failure into lines and exit codes."""

import importlib
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import click

from engine.cli.answers import Unusable, complain
from engine.core.errors import TrilhoError

__all__ = ["Program"]

NAME = "trilho"
INTERRUPTED = 130
WRONG_USE = 2


class Program(click.Group):
    """A group whose commands are named `file:attribute` and imported when one is called or listed."""

    def __init__(self, *args: Any, commands_in: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self._commands_in = dict(commands_in or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        _ = ctx
        return list(self._commands_in)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        _ = ctx
        place = self._commands_in.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        found: click.Command = getattr(importlib.import_module(f"engine.cli.{module}"), attribute)
        return found

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **more: Any) -> NoReturn:  # type: ignore[override]  # never returns: whatever a command answers is an exit code
        """Run a command line and leave with its exit code."""
        words = list(sys.argv[1:] if args is None else args)
        more.pop("standalone_mode", None)
        sys.exit(self._code(words, prog_name or NAME, more))

    def _code(self, words: list[str], name: str, more: dict[str, Any]) -> int:
        as_json = "--json" in words
        try:
            code = super().main(words, name, standalone_mode=False, **more)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            return WRONG_USE
        except click.ClickException as error:
            return complain([("", _one_line(error))], as_json=as_json)
        except click.Abort:
            return INTERRUPTED
        except Unusable as error:
            return complain(error.mistakes, as_json=as_json)
        except TrilhoError as error:
            from engine.cli.refusals import mistakes

            return complain(mistakes(error), as_json=as_json)
        except Exception as error:  # noqa: BLE001 - a person gets a sentence, whatever happens
            return complain([("", _bug(error))], as_json=as_json)
        return code if isinstance(code, int) else 0


def _one_line(error: click.ClickException) -> str:
    told = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        told = f"{told.rstrip('.')}. See `{error.ctx.command_path} --help`."
    return told


def _bug(error: BaseException) -> str:
    """What a developer needs to find the mistake, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"This is a mistake in Trilho itself: {type(error).__name__}{place}: {error}"
