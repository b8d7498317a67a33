"""The DOT text of a flow: complete, in the grammar, and the same for the same flow.

After a wanted change: `python -m tests.core.test_diagram` from the root writes the golden files again; read their diff.
"""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from engine.core.diagram.cells import ICON_NAMES, icon_code
from engine.core.diagram.dot import MOST_STATES, dot
from engine.core.diagram.graph import MOST_LINES, Drawing, graph, natural
from engine.core.diagram.overview import overview
from engine.core.diagram.palette import DARK, LIGHT, PLACEHOLDERS, TOKENS, heat
from engine.core.diagram.phases import MOST_AT_ONCE, part, phases
from engine.core.document import read
from engine.core.errors import DrawingFailed
from engine.core.flow import PREVIOUS, Look, State
from engine.samples import names, tree
from tests.core.documents import small
from tests.drawn_flows import arrow, flow, long_road, sale

GOLDEN = Path(__file__).parent.parent / "golden"
COUNTS = {"NOVO": 3, "ENGAJADO": 64, "NEGOCIANDO": 41, "PERDIDO": 3604, "PAGO": 942}
LOOKS = {
    "sale-web.dot": Drawing(counts=COUNTS, selected="s:NEGOCIANDO", problems=frozenset({"t18", "t19"})),
    "sale-light.dot": Drawing(theme="light", title="Venda do combo"),
    "sale-dark-english.dot": Drawing(theme="dark", language="en", actions=False, icons=False, current="PAGO"),
    "sale-conflict.dot": Drawing(
        selected="t:t18", problems=frozenset({"t18", "t19", "RECUPERANDO"}), quiet=True, theme="light"
    ),
    "sale-traffic.dot": Drawing(
        traffic={("NOVO", "ENGAJADO", False): 1284, ("ENGAJADO", "RECUPERANDO", True): 310}, theme="light"
    ),
}
ROAD = long_road(MOST_AT_ONCE + 5)
PHASED = {
    "phase.dot": lambda: _phase(ROAD, 2),
    "phases.dot": lambda: overview(ROAD, phases(ROAD), Drawing(theme="light", counts={"ETAPA_3": 12})),
    "ways.dot": lambda: dot(ways(), Drawing(theme="light")),
    "gathered.dot": lambda: dot(silences(MOST_LINES + 1), Drawing(theme="light")),
}
"""A phase with stubs at its edges, the overview, the ways that the sale does not have (back to the state before, by a row and
from anywhere, and exempt states), and more lines than one box can take.
"""


def _phase(drawn, number):
    seen = part(drawn, phases(drawn), number)
    return dot(seen.flow, Drawing(theme="light", actions=False, beyond=seen.beyond))


def ways():
    states = [State(name="A", look=Look.ENTRY), State(name="B"), State(name="AJUDA", look=Look.HUMAN)]
    transitions = [
        arrow("t1", "A", "quer_comprar", "B"),
        arrow("t2", "AJUDA", "msg_recebida", PREVIOUS),
        arrow("t3", "B", "timeout", "B"),
    ]
    globals_ = [
        arrow("g1", None, "pediu_parar", PREVIOUS, excepting=frozenset({"B"})),
        arrow("g2", None, "pagamento_aprovado", "AJUDA", excepting=frozenset({"A", "AJUDA"})),
    ]
    return flow(states, transitions, globals_)


def silences(count):
    """A road of `count` states, whose every silence leads into the same state."""
    road = [f"E{number}" for number in range(1, count + 1)]
    states = [*(State(name=name) for name in road), State(name="VOLTA", look=Look.RECOVERY)]
    onwards = [arrow(f"t{n}", one, "quer_comprar", other) for n, (one, other) in enumerate(pairwise(road), start=1)]
    quiet = [arrow(f"s{number}", name, "timeout", "VOLTA") for number, name in enumerate(road, start=1)]
    return flow(states, [*onwards, *quiet], [])


def edge(text: str, start: str, end: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f'  "{start}" -> "{end}"')]


def box(text: str, name: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(f'  "{name}" [')]
    return line


@pytest.mark.parametrize("name", names())
def test_a_sample_flow_is_drawn_as_the_golden_one(name):
    assert dot(read(tree(name)), Drawing(theme="light")) == (GOLDEN / f"{name}.dot").read_text()


@pytest.mark.parametrize("name", LOOKS)
def test_a_drawing_is_the_golden_one(name):
    assert dot(sale(), LOOKS[name]) == (GOLDEN / name).read_text()


