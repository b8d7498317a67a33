"""Exports from the finished drawing: paths taken apart, the display list, PNG through a background, PDF by hand."""

import math
import re
import struct
import zlib

import pytest

from engine.adapters.canvas import canvas
from engine.adapters.display import Shape, Words, display, placed
from engine.adapters.graphviz import render_now
from engine.adapters.legend import Legend
from engine.adapters.pdf import pdf
from engine.adapters.strokes import strokes
from engine.adapters.svg import Frame, frame, themed
from engine.core.diagram.dot import dot
from engine.core.diagram.graph import Drawing
from engine.core.diagram.icons import ICONS
from engine.core.diagram.legend import legend
from engine.core.diagram.palette import colours
from tests.drawn_flows import sale

SIZE = Frame(200.0, 100.0)


def shown(title="Venda"):
    look = Drawing(theme="light", title=title)
    return display(themed(render_now(dot(sale(), look), "svg").decode(), theme="light"))


def stream(file):
    return zlib.decompress(re.search(rb"stream\n(.*?)\nendstream", file, re.DOTALL)[1]).decode("latin-1")


def pixels(png):
    return struct.unpack(">II", png[16:24])


def test_relative_and_absolute_lines_are_the_same_lines():
    assert strokes("M1 2h3v4l-3-4z") == strokes("M1 2H4V6L1 2Z")


def test_smooth_curves_mirror_the_handle_before():
    ((_, curves),) = strokes("M0 0C0 1 1 2 2 2S4 3 4 4")
    assert curves[1] == ((3, 2), (4, 3), (4, 4))


def test_a_ring_stays_on_its_circle():
    ((_, curves),) = strokes(ICONS["okc"])[:1]
    assert all(math.isclose(math.dist((12, 12), end), 8.5, rel_tol=1e-9) for _, _, end in curves)


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_can_be_taken_apart_and_stays_in_its_square(name):
    points = [point for _, curves in strokes(ICONS[name]) for curve in curves for point in curve]
    assert points and all(-0.5 <= x <= 24.5 and -0.5 <= y <= 24.5 for x, y in points)


def test_an_unknown_command_is_refused():
    with pytest.raises(ValueError):
        strokes("M0 0Q1 1 2 2")


def test_the_display_list_says_what_the_drawing_says():
    size, items = shown()
    said = [item.text for item in items if isinstance(item, Words)]
    assert {"Venda", "NEGOCIANDO", "20 h, 1 dia, 2 dias de silêncio", "toques < 3"} <= set(said)
    assert all(
        0 <= item.at[0] <= size.width and 0 <= item.at[1] <= size.height for item in items if isinstance(item, Words)
    )
    assert any(item.dashes for item in items if isinstance(item, Shape))


def test_a_png_has_the_asked_size_and_the_icons():
    plain = canvas(SIZE, [Words((10, 50), 'diz "oi" \\', 12, "#000000", bold=True)], "#ffffff")
    png = render_now(plain, "png", 144)
    assert png.startswith(b"\x89PNG") and pixels(png) == (400, 200)
    icon = [Shape((5, 5), (((5, 5), (50, 50), (50, 50)),), None, "#ff0000", 2)]
    assert render_now(canvas(SIZE, icon, "#ffffff"), "png", 144) != render_now(canvas(SIZE, [], "#ffffff"), "png", 144)


def test_text_cannot_leave_the_background_it_is_written_in():
    hostile = '\\"]; evil [shape=box, URL="javascript:x'
    svg = render_now(canvas(SIZE, [Words((10, 50), hostile, 12, "#000000")], "#ffffff"), "svg").decode()
    assert svg.count('class="node"') == 0 and "evil" in svg and "xlink:href" not in svg


def test_a_pdf_holds_the_words_and_is_well_formed():
    size, items = shown("Preço ≥ R$ 297 → já")
    file = pdf(size, items, "Preço ≥ 297")
    assert file.startswith(b"%PDF-1.4") and file.endswith(b"%%EOF\n")
    start = int(re.search(rb"startxref\n(\d+)", file)[1])
    assert file[start : start + 4] == b"xref"
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", file), start=1):
        assert file[int(place) :].startswith(b"%d 0 obj" % number)
    page = stream(file)
    assert f"<{b'NEGOCIANDO'.hex()}> Tj" in page
    assert "/S 18.00 Tf" in page and "<b3> Tj" in page and "<ae> Tj" in page
    assert "Preço ≥ 297".encode("utf-16-be").hex().encode() in file


def test_what_a_pdf_font_lacks_is_a_question_mark():
    page = stream(pdf(SIZE, [Words((0, 10), "日a)\\", 10, "#102030")]))
    assert "<3f61295c> Tj" in page and "0.063 0.125 0.188 rg" in page


def test_a_legend_names_what_the_drawing_has_and_breaks_into_rows():
    entries = legend(sale(), "pt-BR")
    assert [entry.text for entry in entries if entry.icon][:2] == ["entrada", "em conversa"]
    assert [entry.ink for entry in entries if not entry.icon] == ["edge", "pay", "clock", "global"]
    made = Legend(entries)
    assert made.height(4000) < made.height(300) < made.height(120)
    assert Legend(()).height(300) == 0
    words = [each for each in made.elements(300, 500, colours("light")) if each.tag == "text"]
    assert [word.text for word in words] == [entry.text for entry in entries]
    assert all(500 < float(word.get("y")) < 500 + made.height(300) for word in words)


def test_a_legend_makes_the_file_higher_and_moves_nothing():
    bare = render_now(dot(sale(), Drawing(theme="dark")), "svg").decode()
    made = Legend(legend(sale(), "en"))
    plain, explained = themed(bare, theme="dark"), themed(bare, theme="dark", legend=made)
    size = frame(plain)
    assert frame(explained).height == pytest.approx(size.height + made.height(size.width), abs=0.01)
    assert plain.split("<g", 1)[1].rsplit("</svg>", 1)[0] in explained


def test_a_page_holds_the_whole_drawing_in_its_middle():
    size, items = shown()
    page = Frame(960, 540)
    put = placed(size, items, page, "#ffffff")
    points = [curve[2] for item in put[1:] if isinstance(item, Shape) for curve in item.curves]
    assert all(-1 <= x <= 961 and -1 <= y <= 541 for x, y in points)
    words = [item for item in put if isinstance(item, Words)]
    assert {word.text for word in words} == {item.text for item in items if isinstance(item, Words)}
    assert put[0] == Shape((0, 0), tuple((c,) * 3 for c in ((960, 0), (960, 540), (0, 540), (0, 0))), "#ffffff", None)
