"""The list of OWASP ASVS 5.0 is whole, and what it names exists."""

import re
from collections import Counter
from pathlib import Path

from tests.security_requirements import REQUIREMENTS
from tests.security_table import citations, every_test

DOCS = Path(__file__).parent.parent / "docs"
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = ROW.findall((DOCS / "asvs.md").read_text())
BY_CHAPTER = (27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7)
"""How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has."""
WITHOUT = ("n/a: ", "open: ", "in part: ", "by the installation: ")


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_requirement_of_levels_one_and_two_is_there_once():
    numbers = [number for number, *_ in ROWS]
    chapters = Counter(int(number.split(".")[0]) for number in numbers)

    assert len(numbers) == len(set(numbers)) == 253
    assert tuple(chapters[n] for n in range(1, 18)) == BY_CHAPTER
    assert Counter(level for _, level, *_ in ROWS) == {"1": 70, "2": 183}


def test_every_requirement_names_tests_a_page_or_says_in_words_why_not():
    known, cited = every_test(), citations()
    wrong = []
    for number, _, _, proof in ROWS:
        tests = re.findall(r"`(tests/[^`]+)`", proof)
        by_id = [int(n) for n in re.findall(r"SEC-S(\d+)", proof)]
        pages = re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", proof)
        good = all(test in known for test in tests) and all(n in REQUIREMENTS for n in by_id)
        good &= all((DOCS / page).exists() and (not at or at in anchors(DOCS / page)) for page, at in pages)
        if not good or not (tests or by_id or pages or (proof.startswith(WITHOUT) and len(proof) > 9)):
            wrong.append((number, proof))
    assert wrong == []
    assert cited, "requirements are cited"


def test_what_applies_is_nearly_all_proved():
    """Open points are named, and few."""
    applies = [proof for *_, proof in ROWS if not proof.startswith(("n/a: ", "by the installation: "))]
    openly = [proof for proof in applies if proof.startswith("open: ")]

    assert len(openly) <= 3
    assert len(applies) > 160