@pytest.mark.parametrize("name", PHASED)
def test_a_phase_and_rare_ways_are_drawn_as_the_golden_ones(name):
    assert PHASED[name]() == (GOLDEN / name).read_text()


def test_a_line_is_as_thick_as_its_share_of_the_busiest_and_says_the_number():
    text = dot(sale(), LOOKS["sale-traffic.dot"])
    (busy,), (quiet, *_) = edge(text, "NOVO", "ENGAJADO"), edge(text, "ENGAJADO", "NEGOCIANDO")
    assert "penwidth=5.0" in busy and ">1.284<" in busy
    assert "penwidth=1.2" in quiet and ">0<" in quiet
    (clock,) = (line for line in edge(text, "ENGAJADO", "RECUPERANDO") if "e-clock" in line)
    assert "penwidth=2.1" in clock


def test_the_order_of_a_document_changes_nothing():
    look = LOOKS["sale-web.dot"]
    assert dot(sale(shuffled=True), look) == dot(sale(), look)


def test_every_transition_is_drawn_exactly_once():
    drawn = sale()
    references = re.findall(r'<TD HREF="#t:([^"]+)"', dot(drawn, Drawing()))
    assert sorted(references, key=natural) == sorted(drawn.arrows, key=natural)


def test_every_state_is_one_box_with_its_id_and_kind():
    text = dot(sale(), Drawing())
    assert set(re.findall(r'id="s-([A-Z_]+)"', text)) == set(sale().states)
    assert 'class="estado k-pagto"' in box(text, "CHECKOUT_ENVIADO")
    assert 'HREF="#s:NOVO" TITLE="Estado NOVO, entrada."' in box(text, "NOVO")


def test_a_transition_that_stays_is_a_row_and_not_a_loop():
    text = dot(sale(), Drawing())
    assert edge(text, "NEGOCIANDO", "NEGOCIANDO") == []
    assert 'HREF="#t:t5"' in box(text, "NEGOCIANDO")


def test_lines_are_one_per_pair_and_family():
    both = edge(dot(sale(), Drawing()), "CHECKOUT_ENVIADO", "RECUPERANDO")
    assert len(both) == 2
    event, clock = both
    assert 'id="a-t11-t12"' in event and 'class="ar e-pay"' in event and "style=solid" in event
    assert 'id="a-t13"' in clock and 'class="ar e-clock"' in clock and "style=dashed" in clock


def test_a_silence_says_the_deadline_ladder_of_its_state():
    """R11"""
    text = dot(sale(), Drawing())
    assert ">20 h, 1 dia, 2 dias de silêncio<" in box(text, "RECUPERANDO")
    assert ">2 h de silêncio<" in edge(text, "ENGAJADO", "RECUPERANDO")[0]
    assert ">2 h of silence<" in edge(dot(sale(), Drawing(language="en")), "ENGAJADO", "RECUPERANDO")[0]


def test_a_condition_is_a_chip_with_the_text_as_typed_and_a_diamond_on_the_line():
    """R3"""
    text = dot(sale(), Drawing())
    assert 'BORDER="1" STYLE="ROUNDED"' in box(text, "RECUPERANDO") and ">toques &lt; 3<" in box(text, "RECUPERANDO")
    (line,) = edge(text, "RECUPERANDO", "PERDIDO")
    assert ">senão<" in line and "arrowtail=odiamond" in line
    assert "odiamond" not in edge(text, "NOVO", "ENGAJADO")[0]


def test_what_leads_to_an_approval_ends_with_a_hand():
    """R7"""
    coded = icon_code("hand", "humano-bd")
    text = dot(sale(), Drawing())
    assert coded in edge(text, "NEGOCIANDO", "DESCONTO")[0]
    assert coded not in edge(text, "NEGOCIANDO", "CHECKOUT_ENVIADO")[0]


def test_globals_leave_from_one_portal_only():
    """R4"""
    text = dot(sale(), Drawing())
    assert text.count('"@any" -> ') == 2
    assert "DE QUALQUER ESTADO" in text and "penwidth=2.2" in text
    assert "FROM ANY STATE" in dot(sale(), Drawing(language="en"))


def test_exempt_states_are_named_on_a_global_arrow():
    """R4"""
    states = [State(name="A"), State(name="B"), State(name="C")]
    text = dot(flow(states, [], [arrow("g1", None, "fim", "B", excepting=frozenset({"C", "A"}))]), Drawing())
    assert ">menos A, C<" in text


