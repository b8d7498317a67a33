"""The Markdown summary: every word of a flow stays a word, and a path is numbered steps."""

from engine.cli.summary import summary
from engine.core.checks.findings import Fix, Where
from engine.core.checks.sentences import finding
from tests.factories import a_flow, final

STEPS = (
    {"event": "msg", "from": "A", "to": "B", "transition": "t1", "do": ["oi"], "values": {}},
    {"event": "timeout", "from": "B", "to": "B", "transition": None, "do": [], "values": {"toques": 3}},
)


def test_a_path_is_a_cell_of_numbered_steps() -> None:
    told = summary(a_flow([final("A")]), [finding("S1", Where("B"), path=STEPS)], "pt-BR")

    assert "| 1&#46; A, msg → B, oi<br>2&#46; B, timeout → B |" in told


def test_names_break_neither_the_table_nor_the_page() -> None:
    fix = Fix("delete_state", {"op": "delete_state", "id": "`c`"})
    hostile = finding("S1", Where("a|b\n<img src=x>"), witness={"x": "**@all** [a](b)"}, fixes=(fix,))

    row = summary(a_flow([final("A")], slug="x|y"), [hostile], "en").splitlines()[-1]

    assert row.count("|") == 8
    assert not any(sign in row for sign in ("<img", "**", "`", "@", "](")), row
    assert "a&#124;b &#60;img src=x&#62;" in row
