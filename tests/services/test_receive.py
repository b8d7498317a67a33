"""A webhook is answered when what it brought is safe, and says what it must about everything else (R20, R21, R34, R35)."""

import asyncio
import json

import pytest

from engine.core.errors import StaleConversation, StoreUnavailable
from engine.services import receive, take_payment
from engine.store.inbox import EXCERPT
from tests.services.shop import ANA, BIA, PAYMENTS, TOKEN, both_first, enveloped


async def test_a_message_is_committed_before_the_platform_hears_200(shop, monkeypatch):
    """R20."""
    order = []
    write = shop.runtime.store.write

    async def watched(key, unit):
        value = await write(key, unit)
        order.append("committed")
        return value

    monkeypatch.setattr(shop.runtime.store, "write", watched)
    order.append(await shop.posts(shop.body(ANA, "oi", "wamid.1")))
    assert set(order[:-1]) == {"committed"}
    assert order[-1] == 200
    assert [row["verdict"] for row in await shop.rows("SELECT verdict FROM webhook")] == ["parsed"]


async def test_nothing_is_answered_2xx_when_the_database_is_away_and_the_second_try_stores_it(shop, monkeypatch):
    """R20."""
    body, write = shop.body(ANA, "oi", "wamid.1"), shop.runtime.store.write

    async def away(_key, _unit):
        raise StoreUnavailable("away")

    monkeypatch.setattr(shop.runtime.store, "write", away)
    assert await shop.posts(body) == 503
    monkeypatch.setattr(shop.runtime.store, "write", write)
    assert await shop.rows("SELECT id FROM inbound") == []
    assert await shop.posts(body) == 200
    assert len(await shop.rows("SELECT id FROM inbound")) == 1


async def test_one_item_that_fails_costs_no_other_and_the_whole_body_is_asked_for_again(shop, monkeypatch):
    """R20, R29."""
    write = shop.runtime.store.write

    async def sometimes(key, unit):
        if unit.item.item.provider_id == "wamid.2":
            raise StoreUnavailable("away")
        return await write(key, unit)

    two = shop.body(ANA, "oi", "wamid.1")
    two["entry"] += shop.body(BIA, "oi", "wamid.2")["entry"]
    monkeypatch.setattr(shop.runtime.store, "write", sometimes)
    assert await shop.posts(two) == 503
    monkeypatch.setattr(shop.runtime.store, "write", write)
    assert await shop.posts(two) == 200
    assert [r["provider_id"] for r in await shop.rows("SELECT provider_id FROM inbound ORDER BY id")] == [
        "wamid.1", "wamid.2",
    ]  # fmt: skip
    assert await shop.outcomes() == [("duplicate", None)]


async def test_somebody_who_is_always_first_makes_the_platform_come_again_later(shop, monkeypatch):
    """R20: a store that cannot decide is no fault of the sender, and nothing is kept of what was undone."""

    async def stale(_key, _unit):
        raise StaleConversation

    monkeypatch.setattr(shop.runtime.store, "write", stale)
    assert await shop.posts(shop.body(ANA, "oi", "wamid.1")) == 503


async def test_a_second_delivery_is_a_no_op_that_is_answered_200_and_recorded(shop):
    """R20."""
    await shop.writes(ANA, "oi", named="wamid.1")
    before = await shop.conversation()
    await shop.writes(ANA, "oi", named="wamid.1")
    after = await shop.conversation()
    assert (after.version, after.due_at) == (before.version, before.due_at)
    assert await shop.outcomes() == [("duplicate", None)]


