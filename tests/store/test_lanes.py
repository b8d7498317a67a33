"""Units of work through lanes: nothing lost, nothing doubled, everybody his own answer (R25, R26)."""

import asyncio
import multiprocessing
import threading

import pytest

from engine.core.errors import Conflict, Refused, StaleConversation, StoreUnavailable
from engine.store.joint import Joint
from engine.store.lanes import Store


def put(name, value="0"):
    return lambda tx: tx.run("INSERT INTO setting (name, value) VALUES (:name, :value)", name=name, value=value)


def read(name):
    return lambda tx: tx.value("SELECT value FROM setting WHERE name = :name", name=name)


def increment(tx):
    """Reads, decides here, writes back: what the driver's default transactions lose."""
    lock = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    seen = int(tx.value(f"SELECT value FROM setting WHERE name = 'n'{lock}"))
    tx.run("UPDATE setting SET value = :value WHERE name = 'n'", value=str(seen + 1))
    return seen


async def test_two_hundred_increments_through_all_lanes_lose_nothing(store):
    await store.write("n", put("n"))
    seen = await asyncio.gather(*(store.write(key, increment) for key in range(200)))
    assert sorted(seen) == list(range(200))
    assert await store.read(read("n")) == "200"


def _process(url, count):
    async def main():
        store = Store(url)
        await asyncio.gather(*(store.write(key, increment) for key in range(count)))
        await store.close()

    asyncio.run(main())


async def test_increments_from_several_processes_lose_nothing(store, database_url):
    await store.write("n", put("n"))
    spawn = multiprocessing.get_context("spawn")
    others = [spawn.Process(target=_process, args=(database_url, 100)) for _ in range(2)]
    for other in others:
        other.start()
    await asyncio.gather(*(store.write(key, increment) for key in range(100)))
    await asyncio.to_thread(lambda: [other.join() for other in others])
    assert [other.exitcode for other in others] == [0, 0]
    assert await store.read(read("n")) == "300"


async def busy_lane(store, key, release):
    """Holds the key's lane until released, so that what is written meanwhile waits together."""
    entered = threading.Event()

    def hold(_tx):
        entered.set()
        release.wait(10)

    holding = asyncio.ensure_future(store.write(key, hold))
    await asyncio.to_thread(entered.wait, 10)
    return holding


async def together(store, units, key="k"):
    release = threading.Event()
    holding = await busy_lane(store, key, release)
    waiting = [asyncio.ensure_future(store.write(key, unit)) for unit in units]
    await asyncio.sleep(0)
    before = store.commits
    release.set()
    await holding
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    return answers, store.commits - before - 1


async def test_units_that_wait_together_are_committed_once(store):
    answers, commits = await together(store, [put(f"a{n}") for n in range(50)])
    assert answers == [1] * 50
    assert commits == 1
    assert await store.read(lambda tx: tx.value("SELECT count(*) FROM setting")) == 50


async def test_a_unit_that_fails_spoils_nobody_else_in_its_group(store):
    def refuse(tx):
        put("never")(tx)
        raise Refused("no")

    answers, commits = await together(store, [put("a"), refuse, put("a"), put("b")])
    assert answers[0] == 1
    assert isinstance(answers[1], Refused)
    assert isinstance(answers[2], Conflict)
    assert answers[3] == 1
    assert commits == 2
    names = await store.read(lambda tx: [row["name"] for row in tx.rows("SELECT name FROM setting ORDER BY name")])
    assert names == ["a", "b"]


async def test_units_of_one_kind_are_worked_off_in_one_call_and_each_gets_its_own_answer(store):
    calls = []

    def all_at_once(tx, names):
        calls.append(list(names))
        return [put(name)(tx) and f"put {name}" for name in names]

    units = [Joint(all_at_once, "a"), Joint(all_at_once, "b"), put("c"), Joint(all_at_once, "d")]
    answers, commits = await together(store, units)
    assert answers == ["put a", "put b", 1, "put d"]
    assert (calls, commits) == ([["a", "b"], ["d"]], 1)
    calls.clear()
    answers, _ = await together(store, [Joint(all_at_once, "e"), Joint(all_at_once, "a"), Joint(all_at_once, "f")])
    assert (answers[0], type(answers[1]), answers[2]) == ("put e", Conflict, "put f")
    assert calls == [["e", "a", "f"], ["e"], ["a"], ["f"]]


async def test_units_of_one_key_keep_their_order(store):
    order = []
    await asyncio.gather(*(store.write("k", lambda tx, n=n: order.append(n)) for n in range(30)))
    assert order == list(range(30))


async def test_a_stale_decision_is_made_again_and_given_up_after_a_few_times(store):
    runs = []

    def stale_once(_tx):
        runs.append(1)
        if len(runs) < 3:
            raise StaleConversation
        return "done"

    assert await store.write("k", stale_once) == "done"

    def always(_tx):
        runs.append(1)
        raise StaleConversation

    runs.clear()
    with pytest.raises(StaleConversation):
        await store.write("k", always)
    assert len(runs) == 3


async def test_a_cancelled_caller_neither_loses_nor_doubles_his_unit(store):
    await store.write("k", put("n"))
    release = threading.Event()
    holding = await busy_lane(store, "k", release)
    waiting = asyncio.ensure_future(store.write("k", increment))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()
    await holding
    await store.write("k", lambda _tx: None)
    assert await store.read(read("n")) == "1"


async def test_closing_finishes_what_waits_and_refuses_what_comes_later(store):
    waiting = [asyncio.ensure_future(store.write(n, put(f"c{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*waiting) == [1] * 20
    with pytest.raises(StoreUnavailable):
        await store.write("k", put("late"))
    with pytest.raises(StoreUnavailable):
        await store.read(read("late"))


async def test_a_read_sees_one_snapshot_and_cannot_write(store):
    await store.write("k", put("a"))
    with pytest.raises(Exception, match=r"read-?only"):
        await store.read(put("b"))
    assert await store.read(read("a")) == "0"


async def test_many_rows_and_lists_of_values(store):
    rows = [{"name": f"m{n}", "value": str(n)} for n in range(5)]
    await store.write("k", lambda tx: tx.many("INSERT INTO setting (name, value) VALUES (:name, :value)", rows))
    sql = "SELECT name FROM setting WHERE name IN :names ORDER BY name"
    found = await store.read(lambda tx: tx.rows(sql, names=["m1", "m3", "m4", "zz"]))
    assert found == [{"name": "m1"}, {"name": "m3"}, {"name": "m4"}]
    assert await store.read(lambda tx: tx.rows(sql, names=[])) == []
    assert await store.read(lambda tx: tx.one(sql, names=["zz"])) is None


async def test_inline_units_run_at_once_with_the_same_meaning(database_url):
    store = Store(database_url, inline=True)
    await store.write("n", put("n"))
    for _ in range(3):
        await store.write("n", increment)
    with pytest.raises(Conflict):
        await store.write("n", put("n"))
    assert await store.read(read("n")) == "3"
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.read(read("n"))


async def test_a_database_in_memory_is_migrated_through_its_own_connection():
    store = Store("sqlite://")
    await store.migrate()
    await store.write("k", put("a", "7"))
    assert await store.read(read("a")) == "7"
    await store.close()
