"""The rules of the house that no linter knows: time and chance come from one place, files stay small, pages stay strict."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
