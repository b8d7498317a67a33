"""The table of `docs/security.md`, made from the tests that cite a requirement: `python -m tests.security_table`.

A test cites one by its name (`test_sec_s11_...`), in its docstring or in its file's (`SEC-S11`).
`python -m tests.security_table 11` lists the tests of one.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.security_requirements import REASONS, REQUIREMENTS

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/security.md"
BEGIN, END = "<!-- made by python -m tests.security_table -->", "<!-- end of the table -->"
CITED = re.compile(r"SEC-S(\d+)|(?:^|_)sec_s(\d+)(?=_)")


def _numbers(text: str | None) -> set[int]:
    return {int(one or other) for one, other in CITED.findall(text or "")}


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node


@cache
def citations() -> dict[int, list[str]]:
    """The ids of the tests that cite each requirement, `tests/file.py::test_name`."""
    found: dict[int, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text())
        of_file = _numbers(ast.get_docstring(tree))
        for test in _tests(tree):
            for number in of_file | _numbers(test.name) | _numbers(ast.get_docstring(test)):
                found[number].append(f"{path.relative_to(ROOT).as_posix()}::{test.name}")
    return found


@cache
def every_test() -> set[str]:
    """The ids of all tests, and of their files."""
    known = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        name = path.relative_to(ROOT).as_posix()
        known |= {name, *(f"{name}::{test.name}" for test in _tests(ast.parse(path.read_text())))}
    return known


def table() -> str:
    """The rows: by files, since the names of tests change more often than where they stand."""
    found, rows = citations(), ["| Id | What | Tests |", "|---|---|---|"]
    for number, what in sorted(REQUIREMENTS.items()):
        files = sorted({test.partition("::")[0] for test in found[number]})
        proof = ", ".join(f"`{file}`" for file in files) or f"none: {REASONS.get(number, '?')}"
        rows.append(f"| SEC-S{number} | {what} | {proof} |")
    return "\n".join(rows)


def page(old: str) -> str:
    """The page with the table as it has to be."""
    head, _, rest = old.partition(BEGIN)
    return f"{head}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print("\n".join(citations()[int(sys.argv[1].upper().removeprefix("SEC-").removeprefix("S"))]))
    else:
        PAGE.write_text(page(PAGE.read_text()))
