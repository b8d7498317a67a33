"""Sending: in order, one at a time, only what may leave at that moment, never twice by itself (R27, R28, R37, R75)."""

import asyncio
from itertools import pairwise

import pytest
import pytest_asyncio

from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import DAY, HOUR, MINUTE, SECOND
from engine.services import deliver, supervise, sweep
from engine.store import outbox
from engine.store.lanes import Store
from engine.store.outbox import Letter
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, opened


async def queued(shop, *texts, phone=ANA, **more):
    """Letters to a person who has just written; their numbers."""
    conversation = await shop.conversation(phone)

    def unit(tx):
        made = []
        for number, text in enumerate(texts, start=1):
            letter = Letter(
                **{
                    "action": f"a{number}", "cause": "message", "state": conversation.snapshot.state,
                    "payload": {"text": text}, "event_id": "x", **more,
                }
            )  # fmt: skip
            made.append(
                outbox.put(tx, letter, conversation.id, conversation.contact_id, shop.channel_id, shop.clock.now())
            )
        return made

    return await shop.runtime.store.write("x", unit)


@pytest_asyncio.fixture
async def talking(shop):
    """A shop in which Ana has been welcomed."""
    await shop.talks(ANA, "oi")
    shop.provider.calls.clear()
    return shop


async def statuses(shop):
    return [letter.status for letter in await shop.letters()][1:]


async def test_letters_of_one_person_leave_in_order_and_one_at_a_time(talking):
    """R27."""
    await queued(talking, "um", "dois", "três")
    flying = []
    request = talking.provider.request

    async def watched(given):
        rows = await talking.rows("SELECT id FROM outbox WHERE status = 'sending'")
        flying.append(len(rows))
        return await request(given)

    talking.provider.request = watched
    await talking.works()
    assert talking.provider.texts == ["um", "dois", "três"]
    assert flying == [1, 1, 1]


async def test_a_second_sender_finds_nothing_while_the_first_one_is_on_the_wire(talking):
    """R27: whatever the leases say."""
    await queued(talking, "um", "dois")
    conversation = await talking.conversation()
    gate = asyncio.Event()
    request = talking.provider.request

    async def slow(given):
        await gate.wait()
        return await request(given)

    talking.provider.request = slow
    first = asyncio.create_task(deliver.run(talking.runtime, [conversation.id]))
    await asyncio.sleep(0)
    await asyncio.wait_for(deliver.run(talking.runtime, [conversation.id]), 5)
    gate.set()
    await first
    assert talking.provider.texts == ["um", "dois"]


async def test_a_letter_whose_answer_got_lost_is_never_sent_again_by_itself_and_comes_before_a_person(talking):
    """R27: a minute later, an hour later, the row is where a person sees it."""
    talking.provider.plan = [AnswerLost("gone")]
    (letter, following) = await queued(talking, "um", "dois")
    await talking.works()
    assert await statuses(talking) == ["uncertain", "pending"]
    assert not await sweep.tick(talking.runtime), "what waits behind it is not due"
    await talking.after(deliver.GRACE - 1)
    assert len(talking.provider.calls) == 1
    await talking.after(1)
    assert await statuses(talking) == ["review", "sent"]
    await talking.after(HOUR)
    assert talking.provider.texts == ["um", "dois"]
    assert (await talking.conversation()).attention == "send_unknown"
    assert ("alert", "send_unknown") in await talking.outcomes()
    assert letter < following


async def test_news_of_a_lost_answer_settles_it_and_lets_the_next_letter_go(talking):
    """R27: a status with our own mark proves that it left."""
    talking.provider.plan = [AnswerLost("gone")]
    letter, _ = await queued(talking, "um", "dois")
    await talking.works()
    await talking.hears("wamid.LATE", "delivered", biz_opaque_callback_data=f"outbox:{letter}")
    await talking.works()
    assert await statuses(talking) == ["sent", "sent"]
    assert talking.provider.texts == ["um", "dois"]


