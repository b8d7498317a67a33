"""What a notice does not say is asked at its platform: after it is safe, until it is answered, and never for ever (R34)."""

import asyncio

import pytest

from engine.adapters.payments import fetching
from engine.core.flow import HOUR, SECOND
from engine.services import bodies, fetch, sources, sweep
from engine.services.replay_body import replay
from engine.store import inquiries
from tests.services.counter import APPROVED, talked
from tests.services.shop import ACTOR


async def test_the_notice_is_safe_and_answered_before_anybody_is_asked(counter):
    """Case 053, R20, R25: what our question comes to is nothing that its sender hears of."""
    await talked(counter)
    seen = []

    async def look():
        seen.append(
            await counter.shop.rows(
                "SELECT (SELECT count(*) FROM webhook WHERE source_id IS NOT NULL) AS w, outcome FROM inquiry"
            )
        )

    counter.shop.provider.before = look
    assert await counter.paid() == 200
    assert counter.fake.asked == []
    await counter.shop.works()
    assert seen == [[{"w": 1, "outcome": None}]]
    assert counter.fake.asked == ["/v1/payments/77"]
    assert await counter.shop.state() == "PAGO"
    assert await counter.deliveries() == 1


FAULTS = [
    ("error", {"status": 500}, "http_500"),
    ("error", {"status": 503, "body": {"message": "later"}}, "http_503"),
    ("error", {"status": 429, "body": {}}, "http_429"),
    ("error", {"status": 302}, "redirect"),
    ("error", {"status": 404, "body": {}}, "http_404"),
    ("html", {}, "unreadable_answer"),
    ("cut_after", {}, "unreadable_answer"),
    ("empty_after", {}, "unreadable_shape"),
    ("reset_before", {"times": 2}, "answer_lost"),  # the client itself asks a second time
    ("hang_before", {}, "answer_lost"),
    ("slow", {"delay_ms": 400}, "answer_lost"),
]


@pytest.mark.parametrize(("kind", "how", "why"), FAULTS)
async def test_whatever_goes_wrong_with_a_question_it_is_asked_again(counter, monkeypatch, kind, how, why):
    """R20."""
    await talked(counter)
    counter.fake.fail_next(kind, **how)
    await counter.paid()
    with monkeypatch.context() as waiting:
        if why == "answer_lost":  # only what never answers is waited for; a slow machine decides nothing
            waiting.setattr(fetching, "TIMEOUT", 200)
        await counter.shop.works()
    assert await counter.shop.state() == "CHECKOUT_ENVIADO"
    (told,) = await counter.told("fetch_retry")
    assert (told["why"], told["attempt"], told["wait"]) == (why, 1, SECOND)
    await counter.shop.after(SECOND)
    assert await counter.shop.state() == "PAGO"
    assert await counter.told("fetch_failed") == []


async def test_a_platform_that_is_away_for_half_a_night_costs_nothing(counter):
    """R20: not even a connection can be made."""
    source = await talked(counter, base_url="http://127.0.0.1:9")
    await counter.paid()
    await counter.settles(hours=6)
    assert {told["why"] for told in await counter.told("fetch_retry")} == {"not_sent"}
    await sources.change(counter.shop.runtime, source.id, ACTOR, values={"base_url": counter.fake.base_url})
    await counter.settles(hours=2)
    assert await counter.shop.state() == "PAGO"


@pytest.mark.parametrize(
    ("status", "attempts"), [(500, fetch.ATTEMPTS), (302, fetch.ATTEMPTS), (404, fetch.ATTEMPTS_REFUSED)]
)
async def test_what_is_never_answered_is_shown_to_a_person_and_can_be_asked_again(counter, status, attempts):
    """R20, R29: bounded, told with its reason, not lost."""
    source = await talked(counter)
    counter.fake.fail_next("error", times=attempts, status=status)
    await counter.paid()
    await counter.settles(hours=24)
    assert len(counter.fake.asked) == attempts
    (told,) = await counter.told("fetch_failed")
    why = "redirect" if status == 302 else f"http_{status}"
    assert (told["why"], told["attempt"], told["source"]) == (why, attempts, "mercadopago-0")
    (kept,) = await counter.shop.rows("SELECT verdict, reason FROM webhook WHERE verdict <> 'parsed'")
    assert tuple(kept.values()) == ("unreadable", "fetch_failed")
    (row,) = await counter.shop.runtime.store.read(lambda tx: inquiries.unsettled(tx, 10))
    assert (row["outcome"], row["reason"], row["source"]) == ("failed", why, "mercadopago-0")
    assert not await sweep.tick(counter.shop.runtime)
    now = counter.shop.clock.now()
    assert await counter.shop.runtime.store.write("again", lambda tx: inquiries.again(tx, source.id, now)) == 1
    await counter.shop.works()
    assert await counter.shop.state() == "PAGO"
    assert await counter.shop.runtime.store.read(lambda tx: inquiries.unsettled(tx, 10)) == []


async def test_a_source_that_cannot_ask_says_so_at_once(counter):
    await talked(counter, access_token="")
    assert await counter.paid() == 200
    await counter.shop.works()
    (told,) = await counter.told("fetch_failed")
    assert (told["why"], told["attempt"]) == ("not_configured", 1)
    assert counter.fake.asked == []


