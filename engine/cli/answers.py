"""What commands print: one JSON document, or lines for people; mistakes one line each on standard error."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

import click

__all__ = ["Place", "Unusable", "as_json", "complain", "instant", "language", "listing", "say", "say_json"]

Place: TypeAlias = tuple[str, str]
"""Where a mistake is ("" for nowhere in particular), and what it is."""
WRONG_USE = 2
F = TypeVar("F", bound=Callable[..., Any])
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Unusable(Exception):
    """Wrong use or input that cannot be read: ends the command with exit code 2."""

    def __init__(self, *mistakes: Place) -> None:
        self.mistakes = mistakes
        super().__init__("; ".join(message for _, message in mistakes))


as_json = click.option("--json", "json_", is_flag=True, help="Print one JSON document and nothing else.")
language = click.option(
    "--language", type=click.Choice(["pt-BR", "en"]), default="pt-BR", show_default=True, help="Language of sentences."
)


def complain(mistakes: Sequence[Place], *, as_json: bool) -> int:
    """Tell every mistake; returns the exit code."""
    if as_json:
        say_json({"errors": [{"place": place, "message": message} for place, message in mistakes]})
    else:
        for place, message in mistakes:
            line = " ".join((f"{place}: {message}" if place else message).split())
            click.echo(_fit(line), err=True)
    return WRONG_USE


def say(line: str) -> None:
    """A line for people."""
    click.echo(_fit(line))


def say_json(document: object) -> None:
    """The JSON document that is the whole answer; what is no whole character stays escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False, default=_plain)
    click.echo(text.encode("utf-8", "backslashreplace").decode())


def listing(rows: Iterable[Sequence[object]], headings: Sequence[str]) -> None:
    """Rows in columns under headings; nothing but the headings when there are none."""
    table = [tuple(headings), *(tuple("" if cell is None else str(cell) for cell in row) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(headings))]
    for row in table:
        click.echo(_fit("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()))


def instant(milliseconds: int | None) -> str | None:
    """An instant as ISO-8601 in UTC, or None."""
    if milliseconds is None:
        return None
    return (_EPOCH + timedelta(milliseconds=milliseconds)).isoformat(timespec="seconds").replace("+00:00", "Z")


def _fit(line: str) -> str:
    """A line as a terminal may have it: what files quote must not move its cursor or change its title."""
    return _UNFIT.sub(lambda found: found[0].encode("unicode_escape").decode(), line)


def _plain(value: object) -> object:
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
