"""Drawings made by Graphviz: limits hold, hostile text stays text, and what a page gets is links and classes only.

SEC-S15, SEC-S35.
"""

import asyncio
import re
import time
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from engine.adapters import graphviz
from engine.adapters.diagram_css import css
from engine.adapters.graphviz import render, render_now
from engine.adapters.svg import overlapping, themed
from engine.core.diagram.dot import dot
from engine.core.diagram.graph import Drawing
from engine.core.diagram.metrics import width
from engine.core.diagram.palette import TOKENS
from engine.core.errors import DrawingFailed
from engine.core.flow import EventType, Send, Source, State
from tests.drawn_flows import arrow, flow, said, sale

ROOT = Path(__file__).parent.parent.parent
COUNTS = {"NOVO": 3, "ENGAJADO": 64, "PERDIDO": 3604}
EDITOR = "/flows/venda/draft"
HOSTILE = {
    "an HTML-like label": "<<B>x</B>>",
    "a script": "<script>alert(1)</script>",
    "an address in a cell": '<TABLE><TR><TD HREF="javascript:alert(1)">x</TD></TR></TABLE>',
    "an image": '<IMG SRC="/etc/passwd"/>',
    "the end of an attribute": '" URL="javascript:alert(1)" x="',
    "the end of a node": '"]; evil [label="x',
    "javascript": "javascript:alert(1)",
    "NUL": "a\x00b",
    "controls": "a\x01\x1b[31mb\x7f",
    "the end of a CDATA": "]]>",
    "an entity": "&lt;script&gt;&#60;b&#62;",
    "a foreign object": "<foreignObject><iframe src=x onload=alert(1)></foreignObject>",
    "single quotes": "x' onload='alert(1)",
    "backslashes": '\\N \\" \\',
    "right to left": "\u202egnp.exe\u202c שלום",
    "a lone surrogate": "a\ud800b",
    "a megabyte": "x" * 1_000_000,
    "templates": "{{7*7}} ${x} %(x)s",
}
TAGS = {"svg", "g", "a", "path", "polygon", "polyline", "text", "use", "defs", "symbol"}


def page(drawn, look, links=EDITOR):
    return themed(render_now(dot(drawn, look), "svg").decode(), look.language, links, theme=look.theme)


def elements(svg):
    return [(el.tag.split("}")[-1], el) for el in ET.fromstring(svg).iter()]


def hostile_flow(words):
    long, words = words, words[:2_000]  # a document's names are short; its texts are not
    states = [State(name=words), State(name="OK")]
    transitions = [arrow("t1", words, "e", words, "a"), arrow(words, words, words, "OK", words)]
    globals_ = [arrow("g1", None, words, "OK", words, excepting=frozenset({words}))]
    events = [EventType(name="e", source=Source.PAYMENT, label=said(long))]
    return flow(states, transitions, globals_, events=events, actions=[Send(id="a", label=said(long))])


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("links", [EDITOR, None])
def test_hostile_text_stays_text(name, links):
    words = HOSTILE[name]
    look = Drawing(theme="web" if links else "dark", title=words, selected=f"s:{words}", counts={words: 1})
    svg = page(hostile_flow(words), look, links)
    for tag, element in elements(svg):
        assert tag in TAGS
        assert not any(attribute.lower().startswith("on") or attribute == "style" for attribute in element.attrib)
        href = element.get("href", "#")
        assert re.fullmatch(r"#di-[a-z]+|#|\?sel=[st]:[A-Za-z0-9_.~%-]+", href)
        assert re.fullmatch(r"[A-Za-z0-9_.~%@-]*", element.get("id", ""))
    assert "evil" not in svg or 'id="evil' not in svg
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\u202e]", svg)


def test_hostile_text_is_shown_as_typed():
    svg = page(flow([State(name=r"<b> \N & \" ok")], []), Drawing())
    assert [el.text for tag, el in elements(svg) if tag == "text"] == [r"<b> \N & \" ok"]


def test_a_page_gets_links_for_the_keyboard_and_lines_for_the_mouse():
    drawn = sale()
    links = [el for tag, el in elements(page(drawn, Drawing())) if tag == "a"]
    keyboard = [el for el in links if el.get("tabindex") != "-1"]
    assert sorted(el.get("data-sel") for el in keyboard) == sorted(
        [f"s:{name}" for name in drawn.states] + [f"t:{name}" for name in drawn.arrows]
    )
    assert all(el.get("aria-label", "").endswith(".") for el in keyboard)
    lines = [el for el in links if el.get("tabindex") == "-1"]
    assert lines and all(el.get("aria-hidden") == "true" and el[0].get("class") == "hit" for el in lines)
    assert not any(child.tag.endswith("}a") for el in links for child in el.iter() if child is not el)