async def test_a_source_that_was_removed_meanwhile_asks_nobody(counter):
    source = await talked(counter)
    await counter.paid()
    await sources.remove(counter.shop.runtime, source.id, ACTOR)
    await counter.shop.works()
    (told,) = await counter.told("fetch_failed")
    assert told["why"] == "source_removed"
    assert counter.fake.asked == []


async def test_a_worker_that_dies_before_it_asks_loses_nothing(counter):
    """R30: what was handed out is found again when its lease is over."""
    await talked(counter)
    await counter.paid()
    assert len((await sweep.tick(counter.shop.runtime)).fetch) == 1
    assert not (await sweep.tick(counter.shop.runtime)).fetch
    counter.shop.clock.advance(sweep.FETCH_LEASE - 1)
    assert not (await sweep.tick(counter.shop.runtime)).fetch
    await counter.shop.after(1)
    assert await counter.shop.state() == "PAGO"


async def test_two_workers_that_ask_the_same_count_it_once(counter):
    """R26, R34."""
    await talked(counter)
    await counter.paid()
    ids = [row["id"] for row in await counter.shop.rows("SELECT id FROM inquiry")]
    await asyncio.gather(*(fetch.run(counter.shop.runtime, ids) for _ in range(3)))
    await counter.shop.works()
    assert len(counter.fake.asked) == 3
    assert [row["outcome"] for row in await counter.shop.rows("SELECT outcome FROM inquiry")] == ["done"]
    assert [
        row["outcome"] for row in await counter.shop.rows("SELECT outcome FROM event WHERE source = 'payment'")
    ] == ["moved"]


async def test_an_attempt_that_was_left_behind_changes_nothing(counter):
    """R26: its answer comes after another attempt has begun."""
    await talked(counter)
    await counter.paid()
    (waiting,) = await counter.shop.rows("SELECT id FROM inquiry")

    def unit(tx):
        now = counter.shop.clock.now()
        late, current = (inquiries.claim(tx, waiting["id"], now) for _ in range(2))
        assert not inquiries.settle(tx, late, now, "done")
        assert not inquiries.postpone(tx, late, now + 1, "x")
        assert inquiries.settle(tx, current, now, "done")
        assert inquiries.claim(tx, waiting["id"], now) is None

    await counter.shop.runtime.store.write("look", unit)


async def test_a_second_delivery_of_a_notice_asks_once_and_another_notice_asks_again(counter):
    """R20, R34: what two answers say alike counts once."""
    await talked(counter)
    assert [await counter.paid(named=1), await counter.paid(named=1), await counter.paid(named=2)] == [200, 200, 200]
    await counter.shop.works()
    assert len(counter.fake.asked) == 2
    assert [told["id"] for told in await counter.told("fetch_waiting")] == ["1", "2"]
    assert [told["id"] for told in await counter.told("fetch_retry")] == []
    assert await counter.deliveries() == 1


async def test_a_payment_that_goes_on_is_followed(counter):
    """R34: waiting, paid, given back; each notice says only that something happened."""
    await talked(counter)
    for named, status in enumerate(("pending", "approved", "refunded")):
        counter.fake.payments["77"] = {**APPROVED, "status": status, "payment_method_id": "pix"}
        await counter.paid(named=named)
        await counter.shop.works()
    keys = await counter.shop.rows("SELECT business_key FROM event WHERE source = 'payment' ORDER BY received_at, id")
    assert {row["business_key"] for row in keys} == {f"mercadopago:77:{o}" for o in ("pix", "approved", "refunded")}
    assert await counter.shop.state() == "REEMBOLSADO"


async def test_an_answer_about_another_payment_moves_no_money(counter):
    await talked(counter)
    counter.fake.payments["77"] = {**APPROVED, "id": 78}
    await counter.paid()
    await counter.settles(hours=1)
    assert await counter.shop.state() != "PAGO"
    (told,) = await counter.told("fetch_failed")
    assert told["why"] == "unreadable_shape"


def test_waits_double_from_a_second_to_an_hour():
    waits = [fetch.wait_after(attempt) for attempt in range(1, fetch.ATTEMPTS + 10)]
    assert waits[:4] == [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND]
    assert waits == sorted(waits) and waits[-1] == HOUR
    assert 10 * HOUR < sum(waits[: fetch.ATTEMPTS - 1]) < 14 * HOUR


async def test_a_notice_that_was_asked_about_in_vain_is_asked_about_again_from_its_page(counter):
    """R20: as often as anybody presses, it is one more question; an answer takes the notice off the list."""
    await talked(counter)
    counter.fake.fail_next("error", times=8, status=404)
    await counter.paid()
    await counter.settles(hours=24)
    runtime, asked = counter.shop.runtime, len(counter.fake.asked)
    (body,) = await bodies.to_review(runtime)
    assert body.whole

    first = await replay(runtime, body.id, ACTOR)
    second = await replay(runtime, body.id, ACTOR)
    await counter.shop.works()

    assert (first.before, second.before) == ("unreadable", "parsed")
    assert len(counter.fake.asked) == asked + 1
    assert await counter.shop.state() == "PAGO"
    assert await bodies.to_review(runtime) == []
