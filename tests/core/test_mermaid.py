"""The Mermaid export says what the diagram says and lets no label become syntax."""

import re

import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine.core.diagram.graph import Drawing
from engine.core.flow import PREVIOUS, State
from engine.core.mermaid import mermaid
from tests.drawn_flows import arrow, flow, sale
from tests.strategies import flows


def test_every_transition_is_a_line():
    drawn = sale()
    text = mermaid(drawn, Drawing(title="Venda"))
    lines = [line for line in text.splitlines() if "-->" in line and "[*]" not in line]
    assert len(lines) == len(drawn.arrows)
    assert text.startswith('---\ntitle: "Venda"\n---\nstateDiagram-v2\n')
    assert "  s0 --> s1: mensagem / dar boas-vindas" in text
    assert "de silêncio #91;toques #60; 3#93; / próximo toque" in text
    assert '  state "De qualquer estado" as anywhere' in text and "  anywhere --> " in text
    assert "  [*] --> s0" in text and "classDef pagto fill:#FFF0CC" in text


def test_the_same_flow_in_another_order_is_the_same_text():
    assert mermaid(sale(shuffled=True)) == mermaid(sale())


def test_labels_cannot_become_syntax():
    hostile = 'a"; click s0 href "javascript:x" %% --> <b>\n[*]'
    text = mermaid(flow([State(name=hostile)], [arrow("t1", hostile, hostile, PREVIOUS)]), Drawing(title=hostile))
    body = text.split("---\n")[2]
    assert "<" not in body and "%%" not in body and "javascript:x" not in body
    assert all(line.count('"') in {0, 2} for line in text.splitlines())
    assert "before" in text


LABEL = r"(?:[\w .,/+*'()=!?→…-]|#\d+;)+"
END = r"(?:\[\*\]|s\d+|before|anywhere)"
LINES = re.compile(
    "|".join(
        (
            "stateDiagram-v2",
            "  direction TB",
            rf'  state "{LABEL}" as (?:s\d+|before|anywhere)',
            rf"  {END} --> {END}(?:: {LABEL})?",
            r"  classDef \w+ fill:#\w{6},stroke:#\w{6},color:#\w{6}",
            r"  class s\d+(?:,s\d+)* \w+",
            "",
        )
    )
)


ODD = st.text(st.sampled_from(";:\"'#%<>{}[]|`\\&~^$@\n-—ab é") | st.characters(), min_size=1, max_size=40)


@given(ODD, ODD, ODD, st.booleans())
def test_whatever_things_are_called_every_line_is_one_of_the_grammar(one, other, title, counted):
    drawn = flow(
        [State(name=f"A{one}"), State(name=f"B{other}")],
        [arrow("t1", f"A{one}", other, f"B{other}", one), arrow("t2", f"B{other}", one, PREVIOUS)],
        [arrow("g1", None, one, f"A{one}")],
    )
    look = Drawing(title=f"T{title}", subtitle=title, ids=True, counts={f"A{one}": 3} if counted else None)

    head, body = mermaid(drawn, look).split("\n---\n", 1)

    assert yaml.safe_load(head.removeprefix("---\n"))["title"].startswith("T")
    assert [line for line in body.split("\n") if not LINES.fullmatch(line)] == []


@given(flows())
def test_every_arrow_of_any_flow_is_a_line(drawn):
    text = mermaid(drawn)
    lines = [line for line in text.split("\n") if "-->" in line and "[*]" not in line]
    shown = [t for t in drawn.arrows.values() if t.to in drawn.states or t.to == PREVIOUS]
    assert len(lines) == len(shown)


def test_ids_counts_and_the_line_below_the_title_are_there_when_asked_for():
    look = Drawing(title="Venda", subtitle="v3", ids=True, counts={"NOVO": 1200})
    text = mermaid(sale(), look)
    assert text.startswith('---\ntitle: "Venda · v3"\n')
    assert '"NOVO (1.200)"' in text and '"PAGO (0)"' in text
    assert ": t1 mensagem" in text
    assert "/ dar boas-vindas" not in mermaid(sale(), Drawing(actions=False))
