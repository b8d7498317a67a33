"""What became of a send is asked of the gateway before a person is, and nothing is sent twice (R27)."""

import pytest

from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import deliver, inquire, supervise
from tests.fakes.evolution import Sent
from tests.services.shop import ACTOR, ANA, BIA


@pytest.fixture
async def talking(gateway):
    """A gateway on which Ana has been welcomed."""
    await gateway.talks("oi")
    gateway.fake.sent.clear()
    return gateway


async def test_a_send_without_an_answer_is_found_by_asking_and_the_next_one_leaves(talking):
    """R27: ten seconds later, before any person is asked."""
    talking.fake.fail_next("cut_after")
    await talking.queued("um", "dois")
    await talking.works()
    assert await talking.statuses() == ["sent", "uncertain", "pending"]
    await talking.after(inquire.MOMENTS[0] - 1)
    assert talking.texts == ["um"]
    await talking.after(1)
    assert await talking.statuses() == ["sent"] * 3
    assert talking.texts == ["um", "dois"]
    assert ("sent", "send_settled") in await talking.outcomes()
    assert (await talking.letters())[1].provider_id == talking.fake.sent[0].id
    assert not await talking.paused()


async def test_a_send_that_the_gateway_does_not_know_is_asked_about_a_few_times_and_then_of_a_person(talking):
    """R27: never sent again by itself."""
    talking.fake.fail_next("html")
    await talking.queued("um", "dois")
    await talking.works()
    for _ in range(12):
        await talking.after(10 * SECOND)
    assert len(talking.fake.questions) == len(inquire.MOMENTS)
    assert await talking.statuses() == ["sent", "review", "sent"]
    assert talking.texts == ["dois"]
    assert ("alert", "send_unknown") in await talking.outcomes()
    await talking.after(HOUR)
    assert talking.texts == ["dois"]


async def test_after_a_person_sends_it_again_it_leaves_once_more_and_no_more(talking):
    talking.fake.fail_next("html")
    (letter,) = await talking.queued("um")
    await talking.works()
    await talking.after(deliver.GRACE)
    await talking.works()
    await supervise.settle_unknown(talking.runtime, letter, ACTOR, arrived=False)
    await talking.works()
    await talking.after(HOUR)
    assert talking.texts == ["um"]


async def test_after_a_night_without_workers_the_gateway_is_asked_before_the_person(talking):
    talking.fake.fail_next("cut_after")
    await talking.queued("um")
    await talking.works()
    await talking.after(8 * HOUR)
    assert (await talking.statuses())[:2] == ["sent", "sent"]
    assert ("alert", "send_unknown") not in await talking.outcomes()


async def test_a_sender_that_died_in_the_middle_leaves_a_question_too(talking):
    """R27, R30: the message left and nobody wrote that down."""
    (letter,) = await talking.queued("um")
    conversation_id = (await talking.letters())[-1].conversation_id
    await talking.runtime.store.write("x", lambda tx: deliver.claim(tx, talking.runtime, conversation_id))
    talking.fake.sent.append(Sent("3EB0LOST", f"{ANA}@s.whatsapp.net", {"text": "um"}, talking.clock.now()))
    await talking.after(deliver.LEASE)
    assert await talking.statuses() == ["sent", "uncertain"]
    await talking.after(inquire.MOMENTS[0])
    found = (await talking.letters())[-1]
    assert (found.id, found.status, found.provider_id) == (letter, "sent", "3EB0LOST")


async def test_another_send_with_the_same_words_is_not_taken_for_it(talking):
    """R27: the one that is known has an id of its own already."""
    await talking.queued("oi de novo")
    await talking.works()
    talking.fake.fail_next("html")
    await talking.queued("oi de novo", event_id="another")
    await talking.works()
    for _ in range(13):
        await talking.after(10 * SECOND)
    assert await talking.statuses() == ["sent", "sent", "review"]


async def test_an_echo_with_the_same_words_settles_it_and_is_no_person_on_the_phone(talking):
    """R21, R27: the gateway tells of the send that it took, and the robot is not paused by itself."""
    talking.fake.fail_next("cut_after")
    await talking.queued("um")
    await talking.works()
    await talking.posts(talking.fake.sent_outside(talking.fake.sent[0]))
    assert await talking.statuses() == ["sent", "sent"]
    assert not await talking.paused()
    assert talking.fake.questions == []


