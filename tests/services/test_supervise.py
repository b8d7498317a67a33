"""What a person does in a conversation: once, in order, and written down (R27, R36, R74, R75)."""

import asyncio

import pytest

from engine.core.errors import AnswerLost, NotFound, Refused
from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import deliver, supervise
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, opened


async def talked(shop):
    await shop.talks(ANA, "oi")
    shop.provider.calls.clear()
    return (await shop.conversation()).id


async def test_a_form_that_is_sent_twice_is_one_message(busy_shop):
    """R25: the form's own number is the event's id."""
    conversation_id = await talked(busy_shop)
    sent = await asyncio.gather(
        *(supervise.write_by_hand(busy_shop.runtime, conversation_id, "oi", "f1", ACTOR) for _ in range(5))
    )
    await busy_shop.works()
    assert sorted(sent) == [False, False, False, False, True]
    assert busy_shop.provider.texts == ["oi"]
    assert (await busy_shop.outcomes()).count(("duplicate", None)) == 4


@pytest.mark.parametrize(("words", "code"), [("  \n ", "empty_message"), ("x" * 4_097, "message_too_long")])
async def test_what_cannot_be_a_message_is_refused(small_shop, words, code):
    conversation_id = await talked(small_shop)
    with pytest.raises(Refused) as refused:
        await supervise.write_by_hand(small_shop.runtime, conversation_id, words, "f1", ACTOR)
    assert refused.value.code == code


async def test_a_conversation_that_is_not_there_is_not_found(small_shop):
    with pytest.raises(NotFound):
        await supervise.pause(small_shop.runtime, 99, HOUR, ACTOR)
    with pytest.raises(NotFound):
        await supervise.settle_unknown(small_shop.runtime, 99, ACTOR, arrived=True)


async def test_writing_by_hand_pauses_the_robot_for_as_long_as_the_flow_says(sqlite_url):
    """R74."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime, {"settings.human_pause": "2h"})
    conversation_id = await talked(shop)
    await supervise.write_by_hand(runtime, conversation_id, "oi", "f1", ACTOR)
    assert (await shop.person())["paused_until"] == shop.clock.now() + 2 * HOUR
    await runtime.close()


async def test_a_shorter_pause_never_cuts_a_longer_one(shop):
    """R74."""
    conversation_id = await talked(shop)
    await supervise.pause(shop.runtime, conversation_id, HOUR, ACTOR)
    await supervise.pause(shop.runtime, conversation_id, MINUTE, ACTOR)
    assert (await shop.person())["paused_until"] == shop.clock.now() + HOUR


async def held(shop):
    """A chat that a person holds, with something that the robot wanted to say."""
    conversation_id = await talked(shop)
    await supervise.pause(shop.runtime, conversation_id, HOUR, ACTOR)
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    assert [letter.status for letter in await shop.letters()] == ["sent", "held"]
    assert await shop.state() == "NEGOCIANDO"
    return conversation_id


async def test_giving_the_chat_back_sends_what_was_held_if_the_person_says_so(shop):
    """R36."""
    conversation_id = await held(shop)
    assert await supervise.give_back(shop.runtime, conversation_id, ACTOR, send_held=True) == 1
    await shop.works()
    assert len(shop.provider.texts) == 1
    assert (await shop.person())["paused_until"] is None


async def test_what_a_person_released_leaves_although_the_chat_is_held_again(shop):
    """R36: it is that person's word, not the robot's."""
    conversation_id = await held(shop)
    await supervise.give_back(shop.runtime, conversation_id, ACTOR, send_held=True)
    await supervise.pause(shop.runtime, conversation_id, HOUR, ACTOR)
    await shop.works()
    assert len(shop.provider.texts) == 1


async def test_giving_the_chat_back_drops_what_was_held_if_the_person_says_so(shop):
    """R36."""
    conversation_id = await held(shop)
    assert await supervise.give_back(shop.runtime, conversation_id, ACTOR, send_held=False) == 1
    await shop.after(HOUR)
    assert shop.provider.texts == []
    assert ("suppressed", "dropped_by_person") in await shop.outcomes()


async def test_a_pause_that_ends_by_itself_neither_sends_nor_drops_what_was_held(shop):
    """R36: it stays in the list."""
    await held(shop)
    await shop.after(HOUR)
    assert [letter.status for letter in await shop.letters()] == ["sent", "held"]


async def test_what_was_held_is_judged_again_when_it_leaves(shop):
    """R27, R75."""
    conversation_id = await held(shop)
    await shop.writes(ANA, "pare")
    await shop.after(4 * SECOND)
    assert await supervise.give_back(shop.runtime, conversation_id, ACTOR, send_held=True) == 0
    assert [letter.status for letter in await shop.letters()] == ["sent", "suppressed", "sent"]


@pytest.mark.parametrize(("arrived", "texts"), [(True, 1), (False, 2)])
async def test_a_person_decides_about_a_send_whose_outcome_nobody_knows(shop, arrived, texts):
    """R27."""
    await talked(shop)
    shop.provider.plan = [AnswerLost("gone")]
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    await shop.after(deliver.GRACE)
    letter = (await shop.letters())[-1]
    assert letter.status == "review"
    await supervise.settle_unknown(shop.runtime, letter.id, ACTOR, arrived=arrived)
    await shop.works()
    assert len(shop.provider.texts) == texts
    assert (await shop.letters())[-1].status == "sent"
    assert (await shop.conversation()).attention is None
    with pytest.raises(Refused):
        await supervise.settle_unknown(shop.runtime, letter.id, ACTOR, arrived=True)


async def test_an_opt_in_by_a_supervisor_is_recorded_and_ends_the_opt_out(shop):
    """R75."""
    conversation_id = await talked(shop)
    await shop.talks(ANA, "pare")
    await supervise.opt_in(shop.runtime, conversation_id, ACTOR)
    assert (await shop.person())["opt_out_at"] is None
    assert ("opt_in", "supervisor") in await shop.outcomes()


async def test_every_intervention_is_in_the_audit(shop):
    """R44."""
    conversation_id = await held(shop)
    await supervise.give_back(shop.runtime, conversation_id, ACTOR, send_held=False)
    await supervise.opt_in(shop.runtime, conversation_id, ACTOR)
    audited = await shop.rows("SELECT who, what FROM audit WHERE what LIKE 'con%' ORDER BY id")
    assert [tuple(row.values()) for row in audited] == [
        (ACTOR.who, "conversation.pause"),
        (ACTOR.who, "conversation.give_back"),
        (ACTOR.who, "contact.opt_in"),
    ]
