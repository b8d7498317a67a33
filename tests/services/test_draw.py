"""One call draws a flow in any format, in the layout that reads best."""

import re
import struct
from xml.etree import ElementTree as ET

import pytest

from engine.adapters.svg import frame, overlapping
from engine.core.diagram.graph import Drawing
from engine.core.errors import DrawingFailed
from engine.services import draw
from engine.services.draw import picture
from tests.drawn_flows import long_road, sale


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch):
    """What another test drew, with a drawing engine that complains perhaps, decides no layout here."""
    monkeypatch.setattr(draw, "_chosen", {})


async def test_the_web_gets_classes_and_links_and_files_get_neither():
    web = await picture(sale(), Drawing(), "svg", "/flows/venda/draft")
    assert "df-ink" in web and 'hx-get="/flows/venda/draft/states/NOVO"' in web
    file = await picture(sale(), Drawing(theme="dark"), "svg")
    assert "df-ink" not in file and "<a " not in file and "#13151b" in file


async def test_dot_leaves_without_the_codes_of_icons():
    text = await picture(sale(), Drawing(), "dot")
    assert text.startswith("digraph fluxo {") and "#1e" not in text and "#0f" not in text and "#FAFAFC" in text


async def test_mermaid_png_and_pdf_are_what_they_say():
    assert (await picture(sale(), Drawing(), "mmd")).startswith("stateDiagram-v2")
    assert (await picture(sale(), Drawing(), "png")).startswith(b"\x89PNG")
    assert (await picture(sale(), Drawing(), "pdf")).startswith(b"%PDF")


async def test_a_format_that_does_not_exist_is_refused():
    with pytest.raises(DrawingFailed) as refused:
        await picture(sale(), Drawing(), "bmp")
    assert refused.value.reason == "unsupported"


async def test_a_slide_is_1920_by_1080():
    png = await picture(sale(), Drawing(theme="light", ratio="16x9", title="Venda"), "png")
    assert struct.unpack(">II", png[16:24]) == (1920, 1080)
    svg = await picture(sale(), Drawing(theme="light", ratio="4x3"), "svg")
    size = frame(svg)
    assert abs(size.width / size.height - 4 / 3) < 0.01


@pytest.mark.parametrize("ratio", ["", "0x9", "16:9", "999x1", "16x9; drop"])
async def test_a_ratio_that_is_none_is_refused(ratio):
    with pytest.raises(DrawingFailed):
        await picture(sale(), Drawing(ratio=ratio), "png")


async def test_another_layout_is_taken_when_labels_would_overlap():
    look, svg = await draw._laid_out(sale(), Drawing())
    assert look.recovery == "below" and not overlapping(svg)


async def test_selecting_does_not_move_the_boxes_to_another_layout():
    plain = ET.fromstring(await picture(sale(), Drawing(), "svg"))
    chosen = ET.fromstring(await picture(sale(), Drawing(selected="s:NOVO", problems=frozenset({"t3"})), "svg"))
    wide, other = (float(root.get("viewBox").split()[2]) for root in (plain, chosen))
    assert abs(wide - other) < 30


async def test_many_states_are_drawn_without_actions():
    svg = await picture(long_road(26), Drawing(), "svg", "/f")
    assert "→ mandar link" not in svg and "e o robô faz mandar link" in svg


async def test_a_complaint_is_answered_with_wider_gaps(monkeypatch):
    asked = []

    async def complaining(dot, *_):
        asked.append(re.search(r"nodesep=([\d.]+)", dot)[1])
        if asked[-1] == "0.34":
            raise DrawingFailed("engine", "triangulation failed")
        return b'<svg viewBox="0.00 0.00 10.00 10.00" xmlns="http://www.w3.org/2000/svg"/>'

    monkeypatch.setattr(draw, "render", complaining)
    await picture(sale(), Drawing(), "svg")
    assert asked[:2] == ["0.34", "0.68"]