async def test_news_turns_a_reviewed_letter_into_a_sent_one(talking):
    """R27: evidence counts in every state that is not final."""
    talking.provider.plan = [AnswerLost("gone")]
    (letter,) = await queued(talking, "um")
    await talking.works()
    await talking.after(deliver.GRACE)
    assert await statuses(talking) == ["review"]
    await talking.hears("wamid.LATE", "read", biz_opaque_callback_data=f"outbox:{letter}")
    assert await statuses(talking) == ["sent"]


async def test_what_was_not_sent_for_sure_is_tried_again_with_growing_rests_and_a_bound(talking):
    """R27."""
    talking.provider.plan = [(429, {"error": {"code": 130429, "message": "too fast"}})] * 20
    await queued(talking, "um")
    moments = []
    for _ in range(400):
        calls = len(talking.provider.calls)
        await talking.works()
        if len(talking.provider.calls) > calls:
            moments.append(talking.clock.now())
        talking.clock.advance(SECOND)
    rests = [b - a for a, b in pairwise(moments)]
    assert len(moments) == deliver.ATTEMPTS
    assert rests == sorted(rests)
    assert rests[0] < rests[-1]
    assert await statuses(talking) == ["failed"]
    assert ("send_failed", "attempts") in await talking.outcomes()


async def test_a_platform_that_cannot_be_reached_is_waited_for(talking):
    """R27: a refused connection certainly sent nothing, and may last minutes."""
    talking.provider.plan = [NotSent("refused")] * 8
    await queued(talking, "um", "dois")
    for _ in range(60):
        await talking.after(5 * SECOND)
    assert await statuses(talking) == ["sent", "sent"]
    assert talking.provider.texts[-2:] == ["um", "dois"]


async def test_while_a_letter_waits_for_its_next_try_nothing_overtakes_it(talking):
    """R27."""
    talking.provider.plan = [(429, {"error": {"code": 130429, "message": "x"}})]
    await queued(talking, "um", "dois")
    await talking.works()
    assert await statuses(talking) == ["pending", "pending"]
    await talking.after(2 * SECOND)
    assert talking.provider.texts == ["um", "um", "dois"]


async def test_the_result_of_an_older_attempt_changes_nothing(talking):
    """R27: the fence on settle."""
    (letter,) = await queued(talking, "um")
    conversation = await talking.conversation()

    def claim(tx):
        return deliver.claim(tx, talking.runtime, conversation.id)

    first = await talking.runtime.store.write("x", claim)
    await talking.runtime.store.write("x", lambda tx: outbox.settle(tx, letter, "pending", attempt=1))
    second = await talking.runtime.store.write("x", claim)
    assert (first.row.attempt, second.row.attempt) == (1, 2)
    late = deliver.SendResult(outcome="refused", error_class="content")
    await talking.runtime.store.write("x", lambda tx: deliver.settle(tx, talking.clock.now(), first, late))
    assert await statuses(talking) == ["sending"]


async def test_a_sender_that_slept_after_its_claim_does_not_post(talking, monkeypatch):
    """F13: somebody else may have decided meanwhile."""
    await queued(talking, "um")
    conversation = await talking.conversation()
    claim = deliver.claim

    def slow(*given):
        claimed = claim(*given)
        if claimed is not None and claimed.row.attempt == 1:
            talking.clock.advance(deliver.START_WITHIN + 1)
        return claimed

    monkeypatch.setattr(deliver, "claim", slow)
    await deliver.run(talking.runtime, [conversation.id])
    assert talking.provider.texts == ["um"]
    (row,) = (await talking.letters())[1:]
    assert row.attempt == 2


async def test_a_sender_that_died_on_the_wire_is_found_and_its_letter_goes_to_a_person(talking):
    """R27, R30: nothing that is on the wire is forgotten, and nothing of it is repeated."""
    await queued(talking, "um")
    conversation = await talking.conversation()
    await talking.runtime.store.write("x", lambda tx: deliver.claim(tx, talking.runtime, conversation.id))
    await talking.after(deliver.LEASE)
    assert await statuses(talking) == ["uncertain"]
    await talking.after(2 * MINUTE)
    assert await statuses(talking) == ["review"]
    assert talking.provider.calls == []


