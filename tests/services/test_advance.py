"""Deciding: in which order, from which moment on, once, and all or nothing (R12, R13, R15, R22, R25, R26)."""

import asyncio

import pytest

from engine.core.errors import StaleConversation
from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import advance, supervise, sweep
from engine.store import conversations, queue, transactions
from engine.store.connection import Tx
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, both_first, opened
from tests.services.small_flow import small

TABLES = ("contact", "identity", "conversation", "inbound", "event", "outbox", "log", "evidence")


async def everything(shop):
    return {table: await shop.rows(f"SELECT * FROM {table} ORDER BY 1, 2") for table in TABLES}


async def test_a_burst_is_over_when_it_has_been_quiet_and_not_a_moment_before(shop):
    """R22."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(4 * SECOND - 1)
    assert not await sweep.tick(shop.runtime)
    assert await shop.decides() == 0
    await shop.after(1)
    assert await shop.state() == "ENGAJADO"


async def test_every_message_moves_the_end_of_the_burst_up_to_its_ceiling(shop):
    """R22: quiet four seconds, ceiling twenty."""
    begun = shop.clock.now()
    for _ in range(7):
        await shop.writes(ANA, "e mais")
        assert (await shop.conversation()).due_at == min(shop.clock.now() + 4 * SECOND, begun + 20 * SECOND)
        shop.clock.advance(3 * SECOND)
    assert shop.clock.now() == begun + 21 * SECOND
    await shop.works()
    (moved,) = await shop.rows("SELECT facts FROM log WHERE outcome = 'transition'")
    assert '"batch_size":7' in moved["facts"]
    events = await shop.rows("SELECT DISTINCT event_id, outcome FROM inbound")
    assert [row["outcome"] for row in events] == ["batched"], "all seven belong to one event"


async def test_a_job_that_comes_too_early_takes_nothing_because_a_newer_message_moved_the_end(shop):
    """R22: all of them, or none."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(3 * SECOND)
    await shop.writes(ANA, "tudo bem?")
    shop.clock.advance(SECOND)
    await shop.runtime.store.write(
        "x", lambda tx: tx.run("UPDATE conversation SET due_at = :now", now=shop.clock.now())
    )
    assert await shop.decides() == 0
    assert (await shop.conversation()).due_at == shop.clock.now() + 3 * SECOND
    assert await shop.rows("SELECT id FROM inbound WHERE processed_at IS NOT NULL") == []


async def test_messages_are_read_in_the_order_of_their_source(shop):
    """R13."""
    await shop.writes(ANA, "segundo", named="wamid.b", ago=1 * SECOND)
    await shop.writes(ANA, "primeiro", named="wamid.a", ago=2 * SECOND)
    await shop.writes(ANA, "terceiro", named="wamid.c", ago=1 * SECOND)
    await shop.after(4 * SECOND)
    (moved,) = await shop.rows("SELECT facts FROM log WHERE outcome = 'transition'")
    assert '"batch":["wamid.a","wamid.b","wamid.c"]' in moved["facts"]


async def test_a_late_payment_meets_the_table_like_any_other(shop):
    """R13: what is committed first is applied first, whatever its own time says."""
    await shop.talks(ANA, "oi", "quanto custa?")
    await shop.pays(ANA, named="evt-1")
    shop.clock.advance(MINUTE)
    await shop.pays(ANA, event="PURCHASE_OUT_OF_SHOPPING_CART", named="evt-0", tx="HP0")
    await shop.works()
    assert await shop.state() == "PAGO"


async def test_a_payment_is_decided_at_once_and_leaves_the_burst_to_its_end(shop):
    """R22."""
    await shop.writes(ANA, "oi")
    await shop.pays(ANA)
    await shop.works()
    assert await shop.state() == "PAGO"
    assert (await shop.conversation()).due_at == shop.clock.now() + 4 * SECOND


async def silent(shop):
    """Somebody who is about to fall silent; when his silence ends."""
    await shop.talks(ANA, "oi")
    return (await shop.conversation()).snapshot.deadline_at


async def test_a_silence_ends_once_however_often_it_is_found(shop):
    """R12: its event is named after the conversation and the deadline."""
    deadline = await silent(shop)
    shop.clock.move_to(deadline)
    conversation = await shop.conversation()
    assert [await shop.decides() for _ in range(3)] == [1, 0, 0]
    assert [r["id"] for r in await shop.rows("SELECT id FROM event WHERE source = 'clock'")] == [
        f"timeout:{conversation.id}:{deadline}"
    ]
    assert await shop.state() == "RECUPERANDO"


async def test_a_silence_does_not_end_a_moment_too_early(shop):
    deadline = await silent(shop)
    shop.clock.move_to(deadline - 1)
    assert not await sweep.tick(shop.runtime)
    assert await shop.decides() == 0


