"""No number and no person is written to faster than the platform takes, whoever sends, and nobody waits for ever."""

import asyncio

import pytest

from engine.adapters.channels.protocol import ChannelConfig
from engine.core.flow import MINUTE, SECOND
from engine.services import channels, pacing
from engine.store import pace
from engine.store.lanes import Store
from tests.services.shop import ACTOR, BIA
from tests.services.test_deliver import queued, talking

__all__ = ["talking"]


def config(**settings):
    return ChannelConfig(1, "whatsapp_cloud", "loja", settings)


@pytest.mark.parametrize(
    ("settings", "limit"),
    [({}, 80), ({"coexistence": "true"}, 20), ({"coexistence": "false"}, 80), ({"throughput": "1000"}, 1000),
     ({"coexistence": "true", "throughput": "20"}, 20), ({"throughput": "1"}, 2), ({"throughput": "0"}, 80), ({"throughput": "muito"}, 80)],
)  # fmt: skip
def test_the_limit_is_the_channel_s_own(settings, limit):
    assert pacing.limit(config(**settings)) == limit


async def passes(shop, duration, step=100):
    """Time passes as it does for a worker: in small steps, with work in each."""
    for _ in range(duration // step):
        shop.clock.advance(step)
        await shop.works()


async def crowd(shop, count, throughput):
    """People with one letter each, all due now, on a number of so many messages a second."""
    await channels.change(shop.runtime, shop.channel_id, ACTOR, values={"throughput": str(throughput)})
    people = [f"55419{20_000_000 + n}" for n in range(count)]
    for person in people:
        await shop.writes(person, "oi")
    await passes(shop, MINUTE)  # they are welcomed, slowly
    shop.provider.calls.clear()
    for person in people:
        await queued(shop, person, phone=person)


async def left_when(shop):
    """Moves on until nothing is left to send; (milliseconds from now, person) of each letter in the order it left."""
    begin, seen = shop.clock.now(), []
    for _ in range(200):
        before = len(shop.provider.calls)
        await shop.works()
        seen += [(shop.clock.now() - begin, call["text"]["body"]) for call in shop.provider.calls[before:]]
        if not await shop.rows("SELECT 1 FROM outbox WHERE status = 'pending'"):
            return seen
        shop.clock.advance(100)
    raise AssertionError("letters wait for ever")


async def test_a_crowd_is_answered_no_faster_than_the_platform_takes_and_in_turn(shop):
    await crowd(shop, 30, throughput=10)
    seen = await left_when(shop)
    assert sorted(person for _, person in seen) == sorted(person for _, person in set(seen)), "each once"
    assert len(seen) == 30
    for moment, _ in seen:
        within = sum(moment <= other < moment + SECOND for other, _ in seen)
        assert within <= 10
    assert seen[-1][0] < 6 * SECOND


async def test_a_sender_that_was_away_does_not_send_everything_at_once_when_it_comes_back(shop):
    """Places that were missed are given again, once, so that nobody waits for ever."""
    await crowd(shop, 30, throughput=10)
    await shop.works()
    before = len(shop.provider.calls)
    await shop.after(MINUTE)
    assert len(shop.provider.calls) - before <= 10
    await left_when(shop)
    assert len(shop.provider.calls) == 30


async def test_a_letter_that_misses_its_second_place_too_leaves(shop):
    await crowd(shop, 30, throughput=10)
    await shop.works()
    await shop.after(MINUTE)
    await shop.after(MINUTE)
    assert len(shop.provider.calls) == 30


async def test_what_comes_in_counts_and_a_quarter_is_always_ours(shop):
    """Case 112: a flood of messages must not keep us from answering at all."""
    await crowd(shop, 12, throughput=8)
    for n in range(40):
        await shop.writes("5541988887777", f"{n}")
    await shop.works()
    assert 1 <= len(shop.provider.calls) <= 2
    assert len(await left_when(shop)) >= 10


async def test_one_person_gets_ten_messages_a_minute_and_the_rest_later(talking):
    await queued(talking, *[f"{n}" for n in range(14)])
    await passes(talking, 50 * SECOND, SECOND)
    assert talking.provider.texts == [f"{n}" for n in range(10)]
    assert ("postponed", "pair_rate") in await talking.outcomes()
    await passes(talking, 12 * SECOND, SECOND)
    assert talking.provider.texts == [f"{n}" for n in range(14)]


async def test_a_conversation_keeps_its_order_while_it_waits_for_its_place(talking):
    await channels.change(talking.runtime, talking.channel_id, ACTOR, values={"throughput": "2"})
    await queued(talking, "um", "dois", "três", "quatro")
    await passes(talking, 6 * SECOND)
    assert talking.provider.texts == ["um", "dois", "três", "quatro"]


async def test_after_a_refusal_the_whole_number_slows_down(talking):
    await talking.talks(BIA, "oi")
    talking.provider.calls.clear()
    talking.provider.plan = [(429, {"error": {"code": 130429}})]
    await queued(talking, "um")
    await talking.works()
    await queued(talking, "oi", phone=BIA)
    await passes(talking, 900)
    assert talking.provider.texts == ["um"]
    await passes(talking, 400)
    assert sorted(talking.provider.texts) == ["oi", "um", "um"]


async def test_several_senders_never_get_the_same_place(shop, database_url):
    """Each with its own connection, as workers on several machines have."""
    stores = [Store(database_url, lanes=2) for _ in range(3)]
    now = shop.clock.now()
    taken = await asyncio.gather(
        *(stores[n % 3].write(n, lambda tx: pace.place(tx, shop.channel_id, now, 10)) for n in range(90))
    )
    for store in stores:
        await store.close()
    given = sorted(place for place in taken if place is not None)
    assert given == [now + 10 * n for n in range(len(given))]
    assert len(given) >= 1
