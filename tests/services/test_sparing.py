"""A number that may be banned writes to people who did not ask slowly; answers never wait for it (R27)."""

import asyncio
from itertools import pairwise

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.services import channels, deliver
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.gateway_shop import Patient, gateway_shop
from tests.services.shop import ACTOR, ANA, BIA, VENDA

MIDNIGHT = 1_764_471_600_000  # 2025-11-30 00:00 in São Paulo
NOON = MIDNIGHT + 12 * HOUR
PEOPLE = [f"55419000010{n:02d}" for n in range(6)]


@pytest_asyncio.fixture
async def spared(database_url):
    """A gateway whose number is spared, at noon, with people who have written before."""
    async with Http() as http:
        runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Patient(http), flows=VENDA)
        async with gateway_shop(runtime, pacing="on", jitter_seconds="1") as made:
            made.clock.move_to(NOON)
            for person in PEOPLE:
                await made.writes("oi", person)
            await made.after(5 * SECOND)
            made.clock.move_to(NOON + HOUR)
            made.fake.sent.clear()
            yield made
        await runtime.close()


async def moments(gateway, limit=120):
    """When each message left, in milliseconds after now, watched second by second."""
    begun, seen = gateway.clock.now(), 0
    left = []
    for _ in range(limit):
        await gateway.works()
        left += [gateway.clock.now() - begun] * (len(gateway.fake.sent) - seen)
        seen = len(gateway.fake.sent)
        gateway.clock.advance(SECOND)
    return left


async def strangers(gateway, count):
    """People whom nobody has met, each with a conversation."""
    made = [f"55419000020{n:02d}" for n in range(count)]
    (known,) = await gateway.rows("SELECT MAX(id) AS id FROM conversation")
    for phone in made:
        await gateway.writes("oi", phone)
    await gateway.after(5 * SECOND)

    def unmet(tx):
        for table, column in (("inbound", "conversation_id"), ("outbox", "conversation_id")):
            tx.run(f"DELETE FROM {table} WHERE {column} > :n", n=known["id"])
        tx.run("UPDATE conversation SET last_inbound_at = 0, deadline_at = NULL WHERE id > :n", n=known["id"])

    await gateway.runtime.store.write("x", unmet)
    gateway.fake.sent.clear()
    return made


async def test_what_the_clock_starts_leaves_one_by_one_with_a_rest_between(spared):
    for person in PEOPLE:
        await spared.queued("lembrete", phone=person, cause="clock", event_id=f"t-{person}")
    left = await moments(spared)
    assert len(left) == len(PEOPLE)
    assert left[0] == 0
    assert all(8 * SECOND <= b - a <= 10 * SECOND for a, b in pairwise(left))


@pytest.mark.parametrize(
    ("cause", "more"), [("message", {}), ("operator", {"author": "ana"}), ("payment", {"is_global": True})]
)
async def test_answers_people_and_approved_payments_never_wait(spared, cause, more):
    for person in PEOPLE:
        await spared.queued("x", phone=person, cause=cause, event_id=f"m-{person}", **more)
    await spared.works()
    assert len(spared.fake.sent) == len(PEOPLE)


async def test_an_answer_overtakes_what_waits_in_the_line(spared):
    """R27: also in the same conversation, and also when what waits has several parts."""
    await spared.queued("lembrete", phone=PEOPLE[0], cause="clock")
    await spared.works()
    await spared.queued("um", phone=PEOPLE[1], cause="clock", part=1, parts=2, event_id="t")
    await spared.queued("dois", phone=PEOPLE[1], cause="clock", part=2, parts=2, event_id="t")
    await spared.works()
    await spared.queued("resposta", phone=PEOPLE[1])
    await spared.works()
    assert spared.texts == ["lembrete", "resposta"]
    spared.clock.advance(10 * SECOND)
    await spared.works()
    assert spared.texts == ["lembrete", "resposta", "um", "dois"]


async def test_one_person_gets_only_so_much_a_day(spared):
    """R27: several letters of one event are one message; the count is over the last 24 hours."""
    for number in range(7):
        await spared.queued(f"a{number}", f"b{number}", phone=PEOPLE[0], cause="clock", event_id=f"t{number}")
        spared.clock.advance(2 * MINUTE)
        await spared.works()
        spared.clock.advance(20 * SECOND)
        await spared.works()
    assert len(spared.fake.sent) == 10
    assert ("postponed", "contact_daily") in await spared.outcomes()
    spared.clock.advance(DAY)
    await spared.works()
    spared.clock.advance(2 * MINUTE)
    await spared.works()
    assert len(spared.fake.sent) > 10