def test_a_link_works_without_a_script_and_with_htmx():
    (one,) = [el for _, el in elements(page(sale(), Drawing())) if el.get("data-sel") == "s:NOVO"]
    assert one.attrib == {
        "href": "?sel=s:NOVO",
        "data-sel": "s:NOVO",
        "hx-get": "/flows/venda/draft/states/NOVO",
        "hx-target": "#panel",
        "hx-push-url": "?sel=s:NOVO",
        "aria-label": "Estado NOVO, entrada.",
    }
    svg = page(sale(), Drawing())
    assert 'hx-get="/flows/venda/draft/transitions/t19"' in svg


def test_the_name_in_a_link_is_the_one_that_was_typed():
    svg = page(flow([State(name="NEGOCIAÇÃO 2")], []), Drawing())
    assert 'data-sel="s:NEGOCIAÇÃO 2"' in svg
    assert 'href="?sel=s:NEGOCIA%C3%87%C3%83O%202"' in svg


def test_a_page_has_classes_for_colours_and_nothing_that_the_policy_forbids():
    svg = page(sale(), Drawing(counts=COUNTS))
    assert "style=" not in svg and "#0f" not in svg and "xlink" not in svg and "<title" not in svg
    used = set(re.findall(r"\bd[fsc]-([a-z0-9-]+)", svg))
    assert used <= set(TOKENS) and {"ink", "heat4", "pagto-bd"} <= used
    root = ET.fromstring(svg)
    assert root.get("role") == "group" and root.get("aria-label")


def test_a_page_gets_the_smallest_size_at_which_words_can_be_read():
    root = ET.fromstring(page(sale(), Drawing()))
    wide, high = (float(number) for number in root.get("viewBox").split()[2:])
    assert (int(root.get("width")), int(root.get("height"))) == (round(wide * 9 / 11), round(high * 9 / 11))
    assert ET.fromstring(page(sale(), Drawing(theme="light"), None)).get("width") is None


def test_no_line_is_drawn_over_the_words_of_another():
    groups = [el for _, el in elements(page(sale(), Drawing())) if "edge" in el.get("class", "").split()]
    order = ["words" if any(el.tag.endswith("text") for el in group.iter()) else "line" for group in groups]
    assert set(order) == {"line", "words"} and order == sorted(order)


def test_icons_come_along():
    svg = page(sale(), Drawing())
    used = set(re.findall(r'href="#(di-[a-z]+)"', svg))
    assert used == set(re.findall(r'<symbol id="([^"]+)"', svg)) and "di-hand" in used and "di-bolt" in used


def test_an_export_stands_alone_without_links_or_classes_for_colours():
    svg = page(sale(), Drawing(theme="dark", title="Venda & Cia"), None)
    assert "<a " not in svg and "hx-" not in svg and not re.search(r"\bd[fsc]-", svg)
    assert "#EDB84A" in svg and "Venda &amp; Cia" in svg and "Liberation Sans" in svg


def test_quiet_is_a_class_of_the_drawing():
    svg = render_now(dot(sale(), Drawing()), "svg").decode()
    assert ET.fromstring(themed(svg, quiet=True)).get("class") == "fluxo quiet"


def test_the_style_sheet_is_the_generated_one():
    assert (ROOT / "static" / "diagram.css").read_text() == css()


def test_no_text_of_a_box_leaves_its_box():
    """Cell widths come from our own table, and the browser's fonts have the same measure."""
    for group in [el for _, el in elements(page(sale(), Drawing(counts=COUNTS))) if "estado" in el.get("class", "")]:
        outline = next(el for el in group.iter() if el.tag.endswith("path"))
        xs = [float(x) for x in re.findall(r"(-?[\d.]+),", outline.get("d", ""))]
        for text in [el for el in group.iter() if el.tag.endswith("text")]:
            bold = text.get("font-weight") == "bold"
            end = float(text.get("x")) + width(text.text, float(text.get("font-size")), bold=bold)
            assert min(xs) < float(text.get("x")) and end < max(xs)


def test_labels_of_lines_do_not_run_into_each_other():
    def row_ends(svg):
        for link in [el for _, el in elements(svg) if el.get("data-sel", "").startswith("t:")]:
            texts = [el for el in link.iter() if el.tag.endswith("text")]
            for one, other in pairwise(texts):
                bold = one.get("font-weight") == "bold"
                yield (
                    float(one.get("x")) + width(one.text, float(one.get("font-size")), bold=bold),
                    float(other.get("x")),
                )

    assert all(end < start for end, start in row_ends(page(sale(), Drawing())))