@pytest.mark.parametrize(
    ("waited", "left"),
    [(DAY - MINUTE - SECOND, "Conta"), (DAY - MINUTE, "[t]"), (DAY + HOUR, "[t]")],
)
async def test_outside_the_window_the_template_stands_for_the_text(talking, waited, left):
    """R28: the last minute counts as over."""
    last = (await talking.conversation()).snapshot.last_inbound_at
    talking.clock.move_to(last + waited)
    template = {"name": "t", "language": "pt_BR", "params": []}
    await queued(talking, "Conta", payload={"text": "Conta", "template": template})
    conversation = await talking.conversation()
    await deliver.run(talking.runtime, [conversation.id])
    assert talking.provider.texts == [left]


async def test_outside_the_window_a_text_alone_is_suppressed_and_the_marketer_is_told(talking):
    """R28."""
    talking.clock.advance(DAY)
    conversation = await talking.conversation()
    await queued(talking, "Conta")
    await deliver.run(talking.runtime, [conversation.id])
    assert await statuses(talking) == ["suppressed"]
    assert ("suppressed", "window_closed_no_template") in await talking.outcomes()
    assert ("alert", "window_closed_no_template") in await talking.outcomes()


async def test_the_parts_before_a_template_are_left_out_without_an_alarm(talking):
    """R28: the template stands for the whole send."""
    talking.clock.advance(DAY)
    conversation = await talking.conversation()
    template = {"name": "t", "language": "pt_BR", "params": []}
    await queued(talking, "um", action="longa", part=1, parts=2)
    await queued(talking, "dois", action="longa", part=2, parts=2, payload={"text": "dois", "template": template})
    await deliver.run(talking.runtime, [conversation.id])
    assert await statuses(talking) == ["suppressed", "sent"]
    assert talking.provider.texts == ["[t]"]
    assert "alert" not in [outcome for outcome, _ in await talking.outcomes()]


async def test_a_text_that_the_platform_finds_outside_the_window_goes_again_as_its_template_once(talking):
    """R28: the platform's clock is not ours."""
    last = (await talking.conversation()).snapshot.last_inbound_at
    template = {"name": "t", "language": "pt_BR", "params": []}
    talking.provider.plan = [(400, {"error": {"code": 131047, "message": "x"}})]
    await queued(talking, "Conta", payload={"text": "Conta", "template": template})
    conversation = await talking.conversation()

    def before(tx):
        tx.run("UPDATE conversation SET last_inbound_at = :at WHERE id = :id", at=last - 2 * DAY, id=conversation.id)

    claimed = await talking.runtime.store.write("x", lambda tx: deliver.claim(tx, talking.runtime, conversation.id))
    await talking.runtime.store.write("x", before)
    refused = deliver.SendResult(outcome="refused", error_class="window", code=131047)
    await talking.runtime.store.write("x", lambda tx: deliver.settle(tx, talking.clock.now(), claimed, refused))
    talking.provider.plan = []
    await talking.works()
    assert talking.provider.texts == ["[t]"]
    assert await statuses(talking) == ["failed", "sent"]


async def test_a_pause_holds_the_robot_and_neither_the_payment_nor_a_person(talking):
    """R27, R36."""
    conversation = await talking.conversation()
    await supervise.pause(talking.runtime, conversation.id, HOUR, ACTOR)
    await queued(talking, "robô")
    await talking.pays(ANA)
    await talking.works()
    await supervise.write_by_hand(talking.runtime, conversation.id, "eu mesma", "f1", ACTOR)
    await talking.works()
    assert [text[:8] for text in talking.provider.texts] == ["Pagament", "eu mesma"]
    assert (await statuses(talking))[0] in ("held", "suppressed")


