"""A flow too large for one picture is drawn by phase: nothing is lost, nothing is drawn twice, few lines are cut."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.core.diagram.dot import dot
from engine.core.diagram.graph import Drawing
from engine.core.diagram.overview import overview
from engine.core.diagram.phases import LARGEST, MOST_AT_ONCE, between, part, phase_of, phases
from engine.core.flow import PREVIOUS, State
from tests.drawn_flows import arrow, flow, long_road, sale

BIG = MOST_AT_ONCE + 5


def web(count, ways, globals_=()):
    names = [f"E{number}" for number in range(count)]
    arrows = [
        arrow(f"t{number}", names[one % count], "quer_comprar", names[other % count])
        for number, (one, other) in enumerate(ways)
    ]
    return flow([State(name=name) for name in names], arrows, globals_)


WAYS = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), max_size=150)


@given(st.integers(MOST_AT_ONCE + 1, 140), WAYS)
def test_every_state_is_in_one_phase_and_none_is_too_large(count, ways):
    drawn = web(count, ways)
    every = phases(drawn)
    names = [name for phase in every for name in phase.states]
    assert sorted(names) == sorted(drawn.states)
    assert all(1 <= len(phase.states) <= LARGEST for phase in every)
    assert [phase.number for phase in every] == list(range(1, len(every) + 1))


@given(WAYS)
def test_every_arrow_is_drawn_in_full_in_exactly_one_phase(ways):
    drawn = web(BIG, ways, (arrow("g1", None, "pediu_parar", "E3"), arrow("g2", None, "pagamento_aprovado", PREVIOUS)))
    every = phases(drawn)
    found = []
    for phase in every:
        seen = part(drawn, every, phase.number)
        found += re.findall(r'<TD HREF="#t:([^"]+)"', dot(seen.flow, Drawing(beyond=seen.beyond)))
    assert sorted(found) == sorted(drawn.arrows)


def test_what_one_picture_bears_has_no_phases():
    assert phases(sale()) == () and phases(long_road(MOST_AT_ONCE)) == ()


def test_the_phases_of_the_document_come_first_and_keep_their_names():
    drawn = long_road(BIG)
    named = {
        name: replace(state, phase="Entrada" if int(name[6:]) < 20 else None) for name, state in drawn.states.items()
    }
    every = phases(replace(drawn, states=named))
    entry = next(phase for phase in every if phase.name == "Entrada")
    assert set(entry.states) == {f"ETAPA_{number}" for number in range(20)}
    assert all(not set(phase.states) & set(entry.states) for phase in every if phase is not entry)


def test_the_road_is_cut_where_the_fewest_lines_cross():
    """Four clusters of 22 with one line between: no cut goes through a cluster."""
    size = 22
    ways = [
        (base + one, base + other)
        for base in range(0, 4 * size, size)
        for one in range(size)
        for other in (one + 1, one + 2, one + 3)
        if other < size
    ]
    ways += [(size * (number + 1) - 1, size * (number + 1)) for number in range(3)]
    drawn = web(4 * size, ways)
    assert [sorted(int(name[1:]) // size for name in phase.states) for phase in phases(drawn)] == [
        [number] * size for number in range(4)
    ]


def test_a_neighbour_is_a_stub_that_leads_to_it_and_what_comes_in_is_counted():
    drawn = long_road(BIG)
    every = phases(drawn)
    seen = part(drawn, every, 2)
    text = dot(seen.flow, Drawing(beyond=seen.beyond))
    for name, number in seen.beyond.stubs.items():
        assert phase_of(every, name) == number != 2
        assert f'HREF="#s:{name}"' in text and f">fase {number}<" in text
    assert 'HREF="#p:1"' in text and ">1 seta da fase 1<" in text


def test_the_overview_has_a_box_for_each_phase_and_a_line_for_each_pair():
    drawn = long_road(BIG)
    every = phases(drawn)
    text = overview(drawn, every, Drawing(counts={"ETAPA_0": 3}))
    assert len(re.findall(r'id="p-\d+"', text)) == len(every)
    assert len(re.findall(r'"p\d+" -> "p\d+"', text)) == len(between(drawn, every))
    assert ">3<" in text and text == overview(drawn, every, Drawing(counts={"ETAPA_0": 3}))


def test_the_order_of_a_document_changes_no_phase():
    drawn = long_road(BIG)
    turned = replace(
        drawn, states=dict(reversed(list(drawn.states.items()))), transitions=tuple(reversed(drawn.transitions))
    )
    assert [phase.states for phase in phases(turned)] == [phase.states for phase in phases(drawn)]
