"""The two decisions are events of every flow that has an approval state, and of no other (R7)."""

import pytest

from engine.core.document import read
from engine.core.errors import InvalidDocument
from engine.core.flow import FieldType, Source
from engine.core.sentences import transition_sentence
from engine.services.receive_event_body import known_event
from tests.services.discount import discount
from tests.services.small_flow import small


def test_they_need_not_be_written():
    flow = read(discount())
    assert flow.events["approved"].source is flow.events["rejected"].source is Source.HUMAN
    assert flow.events["rejected"].data == {"reason": FieldType.TEXT}
    assert not {"approved", "rejected"} & set(read(small()).events)


def test_they_may_be_written_with_a_label_but_only_as_decisions_of_people():
    tree = discount()
    tree["events"]["approved"] = {"source": "human", "label": "a gerente deixa"}
    assert "quando a gerente deixa" in transition_sentence(read(tree), read(tree).arrows["t3"])
    for wrong in ({"source": "api"}, {"source": "message", "falls_back_to": "msg_recebida"}):
        tree["events"]["approved"] = wrong
        with pytest.raises(InvalidDocument) as refused:
            read(tree)
        assert [(m.place, m.code) for m in refused.value.mistakes] == [("events.approved", "decision_event")]


def test_a_flow_without_approvals_may_use_the_names_as_it_likes():
    events = {"msg_recebida": {"source": "message"}, "approved": {"source": "payment"}}
    assert read(small(events=events)).events["approved"].source is Source.PAYMENT


@pytest.mark.parametrize(("arrow", "words"), [("t3", "uma pessoa aprova"), ("t4", "uma pessoa rejeita")])
def test_they_are_said_in_words(arrow, words):
    flow = read(discount())
    assert words in transition_sentence(flow, flow.arrows[arrow])


@pytest.mark.parametrize("name", ["approved", "rejected"])
def test_no_other_system_can_send_them(name):
    with pytest.raises(InvalidDocument) as refused:
        known_event(read(discount()), name)
    assert "comes from who may approve alone" in refused.value.mistakes[0].message
