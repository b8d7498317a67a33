"""What the product is made of is locked, listed, licensed and not known to be weak (SEC-S31)."""

import json
import re
import tomllib

from tests import components
from tests.components import ACCEPTED, BANNED, LICENCES, LOCK, ROOT, SBOM


def test_every_entry_of_the_locks_has_hashes():
    for name in ("run", "test"):
        text = (ROOT / f"requirements/{name}.txt").read_text()
        entries = re.split(r"\n(?=[a-z0-9])", text.strip())
        assert len(entries) > 40
        assert [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_list_of_components_is_that_of_the_lock():
    """Made again by `python -m tests.components`."""
    parts = components.components()

    assert json.loads(SBOM.read_text()) == components.sbom(parts)
    assert LICENCES.read_text() == components.table(parts)
    assert len(parts) == LOCK.read_text().count("==") - LOCK.read_text().count("platform ==")


def test_every_part_may_be_used():
    words = {word for one in components.components() for word in re.split(r" AND | OR |[()]", one.licence) if word}

    assert words - ACCEPTED == set()


def test_no_version_that_is_banned_is_locked():
    rules = components.banned(BANNED.read_text())

    assert len(rules) >= 10 and all(why for _, why in rules)
    for name in ("run", "test"):
        assert components.hits(components.locked(ROOT / f"requirements/{name}.txt"), rules) == []
    assert components.hits([("jinja2", "3.1.5", "")], rules) == ["jinja2 3.1.5"]


def test_the_rules_of_the_linter_for_security_are_all_on():
    """But for `assert`, which states what is known already, and SQL put together, which another test judges."""
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    off = {rule for rule in lint["ignore"] if re.fullmatch(r"S\d*", rule)}
    by_file = {
        place for place, rules in lint["per-file-ignores"].items() if any(re.fullmatch(r"S\d*", r) for r in rules)
    }

    assert (lint["select"], off, by_file) == (["ALL"], {"S101", "S608"}, {"tests/**"})


def test_a_lock_with_and_without_systems_is_read():
    found = {name: where for name, _, where in components.locked()}

    assert "win32" in found["colorama"] and "win32" in found["uvloop"]
    assert found["litestar"] == ""
