"""Texts as WhatsApp shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.whatsapp_text import Line, Run, lines


def run(text, *marks):
    return Run(text, frozenset(marks))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("oi", [run("oi")]),
        ("*Oi*, tudo _bem_? ~não~", [run("Oi", "bold"), run(", tudo "), run("bem", "italic"), run("? "), run("não", "struck")]),
        ("*muito _bom_*", [run("muito ", "bold"), run("bom", "bold", "italic")]),
        ("use `a*b*` aqui", [run("use "), run("a*b*", "mono"), run(" aqui")]),
        ("2*3*4", [run("2*3*4")]),
        ("é * não *", [run("é * não *")]),
        ("*aberto", [run("*aberto")]),
        ("snake_case_nome", [run("snake_case_nome")]),
        ("veja https://x.test/a_b_c agora", [run("veja "), run("https://x.test/a_b_c", "link"), run(" agora")]),
        ("(*sim*)", [run("("), run("sim", "bold"), run(")")]),
        ("**", [run("**")]),
    ],
)  # fmt: skip
def test_signs_become_looks_where_whatsapp_takes_them_for_signs(text, runs):
    assert lines(text) == (Line("plain", tuple(runs)),)


def test_quotes_points_and_blocks_are_lines_of_their_own():
    found = lines("> citado\n- um\n* dois\n```\na *b*\nc\n```\nfim")

    assert [(line.kind, "".join(run.text for run in line.runs)) for line in found] == [
        ("quote", "citado"), ("point", "um"), ("point", "dois"), ("mono", "a *b*"), ("mono", "c"), ("plain", "fim"),
    ]  # fmt: skip


def test_a_block_that_does_not_close_is_text():
    assert [line.kind for line in lines("a ```b\nc")] == ["plain", "plain"]


@given(st.text(alphabet="a *_~`>-\n", max_size=60))
def test_nothing_but_signs_is_ever_lost(text):
    kept = "".join(run.text for line in lines(text) for run in line.runs)
    assert [c for c in kept if c == "a"] == [c for c in text if c == "a"]


def test_a_long_row_of_signs_is_read_quickly():
    assert lines("*a" * 10_000)
    assert lines("`" * 20_000)
    assert lines("```" + "a" * 20_000)
    assert lines("_a_ " * 5_000)