async def test_fifty_identical_posts_at_once_are_one_message(busy_shop):
    """R20, R26: the unique key decides, not a look before it."""
    body = busy_shop.body(ANA, "oi", "wamid.1")
    answers = await asyncio.gather(*(busy_shop.posts(body) for _ in range(50)))
    assert answers == [200] * 50
    assert len(await busy_shop.rows("SELECT id FROM inbound")) == 1
    assert len(await busy_shop.rows("SELECT id FROM contact")) == 1
    assert len(await busy_shop.rows("SELECT id FROM conversation")) == 1


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 5000, b'{"a": 1e400}x'])
async def test_what_cannot_be_read_is_400_and_its_beginning_is_kept(small_shop, raw):
    """R20, R35."""
    assert await small_shop.posts(raw) == 400
    (kept,) = await small_shop.rows("SELECT verdict, body FROM webhook")
    assert kept["verdict"] == "unreadable"
    assert len(json.loads(kept["body"])["excerpt"]) <= EXCERPT
    assert await small_shop.outcomes() == [("rejected", "malformed")]


async def test_of_a_long_unreadable_body_two_kilobytes_are_kept(small_shop):
    """R20."""
    assert await small_shop.posts(b"\x00" + b"x" * 10_000) == 400
    (kept,) = await small_shop.rows("SELECT body FROM webhook")
    assert json.loads(kept["body"])["excerpt"] == "\ufffd" + "x" * (EXCERPT - 1)


async def test_a_bad_signature_is_401_and_nothing_of_the_body_is_kept(shop):
    """R20, SEC-S1."""
    assert await shop.posts(shop.body(ANA, "oi", "wamid.1"), secret="another") == 401
    for table in ("webhook", "inbound", "contact", "conversation", "event"):
        assert await shop.rows(f"SELECT 1 AS one FROM {table}") == []
    (said,) = await shop.rows("SELECT outcome, reason, facts FROM log")
    assert (said["outcome"], said["reason"]) == ("rejected", "signature")
    assert "oi" not in said["facts"]


async def test_a_readable_body_of_unknown_kind_is_answered_200_and_kept_whole(small_shop):
    """R20."""
    body = enveloped({"something_new": [{"id": "x"}]})
    body["entry"][0]["changes"][0]["field"] = "novelty"
    assert await small_shop.posts(body) == 200
    (kept,) = await small_shop.rows("SELECT verdict, body FROM webhook")
    assert kept["verdict"] == "unknown"
    assert "something_new" in kept["body"]
    assert [outcome for outcome, _ in await small_shop.outcomes()] == ["ignored"]


async def test_an_address_that_nobody_has_is_404(small_shop):
    assert (await receive.webhook(small_shop.runtime, "nobody-lives-here-at-all", {}, b"{}")).status == 404
    assert (await receive.payment(small_shop.runtime, "nobody-lives-here-at-all", {}, {}, b"{}")).status == 404


async def test_a_payment_without_its_secret_is_401_and_kept_nowhere(small_shop):
    """R20, SEC-S1."""
    assert (await receive.payment(small_shop.runtime, PAYMENTS, {}, {}, b'{"id": "x"}')).status == 401
    assert await small_shop.rows("SELECT id FROM webhook") == []
    assert (await receive.payment(small_shop.runtime, PAYMENTS, {"x-hotmart-hottok": "hottok"}, {}, b"{")).status == 400


async def test_a_body_over_the_limit_is_413(small_shop):
    """R35."""
    answer = await receive.webhook(small_shop.runtime, TOKEN, {}, b" " * (receive.CHANNEL_LIMIT + 1))
    assert answer.status == 413
    large = b" " * (receive.PAYMENT_LIMIT + 1)
    answer = await receive.payment(small_shop.runtime, PAYMENTS, {"x-hotmart-hottok": "hottok"}, {}, large)
    assert answer.status == 413


REACTION = {"type": "reaction", "reaction": {"message_id": "wamid.1", "emoji": "👍"}}
GROUP = {"group_id": "g1"}


@pytest.mark.parametrize(
    ("more", "reason"), [({"text": None, **REACTION}, "reaction"), ({"text": {"body": "\u200b"}}, "empty_message")]
)
async def test_what_is_no_message_of_a_lead_is_recorded_and_waits_for_nothing(small_shop, more, reason):
    """R21."""
    await small_shop.talks(ANA, "oi")
    calls = len(small_shop.provider.calls)
    await small_shop.writes(ANA, "", **more)
    await small_shop.after(60_000)
    assert (await small_shop.outcomes())[-1] == ("ignored", reason)
    assert len(small_shop.provider.calls) == calls