def test_overlapping_labels_are_noticed():
    crowded = render_now(dot(sale(), Drawing()), "svg").decode()
    roomy = render_now(dot(sale(), Drawing(recovery="below")), "svg").decode()
    assert overlapping(crowded) and not overlapping(roomy)


def test_what_is_not_dot_fails_in_one_sentence():
    with pytest.raises(DrawingFailed) as failed:
        render_now("digraph {", "svg")
    assert failed.value.reason == "engine"
    with pytest.raises(DrawingFailed):
        themed("<svg", "pt-BR")
    with pytest.raises(DrawingFailed) as refused:
        render_now('digraph { a [label="\ud800"] }', "svg")
    assert refused.value.reason == "unsupported"


def test_declarations_of_entities_never_reach_the_parser():
    bomb = (
        '<!DOCTYPE s [<!ENTITY a "b">]><svg viewBox="0 0 1 1" xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>'
    )
    with pytest.raises(DrawingFailed):
        themed(bomb)


@pytest.mark.parametrize(
    "bomb",
    [
        "digraph {" + "".join(f"n{i} -> n{i * 7 % 5000}; n{i} -> n{i * 3 % 5000}; " for i in range(5000)) + "}",
        'digraph { a [label="' + "x" * 1_000_000 + '"] }',
        'digraph { a [label="' + "x" * 5_000_000 + '"] }',
        "digraph {" + "subgraph {" * 20_000 + "a" + "}" * 20_000 + "}",
    ],
    ids=["5,000 nodes", "a label of 1 MB", "more than is read", "nested"],
)
def test_a_bomb_ends_within_its_limits(bomb):
    """Time, memory and size of one drawing are bounded, and the process that asked lives on."""
    began = time.monotonic()
    try:
        drawing = render_now(bomb, "svg")
    except DrawingFailed:
        drawing = b""
    assert time.monotonic() - began < graphviz.TIMEOUT_S + 2
    assert len(drawing) < 5_000_000


def test_the_limits_are_set_before_anything_is_read(monkeypatch, tmp_path):
    """Memory in KiB, file size in blocks, seconds of CPU."""
    telltale = tmp_path / "telltale"
    telltale.write_text("#!/bin/sh\nread line\nulimit -v\nulimit -f\nulimit -t\n")
    telltale.chmod(0o755)
    monkeypatch.setattr(graphviz, "program", lambda: telltale)
    assert render_now("which limits hold?\n", "svg").split() == [b"524288", b"0", b"6"]


def test_the_time_limit_holds(monkeypatch):
    monkeypatch.setattr(graphviz, "TIMEOUT_S", 0.01)
    slow = "digraph {" + "".join(f"n{i} -> n{i * 7 % 300}; n{i} -> n{i * 3 % 300}; " for i in range(300)) + "}"
    with pytest.raises(DrawingFailed) as failed:
        render_now(slow, "svg")
    assert failed.value.reason == "timeout"


def test_a_drawing_is_made_once(monkeypatch):
    text = dot(sale(), Drawing(theme="light", title="uma vez"))
    first = render_now(text, "svg")
    monkeypatch.setattr(graphviz, "_run", lambda *_: pytest.fail("drawn again"))
    assert render_now(text, "svg") == first


async def test_many_ask_at_once_and_all_get_their_drawing():
    texts = [f'digraph {{ a [label="{number}"] }}' for number in range(8)]
    drawings = await asyncio.gather(*(render(text, "svg") for text in texts))
    assert [f">{number}<".encode() in drawing for number, drawing in enumerate(drawings)] == [True] * 8


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(graphviz, "CACHED", 2)
    kept = graphviz._Kept()
    for number in range(4):
        kept.put(str(number), b"x")
    assert [kept.get(str(number)) for number in range(4)] == [None, None, b"x", b"x"]
    monkeypatch.setattr(graphviz, "CACHED_BYTES", 3)
    kept.put("big", b"xxx")
    assert kept.get("3") is None and kept.get("big") == b"xxx"


def test_no_program_is_a_drawing_that_failed(monkeypatch, tmp_path):
    monkeypatch.setattr(graphviz, "program", lambda: tmp_path / "nothing")
    with pytest.raises(DrawingFailed) as failed:
        render_now("digraph { nothing }", "svg")
    assert failed.value.reason == "engine"
