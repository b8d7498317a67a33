"""The Mermaid export says what the diagram says and lets no label become syntax."""

from engine.core.diagram.graph import Drawing
from engine.core.flow import PREVIOUS, State
from engine.core.mermaid import mermaid
from tests.drawn_flows import arrow, flow, sale


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
