"""Tables for a spreadsheet that nobody can turn into a program (SEC-S16)."""

import csv
import io
from collections.abc import Iterable, Sequence

__all__ = ["safe", "table"]

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(value: str) -> str:
    """A cell that a spreadsheet takes for words: what would begin a formula stands behind a quote."""
    return f"'{value}" if value.lstrip(" ").startswith(_STARTS) or value.startswith(_STARTS) else value


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """The text of a CSV file, with `;` as spreadsheets here expect, and the mark by which they know UTF-8."""
    target = io.StringIO()
    target.write("\ufeff")
    writer = csv.writer(target, delimiter=";", lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([safe(cell) for cell in line] for line in lines)
    return target.getvalue()
