"""News of what we sent: in any order, before and after the answer, once (R21, R27, R34, R74)."""

import pytest

from engine.core.flow import MINUTE
from engine.services import deliver, settle
from engine.store import outbox
from tests.services.shop import ANA, enveloped
from tests.services.test_deliver import queued


async def talked(shop):
    await shop.talks(ANA, "oi")
    return (await shop.letters())[0]


async def delivery(shop):
    return (await shop.letters())[0].delivery


@pytest.mark.parametrize(
    ("told", "ends"),
    [
        (["sent", "delivered", "read"], "read"),
        (["read", "delivered", "sent"], "read"),
        (["delivered", "sent", "delivered", "read", "read"], "read"),
        (["delivered", "failed"], "failed"),
    ],
)
async def test_a_delivery_only_goes_forward(shop, told, ends):
    """R21, R27."""
    await talked(shop)
    for status in told:
        await shop.hears("wamid.OUT1", status)
        shop.clock.advance(1_000)
    assert await delivery(shop) == ends


async def test_news_that_comes_twice_is_a_duplicate(shop):
    await talked(shop)
    await shop.hears("wamid.OUT1", "delivered")
    await shop.hears("wamid.OUT1", "delivered")
    assert [outcome for outcome, _ in await shop.outcomes()][-2:] == ["delivery", "duplicate"]


async def test_a_status_is_no_message_and_moves_no_conversation(shop):
    """R21."""
    await talked(shop)
    before = await shop.conversation()
    for status in ("sent", "delivered", "read"):
        await shop.hears("wamid.OUT1", status)
    await shop.after(10_000)
    assert (await shop.conversation()).snapshot == before.snapshot
    assert len(shop.provider.calls) == 1


async def test_news_that_comes_before_the_answer_is_kept_and_told_when_the_id_is_known(shop):
    """R27, F12."""
    await talked(shop)
    await queued(shop, "um")
    conversation = await shop.conversation()
    claimed = await shop.runtime.store.write("x", lambda tx: deliver.claim(tx, shop.runtime, conversation.id))
    await shop.hears("wamid.EARLY", "delivered")
    assert ("orphan", None) in await shop.outcomes()
    result = deliver.SendResult(outcome="accepted", provider_id="wamid.EARLY")
    await shop.runtime.store.write("x", lambda tx: deliver.settle(tx, shop.clock.now(), claimed, result))
    (row,) = (await shop.letters())[1:]
    assert (row.status, row.delivery) == ("sent", "delivered")


async def test_news_of_nothing_we_know_is_an_orphan_and_no_defect(shop):
    """R29."""
    await talked(shop)
    assert await shop.hears("wamid.WHAT", "delivered") == 200
    assert await shop.hears("wamid.WHO", "delivered", biz_opaque_callback_data="outbox:99999999999999999999") == 200
    assert await shop.hears("wamid.WHY", "delivered", biz_opaque_callback_data="outbox:x") == 200
    assert [outcome for outcome, _ in await shop.outcomes()][-3:] == ["orphan"] * 3


async def test_a_message_that_failed_after_its_acceptance_calls_a_person(shop):
    """R27."""
    await talked(shop)
    await shop.hears("wamid.OUT1", "failed", errors=[{"code": 131026, "title": "x"}])
    (row,) = await shop.letters()
    assert (row.status, row.error_code) == ("failed", 131026)
    assert (await shop.conversation()).attention == "send_failed"


async def echoed(shop, provider_id, text="eu mesma"):
    message = {"id": provider_id, "from": "554130000000", "to": ANA, "type": "text",
               "timestamp": str(shop.clock.now() // 1000), "text": {"body": text}}  # fmt: skip
    body = enveloped({"message_echoes": [message]})
    body["entry"][0]["changes"][0]["field"] = "smb_message_echoes"
    assert await shop.posts(body) == 200


async def test_what_a_person_typed_on_the_phone_pauses_the_robot_and_joins_the_talk(shop):
    """R21, R74."""
    await talked(shop)
    await echoed(shop, "wamid.PHONE")
    assert (await shop.person())["paused_until"] == shop.clock.now() + 30 * MINUTE
    assert ("human_takeover", None) in await shop.outcomes()
    (row,) = (await shop.letters())[1:]
    assert (row.action, row.status, row.author, row.payload["text"]) == ("phone", "sent", "phone", "eu mesma")


async def test_a_pause_needs_no_conversation(shop):
    """R74: the business writes first."""
    await echoed(shop, "wamid.PHONE")
    assert (await shop.person())["paused_until"] == shop.clock.now() + 30 * MINUTE
    assert await shop.rows("SELECT id FROM conversation") == []
    await shop.writes(ANA, "oi")
    await shop.after(5_000)
    assert [letter.status for letter in await shop.letters()] == ["held"]


async def test_an_echo_of_our_own_send_pauses_nobody(shop):
    """R21."""
    await talked(shop)
    await echoed(shop, "wamid.OUT1")
    assert (await shop.person())["paused_until"] is None
    assert ("ignored", "own_echo") in await shop.outcomes()


async def test_an_echo_stays_open_as_long_as_any_send_to_the_person_is_unsettled(shop):
    """R21: one answer does not explain it while another is missing."""
    await talked(shop)
    first, second = await queued(shop, "um", "dois", status="uncertain")
    await echoed(shop, "wamid.MAYBE")

    def answered(tx, number):
        outbox.settle(tx, number, "sent", provider_id=f"wamid.{number}")
        settle.unclaimed_echoes(tx, shop.clock.now(), outbox.get(tx, number), 30 * MINUTE)

    await shop.runtime.store.write("x", lambda tx: answered(tx, first))
    assert (await shop.person())["paused_until"] is None
    await shop.runtime.store.write("x", lambda tx: answered(tx, second))
    assert (await shop.person())["paused_until"] is not None


@pytest.mark.parametrize("ours", [True, False])
async def test_an_echo_during_a_send_is_judged_when_its_answer_is_there(shop, ours):
    """R21, R27: until then nobody can tell."""
    await talked(shop)
    await queued(shop, "um")
    conversation = await shop.conversation()
    claimed = await shop.runtime.store.write("x", lambda tx: deliver.claim(tx, shop.runtime, conversation.id))
    await echoed(shop, "wamid.MAYBE")
    assert (await shop.person())["paused_until"] is None
    answer = "wamid.MAYBE" if ours else "wamid.OTHER"
    result = deliver.SendResult(outcome="accepted", provider_id=answer)
    await shop.runtime.store.write("x", lambda tx: deliver.settle(tx, shop.clock.now(), claimed, result))
    assert ((await shop.person())["paused_until"] is None) is ours
