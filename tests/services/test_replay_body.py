"""A kept body is taken in again: once what was wrong is mended, by the same door, and as often as anybody likes (R20)."""

import asyncio
import json

import pytest

from engine.core.errors import NotFound, Refused, StoreUnavailable
from engine.core.flow import HOUR
from engine.services import bodies, channels, receive, sources, take_payment
from engine.services.replay_body import replay
from engine.store import audit
from engine.store.channels import set_state
from tests.services.shop import ACTOR, ANA, enveloped


async def kept(shop):
    """The one body that is there."""
    [row] = await shop.rows("SELECT id, verdict, reason FROM webhook")
    return row


async def misdirected(shop, **more):
    """A message that the channel does not take for its own, because somebody typed the wrong number's id."""
    await channels.change(shop.runtime, shop.channel_id, ACTOR, values={"phone_number_id": "999"})
    await shop.writes(ANA, "oi", named="wamid.1", **more)
    await channels.change(shop.runtime, shop.channel_id, ACTOR, values={"phone_number_id": "100000000000001"})
    return await kept(shop)


async def test_a_body_that_was_not_understood_is_taken_in_once_its_channel_is_mended(shop):
    body = await misdirected(shop)
    assert (body["verdict"], body["reason"]) == ("unknown", "other_number")
    assert await shop.rows("SELECT id FROM inbound") == []

    done = await replay(shop.runtime, body["id"], ACTOR)

    assert (done.before, done.verdict) == ("unknown", "parsed")
    assert (await kept(shop))["verdict"] == "parsed"
    assert [row["webhook_id"] for row in await shop.rows("SELECT webhook_id FROM inbound")] == [body["id"]]
    await shop.after(20_000)
    assert await shop.state() != "NOVO"
    [entry] = await shop.runtime.store.read(lambda tx: audit.listed(tx, what="webhook.replayed"))
    assert (entry.who, entry.subject) == (ACTOR.who, body["id"])
    assert json.loads(entry.facts) == {"before": "unknown", "verdict": "parsed"}


async def test_pressing_twice_changes_nothing_more(shop):
    body = await misdirected(shop)
    await replay(shop.runtime, body["id"], ACTOR)
    await shop.after(20_000)
    before = await shop.rows("SELECT id, state, version FROM conversation"), await shop.rows("SELECT id FROM log")

    again = await replay(shop.runtime, body["id"], ACTOR)

    assert (again.before, again.verdict) == ("parsed", "parsed")
    after = await shop.rows("SELECT id, state, version FROM conversation"), await shop.rows("SELECT id FROM log")
    assert after == before
    assert len(shop.provider.calls) == 1


async def test_pressing_twice_at_the_same_moment_is_one_message(busy_shop):
    body = await misdirected(busy_shop)

    await asyncio.gather(*(replay(busy_shop.runtime, body["id"], ACTOR) for _ in range(10)))

    assert len(await busy_shop.rows("SELECT id FROM inbound")) == 1
    assert len(await busy_shop.rows("SELECT id FROM conversation")) == 1


async def test_what_is_still_not_understood_stays_to_be_looked_at(small_shop):
    await small_shop.posts({"object": "whatsapp_business_account", "entry": [{"changes": [{"field": "mystery"}]}]})
    body = await kept(small_shop)

    done = await replay(small_shop.runtime, body["id"], ACTOR)

    assert (done.before, done.verdict) == ("unknown", "unknown")
    assert [one.id for one in await bodies.to_review(small_shop.runtime)] == [body["id"]]


async def test_a_body_with_several_things_takes_what_is_new_and_repeats_nothing(shop):
    two = shop.body(ANA, "oi", "wamid.1")
    two["entry"] += [{"changes": [{"field": "mystery", "value": {}}]}]
    await shop.posts(two)
    body = await kept(shop)
    assert body["verdict"] == "unknown"
    await shop.posts(shop.body(ANA, "tem desconto?", "wamid.2"))

    await replay(shop.runtime, body["id"], ACTOR)

    assert [row["provider_id"] for row in await shop.rows("SELECT provider_id FROM inbound ORDER BY id")] == [
        "wamid.1",
        "wamid.2",
    ]


async def test_r31_what_is_too_old_by_now_is_stored_and_not_answered(shop):
    body = await misdirected(shop)
    shop.clock.advance(7 * HOUR)

    await replay(shop.runtime, body["id"], ACTOR)
    await shop.works()

    assert [row["reason"] for row in await shop.rows("SELECT reason FROM inbound")] == ["too_old"]
    assert shop.provider.calls == []


async def test_an_excerpt_is_not_taken_in_and_neither_is_what_has_no_door_any_more(shop):
    await shop.posts(b'{"half": ')
    excerpt = await kept(shop)
    with pytest.raises(Refused) as caught:
        await replay(shop.runtime, excerpt["id"], ACTOR)
    assert caught.value.code == "body_not_whole"
    await shop.posts({"object": "x", "entry": [{"changes": [{"field": "mystery"}]}]})
    [unknown] = [row for row in await shop.rows("SELECT id, verdict FROM webhook") if row["verdict"] == "unknown"]
    await channels.remove(shop.runtime, shop.channel_id, ACTOR)
    with pytest.raises(Refused) as caught:
        await replay(shop.runtime, unknown["id"], ACTOR)
    assert caught.value.code == "door_removed"
    with pytest.raises(NotFound):
        await replay(shop.runtime, "nothing", ACTOR)


