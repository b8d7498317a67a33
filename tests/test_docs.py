"""What the documentation says is there: rules, files, tests, settings, sizes, commands; and its example runs."""

import fnmatch
import importlib
import json
import re
import tomllib
from pathlib import Path

import pytest

from engine.services.scenarios.run import play
from engine.settings import NAMES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "CHANGELOG.md"])
ADRS = sorted((DOCS / "adr").glob("*.md"))
RULES = [
    *range(1, 8), *range(10, 16), *range(20, 38), *range(40, 47), *range(50, 54), *range(60, 63), *range(70, 76),
]  # fmt: skip
FOLDERS = ("engine/", "web/", "tests/", "docs/", "static/", "templates/", "requirements/", ".ci/")
TEST_NAME = re.compile(r"`(tests/[\w/]+\.py)::(test_[\w*]+)`")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _sections() -> dict[str, str]:
    """Each rule of the page of rules by its id, with what stands below its heading."""
    parts = re.split(r"^### ", (DOCS / "semantics.md").read_text(), flags=re.MULTILINE)[1:]
    return {part.split(" ", 1)[0]: part.split("\n## ", 1)[0] for part in parts}


def _said_to_be_in(page: Path) -> list[tuple[str, str]]:
    """Files, each with the names that a page says are in it: `file.py` (`name`, `name`), or `name`, `file.py`."""
    text = page.read_text()
    behind = re.findall(r"`([\w./]+\.py)`\s\(((?:`\w+`(?:,\s)?)+)\)", text)
    before = re.findall(r"(`[\w.]+`), `(engine/[\w/]+\.py)`", text)
    return [*behind, *((file, name) for name, file in before)]


def test_every_rule_stands_there_once_and_no_other() -> None:
    headings = re.findall(r"^### (R\d+) · \S", (DOCS / "semantics.md").read_text(), flags=re.MULTILINE)

    assert headings == [f"R{number}" for number in RULES]


@pytest.mark.parametrize("rule", [f"R{number}" for number in RULES])
def test_a_rule_says_where_it_is_how_it_is_tested_and_whether_it_holds(rule: str) -> None:
    section = _sections()[rule]

    assert re.search(r"^- Where: \S", section, flags=re.MULTILINE)
    assert re.search(r"^- Tests: (none that names it yet$|`tests/)", section, flags=re.MULTILINE)
    assert re.search(r"^- State: (acted on|not acted on yet)", section, flags=re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_tests_that_a_page_names_exist(page: Path) -> None:
    missing = [
        f"{file}::{pattern}"
        for file, pattern in TEST_NAME.findall(page.read_text())
        if not (ROOT / file).is_file()
        or not fnmatch.filter(re.findall(r"def (test_\w+)", (ROOT / file).read_text()), pattern)
    ]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    named = {
        word.split("::")[0] for word in re.findall(r"`([^`\s]*/[^`\s]*)`", page.read_text()) if word.startswith(FOLDERS)
    }

    assert sorted(name for name in named if not (ROOT / name).exists()) == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_what_a_page_says_to_be_in_a_file_is_in_it(page: Path) -> None:
    missing = [
        f"{file}: {word}"
        for file, listed in _said_to_be_in(page)
        for word in re.findall(r"(\w+)`", listed)
        if not re.search(rf"\b{word}\b", (ROOT / file).read_text())
    ]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#\s]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_setting_is_explained() -> None:
    explained = re.findall(r"^\| `(TRILHO_\w+)` \|", (DOCS / "operations.md").read_text(), flags=re.MULTILINE)

    assert sorted(explained) == sorted(NAMES)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_no_page_names_a_setting_that_does_not_exist(page: Path) -> None:
    assert set(re.findall(r"\bTRILHO_[A-Z_]+\b", page.read_text())) <= set(NAMES)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_no_page_names_a_command_that_does_not_exist(page: Path) -> None:
    commands = importlib.import_module("engine.cli").COMMANDS

    assert set(re.findall(r"`trilho ([a-z]+)", page.read_text())) <= set(commands)


def test_sizes_are_those_of_the_code() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| (\d+) \| `([\w.]+):(\w+)` \|$", (DOCS / "architecture.md").read_text(), re.MULTILINE
    )
    wrong = [
        f"{module}:{name} is {found}, not {value}"
        for value, module, name in rows
        if (found := getattr(importlib.import_module(module), name)) != int(value)
    ]

    assert len(rows) > 20
    assert wrong == []


def test_the_picture_of_the_rooms_has_every_room_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = {room for layer in contracts[0]["layers"] for room in layer.split(" | ")}
    picture = re.findall(r"```mermaid\n(.*?)```", (DOCS / "architecture.md").read_text(), flags=re.DOTALL)[0]

    assert set(re.findall(r'\["([\w.]+)"\]', picture)) == rooms


@pytest.mark.parametrize("adr", ADRS, ids=_name)
def test_a_decision_has_its_parts_and_a_place_in_the_list(adr: Path) -> None:
    headings = re.findall(r"^## (.+)$", adr.read_text(), flags=re.MULTILINE)

    assert headings == ["Status", "Context", "Decision", "Consequences", "Rejected"]
    assert re.match(rf"# {adr.name[:4]} · \S", adr.read_text())
    assert f"](adr/{adr.name})" in (DOCS / "architecture.md").read_text()


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(adr.name[:4]) for adr in ADRS] == list(range(1, len(ADRS) + 1))


async def test_the_example_of_the_scenario_guide_passes(tmp_path: Path) -> None:
    blocks = re.findall(r"```json\n(.*?)```", (DOCS / "guide/scenarios.md").read_text(), flags=re.DOTALL)
    file = tmp_path / "example.json"
    file.write_text(blocks[0])
    result = await play(file)

    assert result.differences == ()
    assert set(json.loads(blocks[0])) >= {"setup", "inputs", "expect"}
