"""Charts write shapes and nothing else, whatever they are told to say."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.charts import bar, element, histogram, spread

GOLDEN = Path(__file__).parent.parent / "golden"


def pictures():
    marks = ((0.2, "now", "hoje: 4 s"), (0.9, "tried", "testar: 18 s"))
    return {
        "chart-bar": bar(0.656, "k-conversa"),
        "chart-spread": spread((0.1, 0.25, 0.5, 1.4), "k-pagto"),
        "chart-histogram": histogram(
            (3, 12, 0, 5), ("joined", "between", "parted", "parted"), ("0", "10", "20 s"), marks
        ),
    }


@pytest.mark.parametrize("name", sorted(pictures()))
def test_a_chart_is_drawn_as_it_was(name):
    assert pictures()[name] + "\n" == (GOLDEN / f"{name}.svg").read_text()


def test_no_other_element_and_no_other_attribute_is_ever_written():
    for wrong in (lambda: element("script"), lambda: element("rect", onclick="x"), lambda: element("rect", style="x")):
        with pytest.raises(ValueError, match="no chart has"):
            wrong()


@given(st.text(), st.text(), st.floats(-2, 2))
def test_words_and_classes_can_not_leave_their_place(words, kind, at):
    drawn = histogram((1, 2), (kind, "parted"), (words, words), ((at, kind, words),))
    assert set(re.findall(r"</?([a-z]+)", drawn)) == {"svg", "rect", "line", "text"}
    assert drawn.count("<") == drawn.count(">")
    assert spread((at, at, at, at), kind).count("<line") == 3


def test_a_share_beyond_the_whole_ends_at_its_end():
    assert 'width="100" height="10"></rect></svg>' in bar(1.7, "k")
    assert 'width="0"' in bar(-1, "k")


def test_nothing_counted_is_a_picture_without_columns_of_any_height():
    assert 'height="0"' in histogram((0, 0), ("a", "b"), ("0", "1"), ())