def test_going_back_to_the_state_before_is_a_row_or_a_portal():
    states = [State(name="A"), State(name="B")]
    text = dot(flow(states, [arrow("t1", "A", "volta", PREVIOUS)], [arrow("g1", None, "volta", PREVIOUS)]), Drawing())
    assert 'HREF="#t:t1"' in box(text, "A")
    assert '"@any" -> "@previous"' in text and "ESTADO ANTERIOR" in text


def test_recovery_stands_beside_the_state_that_sends_it_most_and_shapes_nothing():
    text = dot(sale(), Drawing())
    assert '{rank=same; "CHECKOUT_ENVIADO"; "RECUPERANDO"}' in text
    assert "constraint=false, weight=2" in edge(text, "CHECKOUT_ENVIADO", "RECUPERANDO")[0]
    below = dot(sale(), Drawing(recovery="below"))
    assert "rank=same" not in below
    assert "constraint" not in edge(below, "CHECKOUT_ENVIADO", "RECUPERANDO")[0]


def test_the_road_pulls_and_ways_back_do_not():
    text = dot(sale(), Drawing())
    assert ", weight=8" in edge(text, "NOVO", "ENGAJADO")[0]
    assert "constraint=false, weight=1" in edge(text, "PERDIDO", "ENGAJADO")[0]
    assert "newrank=true" in text


def test_boxes_follow_the_road_of_the_sale():
    names = [state.name for state in graph(sale()).boxes]
    assert names == [
        "NOVO", "ENGAJADO", "NEGOCIANDO", "CHECKOUT_ENVIADO", "AGUARDANDO_PIX", "DESCONTO",
        "PAGO", "RECUPERANDO", "PERDIDO", "OPT_OUT",
    ]  # fmt: skip


def test_as_many_lines_as_a_box_can_take_are_all_drawn():
    text = dot(silences(MOST_LINES), Drawing())
    assert all(edge(text, f"E{number}", "VOLTA") for number in range(1, MOST_LINES + 1))
    assert "setas escritas" not in text


def test_of_more_lines_the_last_is_drawn_and_the_others_are_rows_where_they_begin():
    drawn, count = silences(MOST_LINES + 1), MOST_LINES + 1
    text = dot(drawn, Drawing())
    lines = [number for number in range(1, count + 1) if edge(text, f"E{number}", "VOLTA")]
    rows = [number for number in range(1, count + 1) if f'HREF="#t:s{number}"' in box(text, f"E{number}")]
    assert lines == [count] and rows == list(range(1, count))
    assert all(">VOLTA<" in box(text, f"E{number}") for number in rows)
    assert f"+ {count - 1} setas escritas nas suas caixas" in box(text, "VOLTA")
    references = re.findall(r'<TD HREF="#t:([^"]+)"', text)
    assert sorted(references, key=natural) == sorted(drawn.arrows, key=natural)


def test_a_row_of_a_line_says_its_traffic_once():
    text = dot(silences(MOST_LINES + 1), Drawing(traffic={("E1", "VOLTA", True): 310}))
    assert box(text, "E1").count(">310<") == 1 and ">0<" in box(text, "E2")


def test_selecting_an_arrow_moves_no_line_into_a_box_or_out_of_it():
    plain, chosen = (dot(silences(MOST_LINES + 1), Drawing(selected=one)) for one in (None, "t:s1"))
    assert [line.split("[")[0] for line in plain.splitlines()] == [line.split("[")[0] for line in chosen.splitlines()]


def test_selection_and_problems_change_borders_lines_and_classes():
    text = dot(sale(), Drawing(selected="t:t7", problems=frozenset({"ENGAJADO", "t1"}), current="PAGO"))
    accent, wrong = PLACEHOLDERS["accent"], PLACEHOLDERS["err"]
    (chosen,) = edge(text, "NEGOCIANDO", "CHECKOUT_ENVIADO")
    assert (
        f'color="{accent}", penwidth=2.8' in chosen and 'class="ar e-msg sel"' in chosen and "<B>quer comprar" in chosen
    )
    assert f'color="{wrong}", penwidth=2.4' in edge(text, "NOVO", "ENGAJADO")[0]
    assert f'<TABLE BORDER="3" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" STYLE="ROUNDED" COLOR="{wrong}"' in text
    assert 'BORDER="3.5"' in box(text, "PAGO") and "k-ganho cur" in box(text, "PAGO")
    assert "k-conversa rel" in box(text, "NEGOCIANDO") and "k-conversa err rel" in box(text, "ENGAJADO")


def test_a_chosen_line_leads_to_the_chosen_transition():
    text = dot(sale(), Drawing(selected="t:t12"))
    assert 'edgeURL="#t:t12"' in edge(text, "CHECKOUT_ENVIADO", "RECUPERANDO")[0]