async def test_a_defect_keeps_the_body_as_failed_and_a_replay_takes_it_in_when_it_is_mended(shop, monkeypatch):
    real = take_payment.cycle

    def broken(*_given):
        raise ZeroDivisionError

    monkeypatch.setattr(take_payment, "cycle", broken)
    with pytest.raises(ZeroDivisionError):
        await shop.pays(ANA)
    body = await kept(shop)
    assert (body["verdict"], body["reason"]) == ("failed", "ZeroDivisionError")
    assert await shop.rows("SELECT id FROM event") == []
    still = await replay(shop.runtime, body["id"], ACTOR)
    assert (still.verdict, still.reason) == ("failed", "ZeroDivisionError")

    monkeypatch.setattr(take_payment, "cycle", real)
    done = await replay(shop.runtime, body["id"], ACTOR)
    await replay(shop.runtime, body["id"], ACTOR)
    await shop.works()

    assert done.verdict == "parsed"
    assert (await kept(shop))["reason"] is None
    assert await shop.state() == "PAGO"
    assert len(await shop.rows("SELECT id FROM event WHERE source = 'payment'")) == 1


async def test_a_database_that_is_away_changes_nothing_and_says_so(shop, monkeypatch):
    body = await misdirected(shop)
    write = shop.runtime.store.write

    async def away(_key, _unit):
        raise StoreUnavailable("away")

    monkeypatch.setattr(shop.runtime.store, "write", away)
    with pytest.raises(StoreUnavailable):
        await replay(shop.runtime, body["id"], ACTOR)
    monkeypatch.setattr(shop.runtime.store, "write", write)

    assert (await kept(shop))["verdict"] == "unknown"


async def test_an_old_state_of_a_channel_does_not_replace_a_newer_one(small_shop, monkeypatch):
    runtime = small_shop.runtime
    made = await channels.add(runtime, "evolution", "outro", ACTOR, flow="venda", values={"api_key": "k"})
    closed = {"event": "connection.update", "instance": "x", "data": {"state": "close"}, "apikey": "k"}
    assert (await receive.webhook(runtime, made.token, {}, json.dumps(closed).encode())).status == 200
    [row] = await small_shop.rows("SELECT id FROM webhook")
    await runtime.store.write(
        "k", lambda tx: tx.run("UPDATE webhook SET verdict = 'failed' WHERE id = :id", id=row["id"])
    )
    small_shop.clock.advance(1_000)
    await runtime.store.write("k", lambda tx: set_state(tx, made.id, "ok", runtime.clock.now()))

    await replay(runtime, row["id"], ACTOR)

    assert (await channels.CHANNELS.by_id(runtime, made.id)).state == "ok"


async def test_an_edit_that_comes_again_does_not_replace_a_later_one(shop):
    await shop.posts(shop.body(ANA, "oi", "wamid.1"))
    for seconds, words in ((10, "tarde demais"), (5, "cedo demais")):
        edited = {
            "from": ANA, "id": f"wamid.e{seconds}", "timestamp": str(shop.clock.now() // 1000 + seconds), "type": "edit",
            "edit": {"original_message_id": "wamid.1", "message": {"type": "text", "text": {"body": words}}},
        }  # fmt: skip
        await shop.posts(enveloped({"messages": [edited]}))

    assert [row["text"] for row in await shop.rows("SELECT text FROM inbound")] == ["tarde demais"]


async def test_a_body_is_read_again_to_tell_what_became_of_each_thing_in_it(shop):
    await shop.pays(ANA, named="evt-1")
    await shop.pays(ANA, named="evt-1")
    await shop.works()
    records = await sources.everything(shop.runtime)

    latest, first = await bodies.notices(shop.runtime, records)

    assert {latest.fate.became, first.fate.became} == {"taken", "repeated"}
    assert (first.fate.kind, first.fate.name, first.fate.outcome) == ("payment", "approved", "moved")
    assert (first.fate.frm, first.fate.to) == ("NOVO", "PAGO")
    assert first.fate.conversation_id == (await shop.conversation()).id
    assert await bodies.to_review(shop.runtime) == []


async def test_bodies_are_listed_by_verdict_by_door_and_page_by_page(small_shop, monkeypatch):
    runtime = small_shop.runtime
    for number in range(5):
        await small_shop.posts({"object": "x", "entry": [{"changes": [{"field": f"mystery{number}"}]}]})
        await small_shop.posts(b"{half")
        small_shop.clock.advance(1_000)
    monkeypatch.setattr(bodies, "PAGE", 4)
    pages, last = [], None
    while page := await bodies.to_review(runtime, before=last):
        pages.append(page)
        last = page[-1].id

    assert [len(page) for page in pages] == [4, 4, 2]
    assert len({body.id for page in pages for body in page}) == 10
    assert {body.verdict for body in await bodies.to_review(runtime, verdict="unreadable")} == {"unreadable"}
    assert await bodies.to_review(runtime, door=("source", small_shop.channel_id)) == []
    assert len(await bodies.to_review(runtime, door=("channel", small_shop.channel_id), verdict="unknown")) == 4
