"""What is older than it may be kept loses its content, and everything still holds and can be counted (SEC-S25)."""

import pytest

from engine.core.errors import Refused
from engine.core.flow import DAY, HOUR
from engine.core.permissions import Actor
from engine.services import retention
from engine.services.daily import Daily
from engine.services.doctor import examine
from engine.services.doctor_chains import verify
from tests.services.shop import ANA, BIA

DORA = Actor("dora@loja.example")


async def sound(shop):
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}
    assert (await verify(shop.runtime.store)).broken is None


async def texts(shop):
    return [row["text"] for row in await shop.rows("SELECT text FROM inbound ORDER BY id")]


async def test_words_go_after_their_days_and_what_happened_stays(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    await shop.pays(ANA)
    await shop.after(5_000)
    log = await shop.rows('SELECT at, outcome, event, frm, "to", facts, hash FROM log ORDER BY id')
    await shop.after(179 * DAY)
    await shop.talks(BIA, "oi")
    assert (await retention.apply(shop.runtime, DORA))["messages"] == 0
    await shop.after(2 * DAY)
    await shop.works()

    gone = await retention.apply(shop.runtime, DORA)

    assert gone["messages"] >= 5
    assert await texts(shop) == [None, None, "oi"]
    assert (await shop.rows("SELECT count(*) AS n FROM outbox WHERE payload LIKE '%faded%'"))[0]["n"] >= 2
    assert not await shop.rows("SELECT id FROM findable WHERE kind IN ('in', 'out') AND conversation_id = 1")
    kept = await shop.rows('SELECT at, outcome, event, frm, "to", facts, hash FROM log ORDER BY id')
    assert kept[: len(log)] == log
    await sound(shop)
    assert sum((await retention.apply(shop.runtime, DORA)).values()) == 0, "once"


async def test_bodies_go_sooner_than_words_and_no_sooner_than_a_platform_repeats_them(shop):
    await shop.talks(ANA, "oi")
    shop.clock.advance(15 * DAY)

    assert dict(await retention.apply(shop.runtime, DORA)) == {"messages": 0, "files": 0, "webhooks": 1}

    assert {row["body"] for row in await shop.rows("SELECT body FROM webhook")} == {""}
    assert await texts(shop) == ["oi"]
    with pytest.raises(Refused, match="retention_unusable"):
        await retention.change(shop.runtime, DORA, {"webhooks": 6})


async def test_what_still_waits_is_not_touched(shop):
    await shop.writes(ANA, "oi")
    shop.clock.advance(400 * DAY)

    await retention.apply(shop.runtime, DORA)

    assert await texts(shop) == ["oi"], "nobody answered it yet"
    letters = await shop.rows("SELECT payload FROM outbox WHERE status = 'pending'")
    assert all("faded" not in row["payload"] for row in letters)


async def test_the_days_are_set_within_bounds_and_it_is_written_down(shop):
    await retention.change(shop.runtime, DORA, {"messages": 60})
    await retention.change(shop.runtime, DORA, {"messages": 60})

    assert (await retention.show(shop.runtime)).days == {"messages": 60, "files": 30, "webhooks": 14}
    assert len(await shop.rows("SELECT id FROM audit WHERE what = 'retention.changed'")) == 1
    for kind, days in (("messages", 29), ("messages", 3_651), ("files", 6), ("webhooks", 0)):
        with pytest.raises(Refused, match="retention_unusable"):
            await retention.change(shop.runtime, DORA, {kind: days})


async def test_a_look_shows_what_would_go_and_takes_nothing(shop):
    await shop.talks(ANA, "oi")
    shop.clock.advance(200 * DAY)

    standing = await retention.show(shop.runtime)

    assert standing.due["webhooks"] == 1
    assert standing.due["messages"] >= 2
    assert (standing.ran_at, await texts(shop)) == (None, ["oi"])


async def test_a_worker_does_it_every_day_a_batch_at_a_look_and_several_do_it_once(shop, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    await shop.talks(ANA, "oi", "quanto custa?", "manda o link")
    shop.clock.advance(200 * DAY)
    workers = [Daily(shop.runtime), Daily(shop.runtime)]

    for worker in workers:
        await worker.look()
    assert await texts(shop) == ["oi", "quanto custa?", "manda o link"], "the anchor comes first"
    for worker in workers:
        await worker.look()
    assert (await texts(shop)).count(None) == 3, "two of them, then one"
    for _ in range(20):
        for worker in workers:
            await worker.look()

    standing = await retention.show(shop.runtime)
    assert dict(standing.due) == {"messages": 0, "files": 0, "webhooks": 0}
    ran = await shop.rows("SELECT facts FROM audit WHERE what = 'retention.ran'")
    assert 1 <= len(ran) <= 2
    shop.clock.advance(HOUR)
    await workers[0].look()
    await shop.works()
    assert len(await shop.rows("SELECT facts FROM audit WHERE what = 'retention.ran'")) == len(ran)
    await sound(shop)
