"""What channels and payment sources have in common on the command line: names, `key=value` pairs, how one is shown."""

from collections.abc import Callable, Sequence
from typing import Any

import click

__all__ = ["name_of", "named", "pairs", "shared"]


def pairs(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """`--set key=value` as a table. What is not a pair is not repeated: it may be a secret."""
    found: dict[str, str] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter("write it as key=value")
        if key.strip() in found:
            raise click.BadParameter(f"the key {key.strip()} is given twice")
        found[key.strip()] = value
    return found


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of adding and of changing."""
    return click.option(
        "--set", "values", multiple=True, callback=pairs, metavar="KEY=VALUE", help="A key; may be given many times."
    )(command)


def named(command: Callable[..., Any]) -> Callable[..., Any]:
    """The name of one that is there already: as the argument or as `--name`."""
    command = click.option("--name", "name_option", metavar="N", help="The same as NAME.")(command)
    return click.argument("name", required=False)(command)


def name_of(argument: str | None, option: str | None) -> str:
    """The one name that was given."""
    if (argument is None) == (option is None):
        raise click.UsageError("Say one NAME", click.get_current_context())
    return argument or option or ""
