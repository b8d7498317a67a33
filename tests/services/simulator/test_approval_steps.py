"""A simulation decides as a person would: the same requests, the same refusals, and a saved test that says so (R7)."""

from engine.services.simulator.as_test import came, document_of
from engine.services.simulator.play import play
from engine.services.simulator.steps import Step, stored, told
from tests.services.discount import OFFER, discount
from tests.services.simulator.test_play import MINUTE, world
from tests.services.simulator.test_play import texts as left


def texts(came):
    """What left, in words."""
    return [payload["text"] for _, payload, _ in left(came)]


DISCOUNT = world(discount(states__DESCONTO__approvers=["publisher"]))
ASKED = [Step(kind="person", name="Ana Lima"), Step(kind="message", text="tem desconto?")]
APPROVED = Step(kind="decision", event="approved")


async def test_what_waits_is_shown_and_leaves_when_it_is_approved():
    waits = await play(DISCOUNT, ASKED)
    assert [bubble.words for bubble in waits.asked.content] == [OFFER]
    assert texts(waits) == []
    done = await play(DISCOUNT, [*ASKED, APPROVED])
    assert (done.asked, texts(done), done.page.state) == (None, [OFFER], "OFERTA")


async def test_other_words_a_rejection_and_the_end_of_the_time():
    other = await play(DISCOUNT, [*ASKED, Step(kind="decision", event="approved", text="Fecho por R$ 250.")])
    assert texts(other) == ["Fecho por R$ 250."]
    no = await play(DISCOUNT, [*ASKED, Step(kind="decision", event="rejected", text="caro")])
    assert (texts(no), no.page.state) == (["Desta vez não consigo."], "NOVO")
    late = await play(DISCOUNT, [*ASKED, Step(kind="clock", by=31 * MINUTE), APPROVED])
    assert (texts(late), late.page.attention, late.answers[3]) == ([], "approval_expired", 409)


async def test_a_second_decision_is_turned_away():
    twice = await play(DISCOUNT, [*ASKED, APPROVED, APPROVED])
    assert (texts(twice), twice.answers[3]) == ([OFFER], 409)


async def test_a_run_with_a_decision_is_kept_and_becomes_a_test():
    steps = [*ASKED, APPROVED]
    assert list(told(stored(steps))) == steps
    document = await document_of("desconto", DISCOUNT, await play(DISCOUNT, steps))
    assert document["expect"]["texts"] == [OFFER]
    seen = await came(document, discount(actions__oferecer__text="Outra coisa"))
    assert list(seen.texts) == ["Outra coisa"]
