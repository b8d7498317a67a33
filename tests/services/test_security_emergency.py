"""SEC-S12: one switch holds every send within two seconds, loses nothing, and lets nobody be written to twice afterwards."""

import asyncio

from engine.core.flow import DAY, HOUR, SECOND
from engine.core.permissions import Actor
from engine.services import deliver, emergency, supervise
from engine.store import audit
from tests.runtimes import a_runtime
from tests.services.shop import ANA, BIA

CAIO = Actor("caio@trilho.test", "10.0.0.7")


async def test_nothing_leaves_while_it_is_on_and_everything_that_still_holds_leaves_after_it(shop):
    await shop.talks(ANA, "oi")
    before = len(shop.provider.calls)
    await emergency.stop(shop.runtime, CAIO, "preço  errado\n na oferta")

    await shop.talks(ANA, "quanto custa?")
    conversation = await shop.conversation()
    await supervise.write_by_hand(shop.runtime, conversation.id, "um momento", "f" * 16, CAIO)
    await shop.talks(BIA, "oi")
    await shop.works()

    assert len(shop.provider.calls) == before, "neither the robot nor a person"
    assert await shop.state() == "NEGOCIANDO", "the customer was heard"
    halt = await emergency.standing(shop.runtime)
    assert (halt.who, halt.reason) == (CAIO.who, "preço errado na oferta")

    assert await emergency.resume(shop.runtime, CAIO) == 0
    await shop.works()
    assert len(shop.provider.calls) == before + 2, "the person's words and the welcome of the other"
    assert [letter.status for letter in await shop.letters()] == ["sent", "held", "sent", "sent"], "a person took over"
    await shop.works()
    assert len(shop.provider.calls) == before + 2, "once each"


async def test_of_what_the_clock_wanted_to_say_meanwhile_only_the_newest_is_said(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    before = len(shop.provider.calls)
    await emergency.stop(shop.runtime, CAIO)
    for _ in range(4):
        await shop.after(DAY)
    waiting = [letter for letter in await shop.letters() if letter.status == "pending"]
    assert len(waiting) >= 2, "the ladder went on"

    dropped = await emergency.resume(shop.runtime, CAIO)
    await shop.after(HOUR)

    assert dropped == len({letter.event_id for letter in waiting}) - 1
    letters = await shop.letters()
    assert {letter.reason for letter in letters if letter.status == "suppressed"} >= {"sending_stopped"}
    assert len(shop.provider.calls) <= before + 1, "at most one reminder, and only in its window or as a template"


async def test_a_reminder_that_was_waiting_when_everything_stopped_gives_way_to_the_newer_one(shop):
    await shop.talks(ANA, "oi", "quanto custa?")
    ladder = "UPDATE conversation SET deadline_at = :now WHERE deadline_at IS NOT NULL"
    await shop.runtime.store.write("x", lambda tx: tx.run(ladder, now=shop.clock.now()))
    await shop.decides()
    (before,) = [letter for letter in await shop.letters() if letter.status == "pending"]
    shop.clock.advance(SECOND)
    await emergency.stop(shop.runtime, CAIO)
    for _ in range(2):
        await shop.after(DAY)
    waiting = [letter.id for letter in await shop.letters() if letter.status == "pending"]
    assert waiting[0] == before.id and len(waiting) > 1

    await emergency.resume(shop.runtime, CAIO)

    assert [letter.id for letter in await shop.letters() if letter.status == "pending"] == waiting[-1:]


async def test_a_letter_that_was_claimed_before_the_stop_and_slept_does_not_leave(shop):
    await shop.talks(ANA, "oi")
    await shop.writes(ANA, "quanto custa?")
    shop.clock.advance(5 * SECOND)
    await shop.decides()
    conversation = await shop.conversation()
    claimed = await shop.runtime.store.write("x", lambda tx: deliver.claim(tx, shop.runtime, conversation.id))
    assert claimed is not None
    await shop.runtime.store.write("x", lambda tx: deliver._release(tx, claimed))
    before = len(shop.provider.calls)
    write = shop.runtime.store.write

    async def slow(key, unit):
        found = await write(key, unit)
        if isinstance(found, deliver.Claimed):
            await emergency.stop(shop.runtime, CAIO)
            shop.clock.advance(deliver.LOOK_AGAIN + 1)
        return found

    shop.runtime.store.write = slow
    try:
        await deliver.run(shop.runtime, [conversation.id])
    finally:
        del shop.runtime.store.write

    assert len(shop.provider.calls) == before
    assert [letter.status for letter in await shop.letters()][-1] == "pending"


async def test_two_senders_stop_together_and_send_each_letter_once_afterwards(database_url, shop):
    await shop.talks(ANA, "oi")
    other = a_runtime(database_url, clock=shop.clock, http=shop.provider)
    conversation = await shop.conversation()
    await emergency.stop(other, CAIO)
    for number in range(5):
        await supervise.write_by_hand(shop.runtime, conversation.id, f"m{number}", f"{number:016x}", CAIO)
    before = len(shop.provider.calls)
    await asyncio.gather(*(deliver.run(one, [conversation.id]) for one in (shop.runtime, other) * 3))
    assert len(shop.provider.calls) == before

    await emergency.resume(shop.runtime, CAIO)
    await asyncio.gather(*(deliver.run(one, [conversation.id]) for one in (shop.runtime, other) * 3))
    assert len(shop.provider.calls) == before + 5
    await other.close()


async def test_stopping_twice_keeps_the_first_word_and_both_ends_are_in_the_audit(shop):
    await emergency.stop(shop.runtime, CAIO, "um")
    shop.clock.advance(HOUR)
    again = await emergency.stop(shop.runtime, Actor("bia"), "dois")
    assert (again.who, again.reason) == (CAIO.who, "um")
    assert await emergency.resume(shop.runtime, CAIO) == 0
    assert await emergency.resume(shop.runtime, CAIO) == 0

    entries = await shop.runtime.store.read(lambda tx: audit.listed(tx, what="sending."))
    assert [entry.what for entry in entries] == ["sending.resumed", "sending.stopped"]
    assert all(entry.who == CAIO.who for entry in entries)
