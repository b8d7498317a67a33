"""The rules of the house that no linter knows: time, chance and SQL have one place each, files are small, pages strict."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.connection import Tx

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path for room in ("engine", "web") for path in (ROOT / room).rglob("*.py") if "__pycache__" not in path.parts
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TEXTS = sorted(
    path
    for pattern in ("engine/**/*", "web/**/*", "templates/**/*", "static/**/*", "tests/**/*", "docs/**/*", "*", ".ci/*")
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix in ("", ".py", ".md", ".toml", ".html", ".css", ".js", ".yaml", ".json", ".txt")
)
LONGEST_FILE = 250

# What reads the clock, waits or draws lots; each with the files that may, and why.
SOURCE_OF_TIME_AND_CHANCE = {"engine/runtime.py"}
BANNED_CALLS = {
    "time.time": set(),
    "time.time_ns": set(),
    "time.sleep": set(),
    "time.monotonic": set(),
    "datetime.now": set(),
    "datetime.utcnow": set(),
    "datetime.today": set(),
    "date.today": set(),
    "datetime.datetime.now": set(),
    "datetime.datetime.utcnow": set(),
    "datetime.date.today": set(),
    "asyncio.sleep": set(),
    "uuid.uuid1": set(),
    "uuid.uuid4": set(),
    "secrets.token_hex": set(),
    "secrets.token_bytes": set(),
    "secrets.token_urlsafe": set(),
    "secrets.choice": set(),
    "secrets.randbelow": set(),
    "os.urandom": set(),
}
BANNED_IMPORTS = {"random": SOURCE_OF_TIME_AND_CHANCE}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _dotted(node: ast.expr) -> str:
    """`a.b.c` for a chain of names, else an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (left := _dotted(node.value)):
        return f"{left}.{node.attr}"
    return ""


