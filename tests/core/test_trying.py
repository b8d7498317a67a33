"""What a text would do: the event, the rule, and the consequence in every state, by the real classifier and interpreter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import samples
from engine.core.classify import Fragment, classify, hits, ranked
from engine.core.document import read
from engine.core.events import Outcome
from engine.core.trying import attempt
from tests.services.small_flow import small

NOW = 1_764_500_000_000
VENDA = read(samples.tree("venda"))


def by_state(trial):
    return {one.state: one for one in trial.consequences}


def test_the_rule_that_wins_and_those_that_would_match_too():
    trial = attempt(VENDA, ["amei! quanto fica?", "manda o link"], NOW)

    assert (trial.proposal.event, trial.proposal.phrase) == ("quer_comprar", "manda o link")
    assert [hit.event for hit in trial.also] == ["pediu_preco"]
    assert (trial.also[0].span.fragment, trial.also[0].phrase) == (0, "quanto fica")
    assert not trial.asks_to_stop


def test_every_state_has_its_consequence():
    trial = attempt(VENDA, ["manda o link"], NOW)

    found = by_state(trial)
    assert set(found) == set(VENDA.states)
    assert (found["ENGAJADO"].outcome, found["ENGAJADO"].taken.to) == (Outcome.MOVED, "CHECKOUT_ENVIADO")
    assert found["ENGAJADO"].counts_as == "quer_comprar"
    assert found["NOVO"].counts_as == "msg_recebida"
    assert found["OPT_OUT"].outcome is Outcome.IGNORED


def test_a_request_to_stop_is_recognised_and_ends_in_the_opt_out_state():
    trial = attempt(VENDA, ["me tira da lista, por favor"], NOW)

    assert trial.asks_to_stop
    assert by_state(trial)["ENGAJADO"].taken.to == "OPT_OUT"
    assert all(one.opts_out for one in trial.consequences)


def test_arrows_that_a_condition_chooses_among_are_all_told():
    rows = [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "when": "toques > 2"},
        {"id": "t2", "from": "NOVO", "on": "msg_recebida", "to": "FIM", "when": "otherwise"},
        {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "FIM"},
        {"id": "t4", "from": "FIM", "on": "msg_recebida", "to": "FIM", "when": "toques > 2"},
    ]
    found = by_state(attempt(read(small(transitions=rows, ignore=[])), ["oi"], NOW))

    assert (found["NOVO"].taken.id, [arrow.id for arrow in found["NOVO"].arrows]) == ("t2", ["t1", "t2"])
    assert (found["CONVERSA"].taken.id, found["CONVERSA"].arrows) == ("t3", ())
    assert (found["FIM"].outcome, [arrow.id for arrow in found["FIM"].arrows]) == (Outcome.NO_TRANSITION, ["t4"])


@pytest.mark.parametrize("text", ["", "👍", "oi " * 2_000, "\u202e", "a\nb"])
def test_no_text_is_a_defect(text):
    trial = attempt(VENDA, [text], NOW)

    assert trial.proposal.event == VENDA.general_message
    assert len(trial.consequences) == len(VENDA.states)


WORDS = ["quanto", "custa", "quero", "o", "link", "comprar", "não", "espera", "desconto", "pix", "?", "manda"]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=3))
def test_the_first_hit_is_what_the_classifier_proposes(texts):
    """R24: one order of rules, for the answer and for its explanation."""
    fragments = [Fragment(text) for text in texts]
    proposal, found = classify(VENDA, fragments), hits(VENDA, fragments)
    order = [index for index, _ in ranked(VENDA)]

    assert [order.index(hit.rule_index) for hit in found] == sorted(order.index(hit.rule_index) for hit in found)
    if proposal.reason == "rule":
        assert (found[0].rule_index, found[0].event) == (proposal.rule_index, proposal.event)
    elif proposal.reason == "general":
        assert found == []