async def test_an_old_message_is_stored_and_not_answered(small_shop):
    """R31: six hours is the limit."""
    await small_shop.writes(ANA, "oi", ago=6 * 3_600_000 + 1_000)
    await small_shop.writes(BIA, "oi", ago=6 * 3_600_000 - 1_000)
    await small_shop.after(5_000)
    rows = await small_shop.rows("SELECT outcome, reason FROM inbound ORDER BY id")
    assert [tuple(row.values()) for row in rows] == [("ignored", "too_old"), ("batched", None)]
    assert len(small_shop.provider.calls) == 1


async def test_a_payment_is_one_event_by_id_and_by_business_key(shop):
    """R34."""
    await shop.talks(ANA, "oi")
    assert [await shop.pays(ANA, named="evt-1"), await shop.pays(ANA, named="evt-1"), await shop.pays(ANA, named="evt-2")] == [
        200, 200, 200,
    ]  # fmt: skip
    await shop.works()
    events = await shop.rows("SELECT id, outcome FROM event WHERE source = 'payment' ORDER BY id")
    assert [tuple(row.values()) for row in events] == [
        ("pay:hotmart:evt-1", "moved"), ("pay:hotmart:evt-2", "duplicate"),
    ]  # fmt: skip
    assert await shop.state() == "PAGO"
    assert sum("acesso" in text for text in shop.provider.texts) == 1


async def test_two_notices_of_one_payment_at_the_same_time_both_get_an_outcome(busy_shop, monkeypatch):
    """R29, R34: the second one finds the key taken by work that it could not see when it looked."""
    # Two spellings of one phone are handled side by side.
    spellings = ["5541987654321", "554187654321"] * 4
    await busy_shop.talks(spellings[0], "oi")
    both_first(monkeypatch, take_payment, "whose")
    answers = await asyncio.gather(*(busy_shop.pays(phone, named=f"evt-{n}") for n, phone in enumerate(spellings)))
    await busy_shop.works()
    assert answers == [200] * 8
    outcomes = await busy_shop.rows("SELECT outcome FROM event WHERE source = 'payment'")
    assert sorted(row["outcome"] for row in outcomes) == ["duplicate"] * 7 + ["moved"]


async def test_a_payment_of_a_stranger_opens_a_cycle_and_a_payment_of_nobody_is_kept_in_sight(shop):
    """R34."""
    assert await shop.pays(BIA, named="evt-1", tx="HP1") == 200
    assert await shop.pays("", named="evt-2", tx="HP2") == 200
    await shop.works()
    assert await shop.state(BIA) == "PAGO"
    (orphan,) = await shop.rows("SELECT outcome, reason, contact_id FROM event WHERE id = 'pay:hotmart:evt-2'")
    assert tuple(orphan.values()) == ("orphan", "no_person", None)
    assert ("orphan", "no_person") in await shop.outcomes()


async def test_an_approval_that_comes_after_its_refund_delivers_nothing(small_shop):
    """R34."""
    await small_shop.talks(ANA, "oi")
    await small_shop.pays(ANA, event="PURCHASE_REFUNDED", named="evt-1", tx="HP9")
    await small_shop.pays(ANA, named="evt-2", tx="HP9")
    await small_shop.works()
    assert ("ignored", "order_already_refunded") in await small_shop.outcomes()
    assert await small_shop.state() != "PAGO"


HOSTILE = ["\x00", "a\x00b", "\ud800", "{{contact.name}}", "'; DROP TABLE log; --", "🙂" * 3000, "\u202e", "%s %d {0}"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_no_content_is_a_defect_and_every_one_stays_in_sight(shop, text):
    """R35."""
    await shop.writes(ANA, text)
    await shop.writes(ANA, "oi")
    await shop.after(5_000)
    assert [row["outcome"] for row in await shop.rows("SELECT outcome FROM inbound ORDER BY id")][-1] == "batched"
    assert await shop.state() == "ENGAJADO"