def test_counts_are_pills_whose_heat_finals_never_have():
    text = dot(sale(), Drawing(counts=COUNTS))
    assert PLACEHOLDERS["heat4"] in box(text, "ENGAJADO") and ">64<" in box(text, "ENGAJADO")
    assert ">3.604<" in box(text, "PERDIDO") and PLACEHOLDERS["heat4"] not in box(text, "PERDIDO")
    assert "64 conversas agora" in box(text, "ENGAJADO")
    assert ">3,604<" in dot(sale(), Drawing(counts=COUNTS, language="en"))
    assert [heat(n) for n in (0, 1, 10, 11, 25, 26, 50, 51)] == [0, 1, 1, 2, 2, 3, 3, 4]


def test_actions_can_be_left_out_and_are_still_in_the_sentence():
    text = dot(sale(), Drawing(actions=False))
    assert "→ dar boas-vindas" not in text
    assert "e o robô faz dar boas-vindas." in text
    assert ">→ dar boas-vindas<" in dot(sale(), Drawing())


def test_finals_that_nothing_leaves_have_two_outlines():
    text = dot(sale(), Drawing(theme="light"))
    assert 'BORDER="1" STYLE="ROUNDED" COLOR="#00805C"' in box(text, "PAGO")
    assert 'BORDER="1" STYLE="ROUNDED" COLOR="#A64600"' not in box(text, "PERDIDO")


@pytest.mark.parametrize(("theme", "own", "others"), [("light", LIGHT, DARK), ("dark", DARK, LIGHT)])
def test_exports_hold_real_colours_of_their_theme_only(theme, own, others):
    text = dot(sale(), Drawing(theme=theme, icons=False))
    used = set(re.findall(r"#[0-9A-F]{6}", text))
    assert used <= set(own.values()) and used - set(others.values())
    assert f'bgcolor="{own["canvas"]}"' in text and "7b" not in text


def test_the_web_drawing_holds_placeholders_only():
    used = set(re.findall(r"#[0-9A-Fa-f]{6}(?=\")", dot(sale(), Drawing(counts=COUNTS))))
    assert {colour for colour in used if not colour.startswith("#1e")} <= set(PLACEHOLDERS.values())


def test_no_colour_of_a_theme_can_be_taken_for_an_icon_or_a_placeholder():
    codes = {icon_code(name, token) for name in ICON_NAMES for token in TOKENS} | set(PLACEHOLDERS.values())
    assert len(codes) == len(ICON_NAMES) * len(TOKENS) + len(TOKENS)
    assert codes.isdisjoint(colour.lower() for colour in (*LIGHT.values(), *DARK.values()))


def test_both_themes_have_every_token():
    assert tuple(LIGHT) == tuple(DARK) and len(set(PLACEHOLDERS.values())) == len(LIGHT)


def test_more_states_than_a_picture_bears_are_refused():
    assert dot(long_road(MOST_STATES), Drawing())
    with pytest.raises(DrawingFailed) as refused:
        dot(long_road(MOST_STATES + 1), Drawing())
    assert refused.value.reason == "too_large"


def test_arrows_to_states_that_are_not_there_are_left_out():
    text = dot(flow([State(name="A", look=Look.ENTRY)], [arrow("t1", "A", "x", "NADA")]), Drawing())
    assert "NADA" not in text


if __name__ == "__main__":
    for golden, look in LOOKS.items():
        (GOLDEN / golden).write_text(dot(sale(), look))
    for golden, made in PHASED.items():
        (GOLDEN / golden).write_text(made())
    for sample in names():
        (GOLDEN / f"{sample}.dot").write_text(dot(read(tree(sample)), Drawing(theme="light")))


def test_a_note_of_the_team_marks_its_state_and_arrow_where_notes_are_shown_and_nowhere_else():
    made = read(
        small(
            states={"NOVO": {"deadline": "1d", "note": "testar <2 h>"}, "FIM": {"kind": "final"}},
            transitions=[{"id": "t1", "from": "NOVO", "on": "msg", "to": "FIM", "note": "pedido da Lia"}],
            globals=None, ignore=None,
        )
    )  # fmt: skip

    shown, exported = dot(made, Drawing(notes=True)), dot(made, Drawing(theme="light"))

    assert "✎ testar &lt;2 h&gt;" in box(shown, "NOVO")
    assert "✎ pedido da Lia" in shown
    assert icon_code("note", "muted") in shown
    assert "testar" not in exported
    assert "pedido" not in exported