def _origins(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for: `from time import time as t` makes `t` stand for `time.time`."""
    origins: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                origins[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return origins


def banned(source: str, file: str) -> Iterator[str]:
    """Each use of the clock, of waiting or of chance outside its place."""
    tree = ast.parse(source)
    origins = _origins(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        first, _, rest = _dotted(node.func).partition(".")
        name = f"{origins.get(first, first)}.{rest}" if rest else origins.get(first, first)
        if name in BANNED_CALLS and file not in SOURCE_OF_TIME_AND_CHANCE | BANNED_CALLS[name]:
            yield f"{file}:{node.lineno} calls {name}"
    for module, allowed in BANNED_IMPORTS.items():
        if file not in allowed and any(origin.split(".")[0] == module for origin in origins.values()):
            yield f"{file} imports {module}"


def test_time_and_chance_come_from_the_runtime_alone() -> None:
    assert [found for path in SOURCES for found in banned(path.read_text(), _name(path))] == []


@pytest.mark.parametrize(
    "code",
    [
        "import time\ntime.time()",
        "from time import time_ns as now\nnow()",
        "import datetime as dt\ndt.datetime.now()",
        "from datetime import datetime\ndatetime.utcnow()",
        "import asyncio\nasync def f():\n    await asyncio.sleep(1)",
        "from uuid import uuid4\nuuid4()",
        "import random",
        "from random import choice",
        "import secrets\nsecrets.token_urlsafe(32)",
    ],
)
def test_the_ban_sees_through_other_names(code: str) -> None:
    assert len(list(banned(code, "engine/services/x.py"))) == 1


def test_the_ban_does_not_see_what_is_not_there() -> None:
    code = "import asyncio\nasync def f(runtime):\n    await runtime.clock.sleep(1)\n    runtime.clock.now()\n"

    assert list(banned(code, "engine/services/x.py")) == []


DRIVERS = {"sqlalchemy", "sqlmodel", "alembic", "sqlite3", "psycopg"}
ASKED_OF_A_TRANSACTION = {name for name in vars(Tx) if not name.startswith("_")} - {"dialect"}
STATEMENT = re.compile(
    r"""^[\s(]*(?:
      SELECT\b.*\bFROM\b | SELECT\s+[\d(:] | INSERT\s+INTO\b | UPDATE\s+\S+\s+SET\b | DELETE\s+FROM\b
      | WITH\s+(?:RECURSIVE\s+)?\w+\s*(?:\([^)]*\)\s*)?AS\s*\(
      | (?:CREATE|ALTER|DROP)\s+(?:TEMP\s+|UNIQUE\s+)?(?:TABLE|INDEX|TRIGGER|VIEW|SCHEMA)\b | PRAGMA\s | VACUUM\b
      | (?i:select\s+(?:distinct\s+)?[\w.*"]+(?:\s*,\s*[\w.*"]+)*\s+from\s)
      | (?i:insert\s+into\s+[\w"]+\s*[(]) | (?i:update\s+[\w"]+\s+set\s+[\w"]+\s*=) | (?i:delete\s+from\s+\w+\s+where\s)
    )""",
    re.DOTALL | re.VERBOSE,
)
CONDITION = re.compile(r"[\w\")]\s*(?:=|<>|<=|>=|<|>|\b(?:IN|LIKE)\b)\s*:[a-z_]")
"""A piece of a statement, known by its named parameter."""


def _text(node: ast.AST) -> str | None:
    """The text that an expression is, as far as it can be read: what is filled in later stands there as `{}`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "{}" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return None if left is None and right is None else f"{left or '{}'}{right or '{}'}"
    return None


def _is_transaction(annotation: ast.expr | None) -> bool:
    return annotation is not None and re.search(r"\bTx\b", ast.unparse(annotation)) is not None


def sql(source: str, file: str) -> list[str]:
    """Each statement, each question to a transaction and each driver of a database in a file, by its line."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings speak to readers
    transactions = {node.arg for node in nodes if isinstance(node, ast.arg) and _is_transaction(node.annotation)}
    found = {
        (0, f"{file} imports {driver}")
        for origin in _origins(tree).values()
        if (driver := origin.split(".")[0]) in DRIVERS
    }
    for node in nodes:
        text = None if id(node) in said else _text(node)
        if text is not None and (STATEMENT.search(text) or CONDITION.search(text)):
            found.add((node.lineno, f"{file}:{node.lineno} holds SQL"))
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ASKED_OF_A_TRANSACTION
            and _dotted(node.value).rpartition(".")[2] in transactions | {"tx"}
        ):
            found.add((node.lineno, f"{file}:{node.lineno} asks a transaction for .{node.attr}"))
    return [what for _, what in sorted(found)]


def test_no_sql_stands_outside_the_store() -> None:
    outside = [path for path in SOURCES if not _name(path).startswith("engine/store/")]

    assert [found for path in outside for found in sql(path.read_text(), _name(path))] == []


@pytest.mark.parametrize(
    "code",
    [
        "ASKED = 'SELECT id FROM contact'",
        "ASKED = 'select id, name from contact'",
        "ASKED = (\n    'SELECT id'\n    ' FROM contact'\n)",
        "ASKED = {'all': ['  SELECT (SELECT COUNT(*) FROM contact)']}",
        "ASKED = f'SELECT * FROM {table}'",
        "ASKED = 'SELECT ' + columns + ' FROM contact'",
        "WHOSE = '(SELECT 1 FROM contact)'",
        "WRITTEN = 'INSERT INTO contact (id) VALUES (1)'",
        "WRITTEN = f'UPDATE {table} SET id = 1'",
        "WRITTEN = 'DELETE FROM contact'",
        "ASKED = 'WITH RECURSIVE a (n) AS (VALUES (1)) TABLE a'",
        "MADE = 'CREATE UNIQUE INDEX a ON b (c)'",
        "WHERE = 'contact_id = :id AND at > 1'",
        "WHERE = 'id IN :ids'",
        "def f(tx):\n    return tx.value(asked)",
        "def f(t: Tx):\n    return t.rows",
        "def f(t: 'Tx | None'):\n    t.run(asked)",
        "def f(self):\n    return self.tx.many",
        "import sqlite3",
        "from sqlalchemy import text",
    ],
)
def test_sql_is_found_however_it_is_written(code: str) -> None:
    assert len(sql(code, "engine/services/x.py")) >= 1


@pytest.mark.parametrize(
    "code",
    [
        "def f(tx):\n    'SELECT is FROM the store.'\n    return contacts.row(tx, 1) if tx.dialect == 'x' else None",
        "HELP = 'Select a flow from the list'",
        "HELP = 'Update the flow, then set it live; delete from here what you do not need'",
        "HELP = ['With care', 'a = b', 'WITH', 'SELECT']",
        "row.value(1)\nstore.run(work)\nargs.one",
    ],
)
def test_what_only_sounds_like_sql_may_stand_anywhere(code: str) -> None:
    assert sql(code, "engine/services/x.py") == []


def test_the_examination_shares_nothing_with_the_modules_that_it_checks() -> None:
    """What reads a database for the doctor must not repeat the mistake of what wrote it."""
    known = re.compile(r"engine\.(?:core\.flow|store\.connection|store\.examination)\b")
    used = {
        f"{_name(path)}: {origin}"
        for path in (ROOT / "engine/store/examination").glob("*.py")
        for origin in _origins(ast.parse(path.read_text())).values()
        if origin.split(".")[0] == "engine"
    }

    assert used
    assert [use for use in sorted(used) if not known.search(use)] == []


def test_no_file_is_longer_than_one_job() -> None:
    written = [path for path in SOURCES if "versions" not in path.parts]  # a schema's migration is generated whole
    assert [f"{_name(path)}: {n}" for path in written if (n := len(path.read_text().splitlines())) > LONGEST_FILE] == []


def test_every_file_says_its_job_in_its_first_line() -> None:
    silent = [
        _name(path)
        for path in SOURCES
        if "versions" not in path.parts
        and (tree := ast.parse(path.read_text())).body
        and not (ast.get_docstring(tree) or "").strip()
    ]

    assert silent == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    said_nothing = {"utils", "util", "helpers", "helper", "common", "base", "models", "misc"}

    assert [_name(path) for path in SOURCES if path.stem in said_nothing or said_nothing & set(path.parts)] == []


INLINE = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "an event attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "a script without a source": re.compile(r"<script\b(?![^>]*\ssrc\s*=)", re.IGNORECASE),
    "hx-on": re.compile(r"\bhx-on\b", re.IGNORECASE),
    "a javascript address": re.compile(r"javascript\s*:", re.IGNORECASE),
    "the filter safe": re.compile(r"\|\s*safe\b"),
    "escaping switched off": re.compile(r"autoescape\s+false", re.IGNORECASE),
    "an htmx filter or expression, which needs eval": re.compile(r"hx-(?:vals|headers)\s*=\s*['\"]?js:|hx-vars\b"),
}
# Data for a script is no script: the browser never runs these types.
DATA_BLOCK = re.compile(r"<script\b[^>]*\stype=\"application/(?:json|ld\+json)\"", re.IGNORECASE)


def inline(page: str) -> list[str]:
    """What a strict content security policy forbids, or what lets markup through unescaped."""
    page = DATA_BLOCK.sub("<data", re.sub(r"\{#.*?#\}", "", page, flags=re.DOTALL))
    return [what for what, pattern in INLINE.items() if pattern.search(page)]


def test_no_template_holds_an_inline_script_or_style_or_skips_escaping() -> None:
    assert {_name(path): found for path in TEMPLATES if (found := inline(path.read_text()))} == {}


@pytest.mark.parametrize(
    ("page", "what"),
    [
        ('<p style="x">', "a style attribute"),
        ("<style>", "a style element"),
        ('<p\n onclick="x">', "an event attribute"),
        ("<script>x</script>", "a script without a source"),
        ('<p hx-on:click="x">', "hx-on"),
        ('<a href="javascript:x">', "a javascript address"),
        ("{{ x | safe }}", "the filter safe"),
        ("{% autoescape false %}", "escaping switched off"),
        ("<p hx-vals='js:{x: 1}'>", "an htmx filter or expression, which needs eval"),
    ],
)
def test_the_check_of_templates_finds_each_kind(page: str, what: str) -> None:
    assert what in inline(page)


def test_the_check_of_templates_lets_good_pages_pass() -> None:
    page = '<script src="/a.js" defer></script><p class="on" data-style="x" hx-get="/x">{# style="x" #}</p>'

    assert inline(page) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    known = re.compile(r"/home/[a-z]+/|/Users/[a-z]+/|/root/\.|https?://[^\s\"']*(?:pypi\.org|npmjs)")
    here = Path(__file__)

    assert [_name(path) for path in TEXTS if path != here and known.search(path.read_text(errors="replace"))] == []


def test_the_rooms_are_stacked_as_the_contracts_say() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout
