"""Two versions in one picture: what is new, changed or gone, marked by sign, colour and line."""

from dataclasses import replace

import pytest

from engine.core.diagram.dot import dot
from engine.core.diagram.graph import ADDED, CHANGED, REMOVED, Drawing
from engine.core.diagram.overlay import GHOST, overlay
from engine.core.diagram.palette import DARK, LIGHT
from engine.core.document import read
from tests.core.test_diagram import GOLDEN, box, edge
from tests.services.small_flow import TREE, small


def newer():
    """CONVERSA is gone and PAPO new, NOVO waits longer, t2 leads elsewhere, t1 too."""
    tree = small()
    del tree["states"]["CONVERSA"]
    tree["states"] |= {"PAPO": {"deadline": "2d"}, "NOVO": {"deadline": "3d"}}
    tree["transitions"] = [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "PAPO", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "PAPO"},
        {"id": "t5", "from": "PAPO", "on": "msg_recebida", "to": "FIM"},
        {"id": "t6", "from": "PAPO", "on": "timeout", "to": "PAPO"},
    ]
    return read(tree)


OVER = overlay(read(TREE), newer())
THEMES = {"diff-light.dot": "light", "diff-dark.dot": "dark"}


@pytest.mark.parametrize("name", THEMES)
def test_a_difference_is_drawn_as_the_golden_one(name):
    assert dot(OVER.flow, Drawing(theme=THEMES[name], marks=OVER.marks)) == (GOLDEN / name).read_text()


def test_every_difference_has_its_mark():
    assert OVER.marks == {
        "s:NOVO": CHANGED, "s:CONVERSA": REMOVED, "s:PAPO": ADDED,
        "t:t1": CHANGED, f"t:t1{GHOST}": REMOVED, "t:t2": CHANGED, f"t:t2{GHOST}": REMOVED,
        "t:t3": REMOVED, "t:t4": REMOVED, "t:t5": ADDED, "t:t6": ADDED,
    }  # fmt: skip


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_what_is_gone_is_a_ghost_with_a_sign_its_colour_and_a_line_of_its_own(theme, colours):
    text = dot(OVER.flow, Drawing(theme=theme, marks=OVER.marks))
    ghost, (line,) = box(text, "CONVERSA"), edge(text, "NOVO", "CONVERSA")
    assert f'STYLE="ROUNDED,DASHED" COLOR="{colours["del"]}" BGCOLOR="{colours["del-bg"]}"' in ghost
    assert "<S>− CONVERSA</S>" in ghost
    assert 'class="estado k-conversa d-del"' in ghost
    assert f'style=dotted, color="{colours["del"]}", penwidth=2.4' in line
    assert "<S>− " in line


def test_what_is_new_or_changed_says_so():
    text = dot(OVER.flow, Drawing(theme="light", marks=OVER.marks))
    assert "<B>+ PAPO</B>" in box(text, "PAPO")
    assert 'class="estado k-recupera rel d-add"' in box(text, "PAPO"), "a row inside is new too"
    assert "<B>~ NOVO</B>" in box(text, "NOVO")
    lines = edge(text, "NOVO", "PAPO")
    assert all(f'color="{LIGHT["chg"]}", penwidth=2.4' in line and "~ " in line for line in lines)
    (added,) = edge(text, "PAPO", "FIM")
    assert 'class="ar e-msg d-add"' in added


def test_arrows_that_differ_otherwise_are_lines_of_their_own():
    old = read(TREE)
    new = replace(old, transitions=tuple(t for t in old.transitions if t.id != "t3"))
    over = overlay(old, new)
    assert len(edge(dot(over.flow, Drawing(marks=over.marks)), "CONVERSA", "FIM")) == 2


def test_the_same_version_has_no_marks():
    over = overlay(read(TREE), read(TREE))
    assert over.marks == {}
    assert dot(over.flow, Drawing(marks=over.marks)) == dot(read(TREE), Drawing())


if __name__ == "__main__":
    for golden, theme in THEMES.items():
        (GOLDEN / golden).write_text(dot(OVER.flow, Drawing(theme=theme, marks=OVER.marks)))