async def test_a_reply_that_waits_for_its_burst_wins_over_the_end_of_the_silence(shop):
    """R15."""
    deadline = await silent(shop)
    shop.clock.move_to(deadline - SECOND)
    await shop.writes(ANA, "quanto custa?")
    shop.clock.move_to(deadline + SECOND)
    await shop.works()
    assert await shop.state() == "ENGAJADO"
    await shop.after(2 * SECOND)
    assert await shop.state() == "NEGOCIANDO"
    assert await shop.rows("SELECT id FROM event WHERE source = 'clock'") == []


async def test_a_reply_that_comes_between_reading_and_writing_wins_over_the_end_of_the_silence(busy_shop, monkeypatch):
    """R15, R26: the decision was made on a version that is no longer the conversation's."""
    deadline = await silent(busy_shop)
    busy_shop.clock.move_to(deadline)
    put, raised = queue.put, []

    def late(tx, event, *given, **named):
        if event.id.startswith("timeout:") and not raised:
            raised.append(event.id)
            raise StaleConversation
        return put(tx, event, *given, **named)

    conversation = await busy_shop.conversation()
    monkeypatch.setattr(queue, "put", late)
    advancing = advance.run(busy_shop.runtime, [conversation.id])
    await busy_shop.writes(ANA, "quanto custa?")
    await advancing
    assert await busy_shop.state() == "ENGAJADO"
    await busy_shop.after(4 * SECOND)
    assert await busy_shop.state() == "NEGOCIANDO"


async def test_while_a_person_holds_the_chat_the_silence_clock_stands_still(shop):
    """R15: twenty minutes of pause are twenty minutes more."""
    deadline = await silent(shop)
    conversation = await shop.conversation()
    shop.clock.move_to(deadline - 10 * MINUTE)
    await supervise.pause(shop.runtime, conversation.id, 20 * MINUTE, ACTOR)
    shop.clock.move_to(deadline + 5 * MINUTE)
    await shop.works()
    assert await shop.decides() == 0
    assert await shop.state() == "ENGAJADO"
    shop.clock.move_to(deadline + 10 * MINUTE)
    await shop.works()
    assert (await shop.conversation()).snapshot.deadline_at == deadline + 20 * MINUTE
    shop.clock.move_to(deadline + 20 * MINUTE - 1)
    await shop.works()
    assert await shop.state() == "ENGAJADO"
    await shop.after(1)
    assert await shop.state() == "RECUPERANDO"


async def test_giving_the_chat_back_early_shifts_the_silence_by_the_time_it_was_held(shop):
    """R15, R74."""
    deadline = await silent(shop)
    conversation = await shop.conversation()
    await supervise.pause(shop.runtime, conversation.id, HOUR, ACTOR)
    shop.clock.advance(7 * MINUTE)
    await supervise.give_back(shop.runtime, conversation.id, ACTOR, send_held=False)
    assert (await shop.conversation()).snapshot.deadline_at == deadline + 7 * MINUTE
    await supervise.give_back(shop.runtime, conversation.id, ACTOR, send_held=False)
    assert (await shop.conversation()).snapshot.deadline_at == deadline + 7 * MINUTE


async def test_a_silence_that_began_during_the_pause_is_shifted_by_the_rest_of_it(shop):
    """R15."""
    await silent(shop)
    conversation = await shop.conversation()
    await supervise.pause(shop.runtime, conversation.id, HOUR, ACTOR)
    shop.clock.advance(10 * MINUTE)
    await shop.writes(ANA, "quanto custa?")
    await shop.after(4 * SECOND)
    armed = shop.clock.now()
    shop.clock.advance(5 * MINUTE)
    await supervise.give_back(shop.runtime, conversation.id, ACTOR, send_held=False)
    assert (await shop.conversation()).snapshot.deadline_at == armed + 2 * HOUR + 5 * MINUTE


class Crash(BaseException):
    """The process dies here."""


async def crashes_at_every_statement(shop, monkeypatch, work):
    """Die at the first statement, then at the second…: every time nothing has changed. Then live."""
    before, count, limit = await everything(shop), [0], [0]

    class Dying(Tx):
        __slots__ = ()

        def _executed(self, sql, params):
            count[0] += 1
            if count[0] == limit[0]:
                raise Crash
            return super()._executed(sql, params)

        def many(self, sql, rows):
            count[0] += 1
            if count[0] == limit[0]:
                raise Crash
            super().many(sql, rows)

    for step in range(1, 200):
        count[0], limit[0] = 0, step
        with monkeypatch.context() as patch:
            patch.setattr(transactions, "Tx", Dying)
            try:
                await work()
            except Crash:
                pass
            else:
                return step - 1
        assert await everything(shop) == before, f"statement {step} left something behind"
    raise AssertionError("never came to an end")