async def test_what_the_clock_says_waits_for_the_morning(sqlite_url):
    """R37: 21:00 to 08:00 of the flow's time zone; a postponed row stays pending; an answer does not wait."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime, {"settings.quiet_hours": "21:00-08:00"})
    midnight = 1_764_471_600_000  # 2025-11-30 00:00 in São Paulo
    shop.clock.move_to(midnight + DAY + 20 * HOUR)
    await shop.talks(ANA, "oi")
    shop.clock.move_to(midnight + DAY + 23 * HOUR)
    await queued(shop, "relógio", cause="clock")
    await queued(shop, "resposta")
    await shop.works()
    assert shop.provider.texts[1:] == ["resposta"]
    assert await statuses(shop) == ["pending", "sent", "pending"], "the last one is the silence that ended at ten"
    assert ("postponed", "quiet_hours") in await shop.outcomes()
    shop.clock.move_to(midnight + 2 * DAY + 8 * HOUR - 1)
    await shop.works()
    assert "relógio" not in shop.provider.texts
    await shop.after(1)
    assert "relógio" in shop.provider.texts
    await runtime.close()


@pytest.mark.parametrize(
    ("cause", "more", "leaves"),
    [
        ("clock", {}, False), ("api", {}, False), ("effect", {}, False), ("message", {}, True), ("payment", {}, True),
        ("message", {"confirms_opt_out": True}, True), ("operator", {}, True),
    ],
)  # fmt: skip
async def test_after_an_opt_out_only_answers_payments_and_people_get_through(talking, cause, more, leaves):
    """R75: asked again at the moment of sending."""
    await queued(talking, "x", cause=cause, **more)
    await talking.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET opt_out_at = 1"))
    await talking.works()
    assert talking.provider.texts == (["x"] if leaves else [])
    assert await statuses(talking) == ["sent" if leaves else "suppressed"]


async def test_in_the_opt_out_state_nothing_but_the_confirmation_leaves(shop):
    """R7, R75."""
    await shop.talks(ANA, "oi", "pare")
    assert "não recebe mais" in shop.provider.texts[-1]
    shop.provider.calls.clear()
    await queued(shop, "resposta")
    await shop.works()
    assert shop.provider.texts == []


@pytest.mark.parametrize(("code", "stopped"), [(131050, True), (131049, False), (130472, False)])
async def test_the_person_s_own_stop_at_the_platform_is_an_opt_out_and_the_platform_s_caps_are_not(
    talking, code, stopped
):
    """R75."""
    talking.provider.plan = [(400, {"error": {"code": code, "message": "x"}})]
    await queued(talking, "um")
    await talking.works()
    assert await statuses(talking) == ["failed"]
    assert ((await talking.person())["opt_out_at"] is not None) is stopped


async def test_a_text_after_a_file_waits_until_the_file_has_arrived(talking):
    """R27: files arrive late, and the text is about them."""
    media = {"text": None, "media": {"kind": "image", "url": "https://loja.example/x.jpg", "caption": None}}
    await queued(talking, "", action="oferta", part=1, parts=2, payload=media)
    await queued(talking, "o texto", action="oferta", part=2, parts=2)
    await talking.works()
    assert len(talking.provider.calls) == 1
    await talking.after(3 * SECOND)
    assert len(talking.provider.calls) == 1
    await talking.hears("wamid.OUT2", "delivered")
    await talking.works()
    assert talking.provider.texts[-1] == "o texto"


async def test_a_text_after_a_file_does_not_wait_for_ever(talking):
    media = {"text": None, "media": {"kind": "image", "url": "https://loja.example/x.jpg", "caption": None}}
    await queued(talking, "", action="oferta", part=1, parts=2, payload=media)
    await queued(talking, "o texto", action="oferta", part=2, parts=2)
    await talking.works()
    await talking.after(deliver.AFTER_MEDIUM)
    assert talking.provider.texts[-1] == "o texto"


async def test_a_slow_answer_to_one_person_keeps_nobody_else_waiting(talking):
    """R26: different conversations run in parallel."""
    other = "5541900000009"
    await talking.talks(other, "oi")
    talking.provider.calls.clear()
    await queued(talking, "lenta")
    await queued(talking, "rápida", phone=other)
    gate, request = asyncio.Event(), talking.provider.request

    async def slow(given):
        if given.json["text"]["body"] == "lenta":
            await gate.wait()
        return await request(given)

    talking.provider.request = slow
    ids = [(await talking.conversation(phone)).id for phone in (ANA, other)]
    running = asyncio.create_task(deliver.run(talking.runtime, ids))
    for _ in range(20):
        await asyncio.sleep(0)
    assert talking.provider.texts == ["rápida"]
    gate.set()
    await running
