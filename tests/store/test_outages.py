"""A database that goes away or is full: StoreUnavailable, nothing half stored, and well again by itself (SEC-S5)."""

import asyncio
import sqlite3
from traceback import format_exception

import psycopg
import pytest

from engine.core.errors import StoreUnavailable
from engine.store.lanes import Store
from engine.store.transactions import Transactions

PUT = "INSERT INTO setting (name, value) VALUES (:name, :value)"


def put(name, value="0"):
    return lambda tx: tx.run(PUT, name=name, value=value)


def names(tx):
    return [row["name"] for row in tx.rows("SELECT name FROM setting ORDER BY name")]


async def test_lost_connections_are_opened_again_without_the_caller_noticing(postgres_url, postgres_cluster):
    store = Store(postgres_url, lanes=1, readers=1)
    await store.write("k", put("a"))
    await store.read(names)
    postgres_cluster.admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'trilho'"
    )
    await store.write("k", put("b"))
    assert await store.read(names) == ["a", "b"]
    await store.close()


async def test_a_connection_lost_in_the_middle_of_a_group_loses_no_unit(postgres_url, postgres_cluster):
    store = Store(postgres_url, lanes=1, readers=1)
    once = []

    def killer(tx):
        put("killer")(tx)
        if not once:
            once.append(1)
            postgres_cluster.admin.execute("SELECT pg_terminate_backend(%s)", [tx.value("SELECT pg_backend_pid()")])
        put("after")(tx)

    await asyncio.gather(*(store.write("k", unit) for unit in (put("a"), killer, put("b"))))
    assert await store.read(names) == ["a", "after", "b", "killer"]
    await store.close()


async def test_a_server_that_is_not_there_answers_everybody_at_once(tmp_path):
    store = Store(f"postgresql+psycopg://nobody@/x?host={tmp_path}")
    answers = await asyncio.gather(*(store.write("k", put(str(n))) for n in range(20)), return_exceptions=True)
    assert {type(answer).__mro__[1] for answer in answers} == {StoreUnavailable}
    with pytest.raises(StoreUnavailable):
        await store.read(names)
    await store.close()


async def test_a_full_disk_refuses_what_does_not_fit_and_takes_it_when_there_is_room(sqlite_url):
    store = Store(sqlite_url)
    await store.write("k", put("a"))

    def limit(pages):
        return lambda tx: tx.value(f"PRAGMA max_page_count = {pages}")

    used = await store.write("k", lambda tx: tx.value("PRAGMA page_count"))

    def small_disk(tx):
        limit(used + 2)(tx)
        put("big", "x" * 200_000)(tx)

    with pytest.raises(StoreUnavailable):
        await store.write("k", small_disk)
    assert await store.read(names) == ["a"]
    await store.write("k", put("big", "x" * 200_000))
    assert await store.read(names) == ["a", "big"]
    await store.close()


async def test_a_locked_database_waits_and_then_says_so(sqlite_url, monkeypatch):
    monkeypatch.setattr("engine.store.drivers.BUSY_MS", 20)
    holder, store = Store(sqlite_url), Store(sqlite_url)
    entered, release = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(_tx):
        loop.call_soon_threadsafe(entered.set)
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(10)

    holding = asyncio.ensure_future(holder.write("k", hold))
    await entered.wait()
    answers = await asyncio.gather(*(store.write("k", put(str(n))) for n in range(5)), return_exceptions=True)
    assert all(isinstance(answer, StoreUnavailable) for answer in answers)
    release.set()
    await holding
    await store.write("k", put("a"))
    assert await store.read(names) == ["a"]
    await holder.close()
    await store.close()


async def test_whoever_waits_behind_a_locked_sqlite_waits_once(sqlite_url, monkeypatch):
    """SEC-S5: the platform is told to come again before it gives up by itself; the database did the waiting already."""
    monkeypatch.setattr("engine.store.drivers.BUSY_MS", 20)
    store, tries = Store(sqlite_url), []
    committed = Transactions._committed

    def counting(work, units):
        tries.append(len(units))
        return committed(work, units)

    monkeypatch.setattr(Transactions, "_committed", counting)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answers = await asyncio.gather(*(store.write("k", put(str(n))) for n in range(5)), return_exceptions=True)
    other.execute("ROLLBACK")
    other.close()
    assert all(isinstance(answer, StoreUnavailable) for answer in answers)
    assert sum(tries) == 5, "each unit, alone or in a group, met the lock once"
    await store.close()


async def test_what_a_failed_statement_was_given_is_in_no_error(database_url):
    """SEC-S22: errors are logged, and what people wrote is not for logs."""
    store = Store(database_url, inline=True)
    statement = "INSERT INTO nowhere (name) VALUES (:name)"
    with pytest.raises((sqlite3.Error, psycopg.Error)) as caught:
        await store.write("k", lambda tx: tx.run(statement, name="Zuleide Moura"))
    assert "nowhere" in (logged := "".join(format_exception(caught.value)))
    assert "Zuleide" not in logged.replace('name="Zuleide Moura"', "")
    await store.close()


async def test_a_commit_whose_outcome_is_not_known_is_told_and_never_repeated(postgres_url, postgres_cluster):
    """The server may have committed before the connection broke; only the caller knows how to find out (R25)."""
    store = Store(postgres_url, lanes=1, readers=1)
    runs = []

    def cut(tx):
        runs.append(1)
        pid = tx.value("SELECT pg_backend_pid()")
        postgres_cluster.admin.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    answers = await asyncio.gather(*(store.write("k", unit) for unit in (put("b"), cut)), return_exceptions=True)
    assert isinstance(answers[1], StoreUnavailable)
    assert len(runs) == 1
    await store.write("k", put("a"))
    assert "a" in await store.read(names)
    await store.close()


async def test_a_writing_transaction_on_sqlite_holds_the_lock_from_its_first_moment(sqlite_url):
    """A deferred one would read first, and fail or lose when somebody else writes before it does."""
    store = Store(sqlite_url)

    def unit(tx):
        tx.value("SELECT count(*) FROM setting")
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
        try:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
        finally:
            other.close()

    await store.write("k", unit)
    await store.close()
