"""What is due is found by the database alone, handed out once, and found again when it is forgotten (R12, R22, R30)."""

import asyncio

from engine.core.errors import AnswerLost
from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import deliver, supervise, sweep
from engine.store import due, pauses
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, BIA, Provider, both_first, opened


async def test_nothing_due_costs_one_read_and_no_write(shop):
    """R30."""
    await shop.writes(ANA, "oi")
    commits = shop.runtime.store.commits
    assert not await sweep.tick(shop.runtime)
    assert shop.runtime.store.commits == commits
    assert await shop.runtime.store.read(lambda tx: due.next_due(tx, shop.clock.now())) == shop.clock.now() + 4_000


async def test_what_is_due_is_handed_out_once_and_again_when_its_lease_is_over(shop):
    """R30: a hint that gets lost delays by one lease, nothing more."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(4 * SECOND)
    conversation = await shop.conversation()
    assert (await sweep.tick(shop.runtime)).advance == [[conversation.id]]
    assert not await sweep.tick(shop.runtime)
    shop.clock.advance(sweep.LEASE - 1)
    assert not await sweep.tick(shop.runtime)
    shop.clock.advance(1)
    assert (await sweep.tick(shop.runtime)).advance == [[conversation.id]]


async def test_a_sender_s_lease_is_given_back_when_nothing_is_left(shop):
    await shop.writes(ANA, "oi")
    await shop.after(4 * SECOND)
    assert await shop.rows("SELECT id FROM conversation WHERE send_lease_until <> 0") == []


async def test_many_due_conversations_come_in_groups(shop):
    """R22."""
    for number in range(sweep.GROUP + 5):
        await shop.writes(f"55419000010{number:02}", "oi")
    shop.clock.advance(4 * SECOND)
    assert [len(group) for group in (await sweep.tick(shop.runtime)).advance] == [sweep.GROUP, 5]


async def test_two_sweeps_at_once_hand_nothing_out_twice(emptied_postgres):
    """R12: on two machines."""
    shop = await opened(a_runtime(emptied_postgres, http=Provider()))
    other = a_runtime(emptied_postgres, store=Store(emptied_postgres), clock=shop.clock)
    for number in range(40):
        await shop.writes(f"55419000020{number:02}", "oi")
    shop.clock.advance(4 * SECOND)
    found = await asyncio.gather(*(sweep.tick(runtime) for runtime in (shop.runtime, other) * 4))
    ids = [i for work in found for group in work.advance for i in group]
    assert len(ids) == len(set(ids)) == 40
    await shop.runtime.close()
    await other.close()


async def test_two_sweeps_at_once_shift_a_silence_once(emptied_postgres, monkeypatch):
    """R12, R15: both have found the pause over before one of them ends it."""
    shop, other = await two_machines(emptied_postgres)
    await shop.talks(ANA, "oi")
    before = await shop.conversation()
    await supervise.pause(shop.runtime, before.id, 10 * MINUTE, ACTOR)
    shop.clock.advance(10 * MINUTE)
    both_first(monkeypatch, pauses, "over", after=True)
    await asyncio.gather(*(sweep.tick(runtime) for runtime in (shop.runtime, other)))
    after = await shop.conversation()
    assert after.snapshot.deadline_at - before.snapshot.deadline_at == 10 * MINUTE
    assert (await shop.outcomes()).count(("note", "pause_over")) == 1
    await shop.runtime.close()
    await other.close()


async def test_two_sweeps_at_once_raise_an_alarm_once(emptied_postgres, monkeypatch):
    """R12, R27: both have found the letter lost before one of them says so."""
    shop, other = await two_machines(emptied_postgres)
    await shop.talks(ANA, "oi")
    shop.provider.plan = [AnswerLost("gone")]
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    shop.clock.advance(deliver.GRACE)
    both_first(monkeypatch, due, "lost", after=True)
    await asyncio.gather(*(sweep.tick(runtime) for runtime in (shop.runtime, other)))
    assert (await shop.outcomes()).count(("alert", "send_unknown")) == 1
    await shop.runtime.close()
    await other.close()


async def two_machines(url):
    shop = await opened(a_runtime(url, http=Provider()))
    return shop, a_runtime(url, store=Store(url), clock=shop.clock)


async def test_a_day_on_which_every_hint_is_lost_loses_nothing(shop):
    """R30: the queue of these tests takes no hint at all, and messages, silences and sends still happen."""
    await shop.talks(ANA, "oi", "quanto custa?", "quero comprar")
    await shop.after(3 * HOUR)
    assert await shop.state() == "RECUPERANDO"
    assert [letter.status for letter in await shop.letters()] == ["sent"] * 4


async def test_what_waits_behind_a_letter_on_the_wire_is_not_found_due_again_and_again(shop):
    """R27: a blocked conversation would keep every sweep busy."""
    await shop.talks(ANA, "oi")
    await shop.talks(BIA, "oi")
    shop.provider.plan = [AnswerLost("gone")]
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    await shop.writes(ANA, "quero comprar")
    await shop.writes(BIA, "quanto custa?")
    await shop.after(4 * SECOND)
    assert [letter.status for letter in await shop.letters()] == ["sent", "sent", "uncertain", "pending", "sent"]
    assert not await sweep.tick(shop.runtime)


async def test_a_pause_that_is_over_ends_at_its_end_however_late_it_is_found(shop):
    """R74, R15."""
    await shop.talks(ANA, "oi")
    before = await shop.conversation()
    await supervise.pause(shop.runtime, before.id, 10 * MINUTE, ACTOR)
    await shop.after(40 * MINUTE)
    after = await shop.conversation()
    assert after.snapshot.deadline_at == before.snapshot.deadline_at + 10 * MINUTE
    assert (await shop.person())["paused_until"] is None


async def test_r36_a_pause_that_ends_by_itself_with_something_held_back_asks_for_a_person(shop):
    """The robot neither sends what a person held back nor keeps quiet about it."""
    await shop.talks(ANA, "oi")
    conversation = await shop.conversation()
    await supervise.pause(shop.runtime, conversation.id, 10 * MINUTE, ACTOR)
    await shop.talks(ANA, "e o suporte?")
    assert [row.status for row in await shop.letters()][-1] == "held"
    assert (await shop.conversation()).attention is None

    await shop.after(10 * MINUTE)

    assert (await shop.conversation()).attention == "held"
    assert [row.status for row in await shop.letters()][-1] == "held"
