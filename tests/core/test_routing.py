"""Which cycle a message belongs to, by the first rule that applies (R71)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.document import read
from engine.core.flow import State, StateKind
from engine.core.routing import Campaign, Said, Standing, campaign, claimed_twice, ended, route
from tests.core.documents import small


def flow(slug, *words, ads=()):
    return read(small(slug=slug, entry={"words": list(words), "ads": list(ads)}))


VENDA = Standing(id=1, flow="venda", channel_id=1, active_at=10, buttons=frozenset({"comprar"}))
MENTORIA = Standing(id=2, flow="mentoria", channel_id=1, active_at=20, buttons=frozenset({"vaga"}))
WORD = Campaign("mentoria", "word", "mentoria")


def said(**more):
    return Said(**{"channel_id": 1, "flow": "venda", **more})


def ended_(standing, **more):
    return Standing(**{name: getattr(standing, name) for name in Standing.__slots__} | {"finished": True, **more})


@pytest.mark.parametrize(
    ("message", "standing", "by", "cycle"),
    [
        (said(quoted=1), [VENDA, MENTORIA], "reply", 1),
        (said(quoted=1, button="vaga", campaign=WORD), [VENDA, MENTORIA], "reply", 1),
        (said(quoted=1), [ended_(VENDA), MENTORIA], "reply", 1),
        (said(quoted=99), [VENDA, MENTORIA], "going_on", 2),
        (said(button="comprar", campaign=WORD), [VENDA, MENTORIA], "button", 1),
        (said(button="nobody's"), [VENDA, MENTORIA], "going_on", 2),
        (said(campaign=WORD), [VENDA], "word", None),
        (said(campaign=Campaign("mentoria", "ad", "7")), [VENDA], "ad", None),
        (said(campaign=WORD), [VENDA, MENTORIA], "word", 2),
        (said(campaign=WORD), [VENDA, ended_(MENTORIA)], "word", None),
        (said(campaign=WORD), [VENDA, ended_(MENTORIA, stopped=True)], "word", 2),
        (said(), [VENDA, MENTORIA], "going_on", 2),
        (said(), [VENDA, ended_(MENTORIA)], "going_on", 1),
        (said(channel_id=2), [MENTORIA], "entry", None),
        (said(channel_id=2, flow="mentoria"), [MENTORIA], "going_on", 2),
        (said(), [ended_(VENDA), ended_(MENTORIA)], "entry", 1),
        (said(), [], "entry", None),
    ],
)
def test_the_first_rule_that_applies_decides(message, standing, by, cycle):
    way = route(message, standing)
    assert (way.by, way.cycle) == (by, cycle)


STANDINGS = st.builds(
    Standing,
    id=st.integers(1, 9),
    flow=st.sampled_from(["venda", "mentoria", "aula"]),
    channel_id=st.sampled_from([None, 1, 2]),
    active_at=st.integers(0, 3),
    finished=st.booleans(),
)
CURRENT = st.lists(STANDINGS, max_size=3, unique_by=(lambda s: s.id, lambda s: s.flow))
SAID = st.builds(
    Said,
    channel_id=st.sampled_from([1, 2]),
    flow=st.sampled_from(["venda", "mentoria"]),
    quoted=st.sampled_from([None, 1, 2, 3]),
    campaign=st.sampled_from([None, WORD]),
)


@given(SAID, CURRENT, st.randoms())
def test_a_way_leads_to_a_cycle_of_its_flow_and_does_not_depend_on_the_order_of_cycles(message, current, dice):
    way = route(message, current)
    mixed = list(current)
    dice.shuffle(mixed)
    assert route(message, mixed) == way
    flows = {each.id: each.flow for each in current}
    assert way.cycle is None or flows[way.cycle] == way.flow
    if way.cycle is None:
        assert all(each.finished for each in current if each.flow == way.flow), "nobody has two talks of one flow"


@pytest.mark.parametrize(
    ("text", "advert", "flow_", "by"),
    [
        ("Oi! Vi a MENTORIA, como funciona?", None, "mentoria", "word"),
        ("quero a aula grátis!!", None, "aula", "word"),
        ("mentorias", None, None, None),
        ("oi", "777", "mentoria", "ad"),
        ("aula grátis", "777", "mentoria", "ad"),
        ("oi", "778", None, None),
        ("", None, None, None),
        ("a mentoria tem aula grátis?", None, "aula", "word"),
    ],
)
def test_a_word_is_found_whole_whatever_its_accents_and_an_advert_comes_before_it(text, advert, flow_, by):
    flows = [flow("mentoria", "mentoria", ads=["777"]), flow("aula", "aula gratis"), flow("venda")]
    found = campaign(flows, text, advert, "venda")
    assert (found and found.flow, found and found.by) == (flow_, by)


def test_of_two_flows_with_one_word_the_channel_s_own_is_meant_else_the_first_by_name():
    flows = [flow("b", "curso"), flow("a", "curso")]
    assert campaign(flows, "curso", None, "b").flow == "b"
    assert campaign(flows, "curso", None, "c").flow == "a"


def test_what_two_flows_claim_is_told_once_for_each():
    mine = flow("a", "curso", "aula gratis", ads=["1", "2"])
    others = [flow("c", "CURSO"), flow("b", "aula grátis!", "outra", ads=["2", "3"])]
    assert [(each.flow, each.by, each.what) for each in claimed_twice(mine, others)] == [
        ("b", "word", "aula gratis"), ("b", "ad", "2"), ("c", "word", "curso"),
    ]  # fmt: skip


def test_only_final_states_end_a_talk_and_only_a_request_to_stop_keeps_it_from_beginning_anew():
    assert ended(None) == (False, False)
    assert ended(State(name="x", kind=StateKind.APPROVAL)) == (False, False)
    assert ended(State(name="x", kind=StateKind.FINAL)) == (True, False)
    assert ended(State(name="x", kind=StateKind.OPTOUT)) == (True, True)
