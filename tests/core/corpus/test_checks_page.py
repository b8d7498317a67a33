"""docs/checks.md is true: every check stands there with its grade, what it says of its example, and a fresh picture."""

import re
from functools import cache

import pytest

from engine.core.checks.findings import SEVERITIES, Severity
from engine.core.checks.run import check
from engine.core.checks.sentences import sentence
from engine.core.document import read
from tests.core.corpus.pictures import FOLDER, drawn, shown
from tests.core.corpus.planted import Planted, corpus

PAGE = FOLDER.parents[1] / "checks.md"
GRADES = {Severity.ERROR: "Blocks", Severity.WARNING: "Warns", Severity.INFO: "Is told"}
OF_WORDS = {
    "W1": "a text that is too long",
    "W2": "a name that does not exist",
    "W3": "a touch after the window without a template",
    "C1": "one phrase in another",
    "P1": "a tax number in a text",
}
"""Entries that stand for the checks without a picture."""


@cache
def sections() -> dict[str, str]:
    """Each check's part of the page, by its code."""
    parts = re.split(r"^### ", PAGE.read_text(), flags=re.MULTILINE)[1:]
    return {part.split(" ", 1)[0]: part.split("\n## ", 1)[0] for part in parts}


def examples() -> dict[str, Planted]:
    named = {entry.name: entry for entry in corpus()}
    return {**shown(), **{code: named[name] for code, name in OF_WORDS.items()}}


def test_every_check_stands_there_once_with_its_grade() -> None:
    assert set(sections()) == set(SEVERITIES)
    assert {
        code: f"**{GRADES[severity]}.**" in sections()[code] for code, severity in SEVERITIES.items()
    } == dict.fromkeys(SEVERITIES, True)


@pytest.mark.parametrize("code", list(examples()))
def test_a_check_says_of_its_example_what_the_page_says(code: str) -> None:
    entry = examples()[code]
    (quoted,) = re.findall(r"^> (.*)$", sections()[code], flags=re.MULTILINE)

    told = [sentence(found, "en") for found in check(read(entry.faulty)) if found.code == code]

    assert any(said.startswith(quoted) for said in told), told


@pytest.mark.parametrize("code", list(shown()))
async def test_a_picture_is_what_is_drawn_now(code: str) -> None:
    entry = shown()[code]

    assert f"![{entry.fault.rstrip('.')}](pictures/checks/{code}.svg)" in sections()[code]
    assert (FOLDER / f"{code}.svg").read_text() == await drawn(entry)


def test_there_is_no_picture_that_nobody_draws() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(shown())