async def test_a_crash_at_any_statement_of_a_decision_leaves_nothing_of_it(shop, monkeypatch):
    """R25: state, deadline, log, letters, processed marks, or none of it."""
    await shop.talks(ANA, "oi")
    await shop.writes(ANA, "quanto custa?")
    shop.clock.advance(4 * SECOND)
    assert await crashes_at_every_statement(shop, monkeypatch, shop.decides) > 8
    assert await shop.state() == "NEGOCIANDO"
    assert [letter.action for letter in await shop.letters()] == ["boas_vindas", "mandar_oferta"]
    assert await shop.rows("SELECT id FROM inbound WHERE processed_at IS NULL") == []


async def test_a_crash_at_any_statement_of_a_payment_leaves_nothing_of_it(shop, monkeypatch):
    """R25."""
    await shop.talks(ANA, "oi")
    await shop.pays(ANA)
    assert await crashes_at_every_statement(shop, monkeypatch, shop.decides) > 8
    assert await shop.state() == "PAGO"
    assert [letter.action for letter in await shop.letters()] == ["boas_vindas", "entregar_acesso"]


async def test_a_crash_at_any_statement_of_an_opt_out_leaves_nothing_of_it(shop, monkeypatch):
    """R25, R75."""
    await shop.talks(ANA, "oi")
    await shop.writes(ANA, "pare")
    shop.clock.advance(4 * SECOND)
    await crashes_at_every_statement(shop, monkeypatch, shop.decides)
    assert (await shop.person())["opt_out_at"] == shop.clock.now()
    assert await shop.state() == "OPT_OUT"


async def test_a_decision_that_is_made_again_after_its_commit_changes_nothing(shop):
    """R25: the answer got lost, the job comes back."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(4 * SECOND)
    assert await shop.decides() == 1
    before = await everything(shop)
    assert await shop.decides() == 0
    assert await everything(shop) == before


async def rivals(url):
    """Two processes, as far as the database can tell."""
    one = await opened(a_runtime(url, http=Provider()))
    other = a_runtime(url, store=Store(url), http=Provider(), clock=one.clock)
    return one, other


async def test_of_two_who_decide_the_same_thing_one_wins_and_the_other_decides_again(emptied_postgres, monkeypatch):
    """R26: without leases and without row locks, the version alone."""
    shop, other = await rivals(emptied_postgres)
    await shop.writes(ANA, "oi")
    conversation = await shop.conversation()
    shop.clock.advance(4 * SECOND)
    load = conversations.load
    monkeypatch.setattr(conversations, "load", lambda tx, i, lock=True: load(tx, i, lock=False))
    both_first(monkeypatch, advance, "decide")
    await asyncio.gather(advance.run(shop.runtime, [conversation.id]), advance.run(other, [conversation.id]))
    assert len(await shop.rows("SELECT id FROM log WHERE outcome = 'transition'")) == 1
    assert [letter.action for letter in await shop.letters()] == ["boas_vindas"]
    await shop.runtime.close()
    await other.close()


async def test_a_decision_on_an_old_version_never_commits(shop):
    """R26: the fence itself."""
    await shop.talks(ANA, "oi")
    old = await shop.conversation()
    await shop.writes(ANA, "quanto custa?")

    def save(tx):
        conversations.save(tx, old, old.snapshot, shop.clock.now(), [])

    with pytest.raises(StaleConversation):
        await shop.runtime.store.write("x", save)


async def test_ten_workers_on_two_machines_decide_and_send_once(emptied_postgres):
    """R26, R27."""
    shop, other = await rivals(emptied_postgres)
    for n in range(5):
        await shop.writes(f"55419000000{n:02}", "oi")
    shop.clock.advance(4 * SECOND)
    ids = [row["id"] for row in await shop.rows("SELECT id FROM conversation")]
    await asyncio.gather(*(advance.run(runtime, ids) for runtime in (shop.runtime, other) * 5))
    await shop.works()
    assert len(await shop.rows("SELECT id FROM log WHERE outcome = 'transition'")) == 5
    assert len(shop.provider.calls) == 5
    await shop.runtime.close()
    await other.close()


async def test_a_kept_deadline_that_fires_is_over(sqlite_url):
    """R10, R12: an arrow that keeps the deadline cannot keep one that has passed."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    tree = small(transitions=[
        {"id": "t1", "from": "NOVO", "on": "msg_recebida", "to": "CONVERSA", "do": ["oi"]},
        {"id": "t2", "from": "NOVO", "on": "timeout", "to": "FIM"},
        {"id": "t3", "from": "CONVERSA", "on": "msg_recebida", "to": "FIM"},
        {"id": "t4", "from": "CONVERSA", "on": "timeout", "to": "CONVERSA", "keep_deadline": True},
    ])  # fmt: skip
    shop = await opened(runtime, flow={"document": tree})
    await shop.writes(ANA, "oi")
    await shop.after(5 * SECOND)
    assert await shop.state() == "CONVERSA"
    await shop.after(49 * HOUR)
    assert (await shop.conversation()).snapshot.deadline_at is None
    assert not await sweep.tick(runtime)
    await runtime.close()
