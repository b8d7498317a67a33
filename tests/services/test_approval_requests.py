"""Approval states: one request a stay, raised, withdrawn, replaced and expired with the conversation (R7, R36, R61)."""

import pytest_asyncio

from engine.core.approval import digest_of
from engine.core.events import Event
from engine.core.flow import DAY, HOUR, MINUTE, Source
from engine.core.hand_moves import ways
from engine.services import publish, supervise
from engine.services.move_by_hand import Move, move
from engine.store import queue
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.discount import OFFER, asked, discount, fate, waiting
from tests.services.shop import ACTOR, ANA, Provider, opened


@pytest_asyncio.fixture
async def discounts(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    yield await opened(runtime, flow={"document": discount()})
    await runtime.close()


async def test_entering_an_approval_state_asks_for_exactly_what_would_be_sent(discounts):
    """R7: nothing leaves, and what would leave is rendered and hashed."""
    request = await asked(discounts)
    assert (request.state, request.transition, request.status) == ("DESCONTO", "t3", "pending")
    assert [bubble.words for bubble in request.content] == [OFFER]
    assert request.sha256 == digest_of(request.content)
    assert discounts.provider.texts == []
    assert ("note", "approval_asked") in await discounts.outcomes()


async def test_a_message_that_stays_in_the_state_leaves_the_request_as_it_is(discounts):
    request = await asked(discounts)
    await discounts.talks(ANA, "e então?")
    assert (await discounts.conversation()).snapshot.context["voltas"] == 1
    assert (await waiting(discounts)).id == request.id


async def test_a_message_that_changes_what_would_be_sent_replaces_the_request(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": discount(actions__oferecer__text="Volta {{voltas}}")})
    first = await asked(shop)
    await shop.talks(ANA, "e então?")
    second = await waiting(shop)
    assert (await fate(shop, first.id), second.content[0].words) == ("replaced", "Volta 1")
    await runtime.close()


async def test_a_payment_while_it_waits_withdraws_the_request(discounts):
    request = await asked(discounts)
    await discounts.pays(ANA)
    await discounts.works()
    assert (await discounts.state(), await fate(discounts, request.id)) == ("PAGO", "withdrawn")
    assert (await discounts.conversation()).attention is None


async def test_an_opt_out_while_it_waits_withdraws_the_request(discounts):
    request = await asked(discounts)
    await discounts.talks(ANA, "parar")
    assert (await discounts.state(), await fate(discounts, request.id)) == ("SAIU", "withdrawn")


async def test_an_expired_approval_sends_nothing_and_calls_a_person(discounts):
    """The deadline of the state is the end of the request."""
    request = await asked(discounts)
    await discounts.after(30 * MINUTE)
    assert (await discounts.state(), await fate(discounts, request.id)) == ("NOVO", "expired")
    assert (await discounts.conversation()).attention == "approval_expired"
    assert discounts.provider.texts == []


async def test_an_expiry_that_no_arrow_answers_still_ends_the_request(database_url):
    tree = discount()
    tree["transitions"] = [row for row in tree["transitions"] if row["id"] != "t5"]
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": tree})
    request = await asked(shop)
    await shop.after(HOUR)
    assert (await shop.state(), await fate(shop, request.id)) == ("DESCONTO", "expired")
    assert (await shop.conversation()).attention == "approval_expired"
    await runtime.close()


async def test_a_silence_that_the_flow_answers_by_waiting_on_is_no_expiry(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": discount(transitions__t5__to="DESCONTO")})
    request = await asked(shop)
    await shop.after(30 * MINUTE)
    assert (await shop.state(), (await waiting(shop)).id) == ("DESCONTO", request.id)
    await runtime.close()


async def test_while_a_person_holds_the_chat_the_request_does_not_expire(discounts):
    """R15."""
    request = await asked(discounts)
    await supervise.pause(discounts.runtime, request.conversation_id, DAY, ACTOR)
    await discounts.after(2 * HOUR)
    assert await fate(discounts, request.id) == "pending"
    await supervise.give_back(discounts.runtime, request.conversation_id, ACTOR, send_held=True)
    await discounts.works()
    assert await fate(discounts, request.id) == "pending"


async def test_a_new_version_asks_again_about_what_it_would_send(discounts):
    """R61: the old request is replaced, and publishing sends nothing."""
    first = await asked(discounts)
    await publish.publish_tree(discounts.runtime, discount(actions__oferecer__text="Fecho por R$ 250."), "", ACTOR)
    await discounts.works()
    second = await waiting(discounts)
    assert await fate(discounts, first.id) == "replaced"
    assert (second.flow_version, second.content[0].words) == (2, "Fecho por R$ 250.")
    assert discounts.provider.texts == []


async def test_a_state_that_becomes_an_approval_asks_for_those_who_stand_in_it(database_url):
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    tree = discount(states__DESCONTO__kind="normal")
    tree["events"] |= {"approved": {"source": "human"}, "rejected": {"source": "human", "data": {"reason": "text"}}}
    shop = await opened(runtime, flow={"document": tree})
    assert await asked(shop) is None
    await publish.publish_tree(runtime, discount(), "", ACTOR)
    assert (await waiting(shop)).content[0].words == OFFER
    await publish.publish_tree(runtime, tree, "", ACTOR)
    assert await waiting(shop) is None
    await runtime.close()


async def test_an_event_of_that_name_that_nobody_decided_moves_nothing(discounts):
    """An event that another part of the installation calls `approved` is no approval."""
    request = await asked(discounts)
    for number in ("api:1", f"approval:{request.id}", "approval:99"):
        event = Event(id=number, type="approved", source=Source.HUMAN, at=discounts.clock.now())
        await discounts.runtime.store.write(
            "test",
            lambda tx, event=event: queue.put(
                tx, event, event.at, conversation_id=request.conversation_id, contact_id=None
            ),
        )
    await discounts.works()
    assert (await discounts.state(), await fate(discounts, request.id)) == ("DESCONTO", "pending")
    assert discounts.provider.texts == []


async def test_whoever_is_moved_by_hand_is_asked_about_there_and_nowhere_else(discounts):
    """R7: out of the state the request is withdrawn, into it one is raised; its arrows are no way to move somebody."""
    request = await asked(discounts)
    number, flow = request.conversation_id, await discounts.runtime.flow("desconto", 1)
    assert [arrow.id for arrow in ways(flow, "DESCONTO")] == ["g2"]
    out = Move(to="NOVO", why="engano", seen="DESCONTO", form="0" * 16)
    await move(discounts.runtime, number, out, ACTOR)
    assert (await fate(discounts, request.id), await waiting(discounts)) == ("withdrawn", None)
    back = Move(to="DESCONTO", why="agora sim", seen="NOVO", form="1" * 16)
    await move(discounts.runtime, number, back, ACTOR)
    assert (await waiting(discounts)).content[0].words == OFFER
    assert discounts.provider.texts == []
