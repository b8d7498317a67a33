"""An archived flow takes nobody new, loses nobody, and comes back as it was (R71)."""

import pytest
import pytest_asyncio

from engine.core.errors import NotFound, Refused
from engine.core.inbound import Person
from engine.core.permissions import Actor
from engine.services import archive, channels, live, publish, sources
from engine.services.intake import Arrival, cycle
from engine.store import audit, contacts, conversations, flows
from tests.services.small_flow import small

ANA = Actor("ana@example.com")


@pytest_asyncio.fixture
async def slug(runtime):
    await publish.publish_tree(runtime, small(), "primeira", ANA)
    return "pequeno"


async def enter(runtime, phone):
    """Somebody writes for the first time; the conversation, or None."""

    def unit(tx):
        arrival = Arrival(now=runtime.clock.now(), flows=runtime.flows, webhook_id="w", flow="pequeno")
        found = contacts.resolve(tx, Person(phone=phone), arrival.now)
        begun = cycle(tx, arrival, found)
        return None if begun is None else begun[0].id

    return await runtime.store.write("k", unit)


async def test_nobody_new_enters_and_whoever_is_inside_stays(runtime, slug):
    first = await enter(runtime, "5541900000001")
    await archive.archive(runtime, slug, ANA)

    assert await enter(runtime, "5541900000002") is None
    assert await enter(runtime, "5541900000001") == first, "their conversation goes on"
    assert await runtime.store.read(flows.live_numbers) == {}
    assert await archive.inside(runtime, slug) == 1
    await archive.bring_back(runtime, slug, ANA)
    assert await enter(runtime, "5541900000002") is not None
    assert await runtime.store.read(flows.live_numbers) == {slug: 1}


async def test_a_channel_or_a_product_that_leads_into_it_has_to_lead_elsewhere_first(runtime, slug):
    await publish.add_draft(runtime, small(slug="outro"), ANA)
    channel = await channels.add(runtime, "phone", "Balcão", ANA, flow=slug)
    await sources.add(runtime, "hotmart", "Loja", "outro", ANA, values={"product.12": slug})

    with pytest.raises(Refused) as refused:
        await archive.archive(runtime, slug, ANA)

    assert refused.value.code == "flow_is_led_into"
    assert refused.value.facts["names"] == ["Balcão", "Loja"]
    found = await archive.leads(runtime, slug)
    assert found.channels == ((channel.id, "Balcão"),)
    assert [name for _, name in found.sources] == ["Loja"]
    assert not await archive.leads(runtime, "nenhum")


async def test_nothing_can_be_led_into_it_or_published_while_it_is_archived(runtime, slug):
    await archive.archive(runtime, slug, ANA)

    with pytest.raises(Refused, match="flow_archived"):
        await channels.add(runtime, "phone", "Balcão", ANA, flow=slug)
    with pytest.raises(Refused, match="flow_archived"):
        await publish.publish_tree(runtime, small(title="Outro"), "", ANA)


async def test_the_live_desk_shows_it_as_long_as_somebody_is_inside(runtime, slug):
    number = await enter(runtime, "5541900000001")
    await archive.archive(runtime, slug, ANA)
    assert await live.live_slugs(runtime) == [(slug, "Pequeno")]

    def end(tx):
        tx.run("UPDATE conversation SET state = 'FIM' WHERE id = :id", id=number)
        return conversations.load(tx, number)

    await runtime.store.write("k", end)
    assert await archive.inside(runtime, slug) == 0
    assert await live.live_slugs(runtime) == []


async def test_it_is_told_once_who_archived_it_and_who_brought_it_back(runtime, slug):
    for act in (archive.archive, archive.archive, archive.bring_back, archive.bring_back):
        await act(runtime, slug, ANA)

    told = [entry.what for entry in await runtime.store.read(audit.listed)]

    assert told[:2] == ["flow.brought_back", "flow.archived"]
    assert told.count("flow.archived") == 1
    for act in (archive.archive, archive.bring_back):
        with pytest.raises(NotFound):
            await act(runtime, "nenhum", ANA)