async def test_an_echo_that_came_before_the_answer_was_lost_settles_it_too(talking):
    """R27: the echo is there while the send is still on the wire."""
    (letter,) = await talking.queued("um")
    conversation_id = (await talking.letters())[-1].conversation_id
    claimed = await talking.runtime.store.write("x", lambda tx: deliver.claim(tx, talking.runtime, conversation_id))
    sent = Sent("3EB0EARLY", f"{ANA}@s.whatsapp.net", {"text": "um"}, talking.clock.now())
    await talking.posts(talking.fake.sent_outside(sent))
    lost = deliver.SendResult(outcome="unknown", detail="answer_lost")
    await talking.runtime.store.write("x", lambda tx: deliver.settle(tx, talking.clock.now(), claimed, lost))
    found = (await talking.letters())[-1]
    assert (found.id, found.status, found.provider_id) == (letter, "sent", "3EB0EARLY")
    assert not await talking.paused()


async def test_other_words_from_the_phone_are_a_person_while_the_send_stays_unknown(talking):
    """R21: an echo that no send of ours explains."""
    talking.fake.fail_next("html")
    await talking.queued("um")
    await talking.works()
    await talking.writes("deixa comigo", from_me=True)
    assert await talking.statuses() == ["sent", "uncertain"]
    await talking.after(deliver.GRACE)
    await talking.works()
    assert await talking.statuses() == ["sent", "review"]
    assert await talking.paused()


async def test_the_same_words_to_somebody_else_settle_nothing(talking):
    await talking.talks("oi", person=BIA)
    talking.fake.fail_next("html")
    await talking.queued("um")
    await talking.works()
    talking.fake.sent.append(Sent("3EB0BIA", f"{BIA}@s.whatsapp.net", {"text": "um"}, talking.clock.now()))
    await talking.posts(talking.fake.sent_outside(talking.fake.sent[-1]))
    await talking.after(inquire.MOMENTS[0])
    assert "uncertain" in await talking.statuses()


async def test_news_of_a_message_that_nobody_knows_makes_us_ask_at_once(talking):
    """R27: without the echo, a status is a hint."""
    talking.fake.fail_next("cut_after")
    await talking.queued("um")
    await talking.works()
    sent = talking.fake.sent[0]
    await talking.posts(talking.fake.status_of(sent, "DELIVERY_ACK"))
    await talking.works()
    found = (await talking.letters())[-1]
    assert (found.status, found.provider_id, found.delivery) == ("sent", sent.id, "delivered")


async def test_even_when_a_person_was_asked_already_news_settles_it(talking):
    talking.fake.fail_next("html")
    await talking.queued("um")
    await talking.works()
    await talking.after(deliver.GRACE)
    await talking.works()
    assert await talking.statuses() == ["sent", "review"]
    sent = Sent("3EB0SLOW", f"{ANA}@s.whatsapp.net", {"text": "um"}, talking.clock.now())
    talking.fake.sent.append(sent)
    await talking.posts(talking.fake.status_of(sent, "SERVER_ACK"))
    await talking.works()
    assert await talking.statuses() == ["sent", "sent"]


@pytest.mark.parametrize(
    ("kept", "delivery", "alarms"),
    [(["SERVER_ACK"], "sent", 0), (["READ", "SERVER_ACK"], "read", 0), ([], "pending", 1), (["PENDING"], "pending", 1)],
)
async def test_a_send_that_stays_pending_is_asked_about_before_a_person_is(gateway, kept, delivery, alarms):
    """R27: 201 PENDING for ever."""
    await gateway.talks("oi")
    (sent,) = gateway.fake.sent
    gateway.fake.progress[sent.id] = kept
    await gateway.after(10 * MINUTE)
    await gateway.after(10 * MINUTE)
    assert (await gateway.letters())[0].delivery == delivery
    assert (await gateway.outcomes()).count(("alert", "not_confirmed")) == alarms
    assert len(gateway.fake.questions) == 1
    assert gateway.texts == [sent.text]


async def test_a_send_that_the_gateway_could_not_deliver_is_told_when_it_is_asked(gateway):
    await gateway.talks("oi")
    gateway.fake.progress[gateway.fake.sent[0].id] = ["ERROR"]
    await gateway.after(10 * MINUTE)
    assert await gateway.statuses() == ["failed"]
    assert ("alert", "send_failed") in await gateway.outcomes()


async def test_what_was_confirmed_is_not_asked_about(gateway):
    await gateway.talks("oi")
    await gateway.posts(gateway.fake.status_of(gateway.fake.sent[0], "SERVER_ACK"))
    await gateway.after(HOUR)
    assert gateway.fake.questions == []
    assert await gateway.rows("SELECT id FROM outbox WHERE ask_at IS NOT NULL") == []
