"""Which texts are tags."""

import pytest

from engine.core.tagging import COLOURS, cleaned, usual_colour


@pytest.mark.parametrize(
    ("text", "tag"),
    [(" vip ", "vip"), ("segunda\n turma", "segunda turma"), ("çã😀", "çã😀"), ("a\0b", "ab"), ("", ""), (" \u200b ", ""),
     ("x" * 30, "x" * 30), ("x" * 31, "")],
)  # fmt: skip
def test_a_tag_is_one_short_line_that_can_be_seen(text, tag):
    assert cleaned(text) == tag


def test_a_tag_has_always_the_same_colour():
    assert usual_colour("vip") == usual_colour("vip")
    assert {usual_colour(str(n)) for n in range(100)} == set(range(COLOURS))
