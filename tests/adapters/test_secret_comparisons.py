"""Secrets are compared in constant time everywhere: read from the source itself (S1) (SEC-S1)."""

import ast
import re
from pathlib import Path

import pytest

import engine.adapters
from engine.adapters.proofs import matches, same

SECRET = re.compile(r"sig(nature)?(_|$)|token|secret|hottok|digest|hmac|password|api_?key", re.IGNORECASE)
FILES = sorted(
    path
    for folder in ("channels", "payments", ".")
    for path in (Path(engine.adapters.__file__).parent / folder).glob("*.py")
    if not path.name.startswith("diagram")
)


def compared_secrets(source: str) -> list[str]:
    """Every `==`, `!=` or `in` that has a name of a secret on one side."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare)
        and any(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops)
        for side in (node.left, *node.comparators)
        for name in ast.walk(side)
        if SECRET.search(getattr(name, "id", "") or getattr(name, "attr", "") or "")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_secret_is_compared_with_an_operator(path: Path) -> None:
    assert compared_secrets(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source", ["given == token", "config.app_secret != x", "sig in known", "x == signature", "a < b == hottok"]
)
def test_the_check_itself_finds_them(source: str) -> None:
    assert compared_secrets(source)


def test_the_check_leaves_other_comparisons_alone() -> None:
    assert compared_secrets("a == b and kind in design and status != 200") == []


def test_an_empty_secret_is_never_met() -> None:
    """Fail closed: two empty texts are not a proof."""
    assert not same("", "")
    assert not matches("", ["", ""])
    assert not matches("x", [])
    assert matches("x", ["y", "x"])