async def test_only_so_many_strangers_are_written_to_on_one_day(spared):
    await channels.change(spared.runtime, spared.channel_id, ACTOR, values={"strangers_daily": "3"})
    for phone in await strangers(spared, 5):
        await spared.queued("oferta", phone=phone, cause="payment", event_id=f"c-{phone}")
    await spared.queued("lembrete", phone=PEOPLE[0], cause="payment", event_id="known")
    for _ in range(60):
        await spared.after(10 * SECOND)
    assert spared.texts.count("oferta") == 3
    assert "lembrete" in spared.texts, "who has written before is no stranger"
    assert (await spared.outcomes()).count(("postponed", "strangers_daily")) == 2
    spared.clock.move_to(MIDNIGHT + DAY)
    for _ in range(12):
        await spared.after(10 * SECOND)
    assert spared.texts.count("oferta") == 5


async def test_outside_the_working_day_only_the_clock_waits(spared):
    spared.clock.move_to(MIDNIGHT + 22 * HOUR)
    await spared.runtime.store.write("x", lambda tx: tx.run("UPDATE conversation SET deadline_at = NULL"))
    await spared.queued("relógio", phone=PEOPLE[0], cause="api", event_id="a")
    await spared.queued("carrinho", phone=PEOPLE[1], cause="payment", event_id="b")
    for _ in range(6):
        await spared.after(10 * SECOND)
    assert spared.texts == ["carrinho"]
    spared.clock.move_to(MIDNIGHT + DAY + 8 * HOUR)
    await spared.works()
    assert "relógio" in spared.texts


async def test_a_number_that_was_down_does_not_write_to_everybody_at_once_when_it_is_back(spared):
    """R27: a place in the line that was missed is none any more."""
    for person in PEOPLE:
        await spared.queued("lembrete", phone=person, cause="clock", event_id=f"t-{person}")
    await spared.connection("close", 428)
    await spared.works()
    spared.clock.advance(20 * MINUTE)
    await spared.connection("open", 200)
    left = await moments(spared)
    assert len(left) == len(PEOPLE)
    assert all(b - a >= 8 * SECOND for a, b in pairwise(left))


async def test_places_that_passed_while_no_worker_ran_are_given_out_again(spared):
    """R27: else everybody whose moment has passed would be written to in the same second."""
    for person in PEOPLE:
        await spared.queued("lembrete", phone=person, cause="clock", event_id=f"t-{person}")
    await spared.works()
    spared.clock.advance(20 * MINUTE)
    spared.fake.sent.clear()
    left = await moments(spared)
    assert len(left) == len(PEOPLE) - 1
    assert all(b - a >= 8 * SECOND for a, b in pairwise(left))


async def test_switched_off_nothing_waits(spared):
    await channels.change(spared.runtime, spared.channel_id, ACTOR, values={"pacing": "off"})
    for person in PEOPLE:
        await spared.queued("lembrete", phone=person, cause="clock", event_id=f"t-{person}")
    await spared.works()
    assert len(spared.fake.sent) == len(PEOPLE)


async def test_several_workers_share_the_line(postgres_url):
    """R26, R27: real lanes of two processes, and still one letter at a time."""
    async with Http() as http:
        runtime = a_runtime(postgres_url, http=Patient(http), flows=VENDA)
        other = a_runtime(postgres_url, http=Patient(http), flows=VENDA, clock=runtime.clock)
        async with gateway_shop(runtime, pacing="on") as shop:
            shop.clock.move_to(NOON)
            for person in (ANA, BIA, *PEOPLE):
                await shop.writes("oi", person)
            await shop.after(5 * SECOND)
            shop.clock.move_to(NOON + HOUR)
            shop.fake.sent.clear()
            for person in (ANA, BIA, *PEOPLE):
                await shop.queued("lembrete", phone=person, cause="clock", event_id=f"t-{person}")
            ids = [row["id"] for row in await shop.rows("SELECT id FROM conversation ORDER BY id")]
            await asyncio.gather(
                *(deliver.run(one, [i]) for i in ids for one in (runtime, other)),
            )
            assert len(shop.fake.sent) == 1
            waiting = [row["due_at"] for row in await shop.rows("SELECT due_at FROM outbox WHERE reason = 'spared'")]
            assert len(waiting) == len(set(waiting)) == 7
            assert all(b - a >= 8 * SECOND for a, b in pairwise(sorted(waiting)))
        await other.close()
        await runtime.close()
