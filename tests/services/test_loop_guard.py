"""A robot on the other side gets no endless answers, and nobody else is cut off (R32)."""

import json

import pytest_asyncio

from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import supervise
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, opened
from tests.services.small_flow import small

TALKS = {
    "transitions": [
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
        {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "CONVERSA", "do": ["oi"]},
        {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "FIM"},
    ]
}
"""Answers everything, and stays in CONVERSA."""
WORDS = "Olá! Sua mensagem foi recebida. Em breve retornaremos."


@pytest_asyncio.fixture
async def chat(database_url):
    """A shop that answers everything."""
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    yield await opened(runtime, flow={"document": small(**TALKS)})
    await runtime.close()


async def robot(shop, times, words=WORDS, pause=10 * SECOND):
    """The same words again and again, each answered or not before the next."""
    for _ in range(times):
        await shop.writes(ANA, words)
        await shop.after(5 * SECOND)
        shop.clock.advance(pause)


async def unsent(shop):
    return [(row.action, row.status, row.reason) for row in await shop.letters() if row.status != "sent"]


async def test_the_fourth_answer_to_the_same_words_is_not_sent_and_a_person_is_called(chat):
    await robot(chat, 6)
    assert len(chat.provider.calls) == 3
    assert (await chat.conversation()).attention == "loop"
    alarms = [entry for entry in await chat.outcomes() if entry[0] == "alert"]
    assert alarms == [("alert", "loop")], "said once, however long it goes on"
    assert {(status, reason) for _, status, reason in await unsent(chat)} == {("suppressed", "loop")}
    (facts,) = await chat.rows("SELECT facts FROM log WHERE outcome = 'alert'")
    assert json.loads(facts["facts"]) == {"identical_replies": 3, "limit": 3, "to": "supervisor"}


async def test_case_accents_and_other_words_before_do_not_hide_it(chat):
    await robot(chat, 1, "oi")
    await robot(chat, 2)
    await robot(chat, 2, WORDS.upper())
    assert len(chat.provider.calls) == 1 + 3
    assert (await chat.conversation()).attention == "loop"


async def test_the_same_words_now_and_then_are_answered_each_time(chat):
    await robot(chat, 8, pause=MINUTE)
    assert len(chat.provider.calls) == 8
    assert (await chat.conversation()).attention is None


async def test_other_words_each_time_are_answered(chat):
    for number in range(8):
        await robot(chat, 1, f"pergunta {number}")
    assert len(chat.provider.calls) == 8


async def test_too_many_answers_in_a_row_in_one_state_stop_too(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, {"settings.loop": {"in_a_row": 4}}, flow={"document": small(**TALKS)})
    for number in range(8):
        await robot(shop, 1, f"resposta automática {number}", pause=MINUTE)
    # The first leads from NOVO to CONVERSA; there the count begins.
    assert len(shop.provider.calls) == 1 + 4
    assert (await shop.conversation()).attention == "loop"
    await runtime.close()


async def test_once_a_person_has_looked_answers_leave_again(chat):
    await robot(chat, 5)
    conversation = await chat.conversation()
    await supervise.seen(chat.runtime, conversation.id, ACTOR)
    chat.clock.advance(3 * MINUTE)
    await robot(chat, 1, "agora é a Ana mesmo: quanto custa?")
    assert len(chat.provider.calls) == 4
    assert (await chat.conversation()).attention is None


async def test_other_trouble_does_not_let_it_answer_again(chat):
    await robot(chat, 5)
    chat.provider.plan = [(400, {"error": {"code": 131026, "message": "no"}})]
    await supervise.write_by_hand(chat.runtime, (await chat.conversation()).id, "Oi, é você?", "a" * 16, ACTOR)
    await chat.works()
    await robot(chat, 1)
    assert (await chat.conversation()).attention == "loop"


async def test_while_it_is_stopped_a_payment_is_delivered_and_the_clock_says_nothing(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    await robot(shop, 6, "Recebemos sua mensagem.")
    assert (await shop.conversation()).attention == "loop"
    before = len(shop.provider.calls)
    await shop.after(3 * HOUR)
    assert len(shop.provider.calls) == before, "no touch to a robot"
    await shop.pays(ANA)
    await shop.works()
    assert await shop.state() == "PAGO"
    assert len(shop.provider.calls) > before, "what was paid for leaves"


async def test_a_goodbye_is_confirmed_also_to_somebody_who_seemed_a_robot(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    await robot(shop, 6, "Recebemos sua mensagem.")
    before = len(shop.provider.calls)
    await robot(shop, 1, "parar")
    assert (await shop.person())["opt_out_at"] is not None
    assert len(shop.provider.calls) == before + 1
