"""What a process holds: clocks, ids, the flows that it has read, and how it opens."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from engine.core.canonical import canonical
from engine.core.document import read
from engine.core.errors import BadSettings, NotFound
from engine.runtime import Flows, ManualClock, SeededIds, SystemClock, SystemIds, open_runtime
from engine.settings import Settings
from engine.store import flows
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.small_flow import TREE


async def test_sleepers_wake_when_time_passes_them_and_not_before():
    """R14."""
    clock, woken = ManualClock(1_000), []

    async def sleeper(duration):
        await clock.sleep(duration)
        woken.append((duration, clock.now()))

    tasks = [asyncio.ensure_future(sleeper(duration)) for duration in (50, 20, 0)]
    for _ in range(3):
        await asyncio.sleep(0)
    assert woken == [(0, 1_000)]
    assert clock.next_waking == 1_020
    clock.advance(20)
    await tasks[1]
    clock.move_to(2_000)
    await tasks[0]
    assert woken == [(0, 1_000), (20, 1_020), (50, 2_000)]
    assert clock.next_waking is None
    with pytest.raises(ValueError, match="back"):
        clock.advance(-1)


async def test_the_system_clock_counts_milliseconds():
    clock = SystemClock()
    before = clock.now()
    await clock.sleep(2)
    assert 1_700_000_000_000 < before < clock.now()


def test_seeded_ids_repeat_and_system_ids_do_not():
    def drawn(ids):
        return [ids.token(), ids.hex(4), ids.uuid(), ids.chance()]

    assert drawn(SeededIds(1)) == drawn(SeededIds(1)) != drawn(SeededIds(2))
    assert drawn(SystemIds()) != drawn(SystemIds())
    assert len(SystemIds().token(32)) == 43
    assert len(SystemIds().hex(4)) == 8
    assert 0 <= SystemIds().chance() < 1


async def test_a_published_version_is_read_once_and_the_oldest_is_forgotten(sqlite_url):
    """R60: it never changes, so it may be kept."""
    runtime = a_runtime(sqlite_url, flows=Flows(kept=2))
    text, sha256 = canonical(TREE), read(json.loads(canonical(TREE))).sha256

    def three(tx):
        flows.add(tx, slug="pequeno", title="P", text=text, now=1, who="x")
        for _ in range(3):
            flows.publish(tx, slug="pequeno", text=text, sha256=sha256, note="", author="x", now=1)

    await runtime.store.write("k", three)
    first = await runtime.flow("pequeno", 1)
    assert await runtime.flow("pequeno", 1) is first
    await runtime.flow("pequeno", 2)
    await runtime.flow("pequeno", 1)
    await runtime.flow("pequeno", 3)
    assert runtime.flows.known("pequeno", 1) is first
    assert runtime.flows.known("pequeno", 2) is None
    with pytest.raises(NotFound):
        await runtime.flow("pequeno", 4)
    await runtime.close()


async def test_opening_makes_the_key_of_the_data_folder_once_and_uses_a_given_one_instead(tmp_path):
    folder = tmp_path / "data"
    settings = Settings(
        data_dir=folder, database_url=f"sqlite:///{folder}/trilho.db", redis_url=f"unix://{folder}/none.sock"
    )
    first = await open_runtime(settings)
    sealed = first.vault.seal("secret", "t/1/f")
    await first.store.migrate()
    assert await first.queue.enqueue("nudge") is False
    await first.close()
    assert (folder / "secret.key").stat().st_mode & 0o777 == 0o600
    again = await open_runtime(settings)
    assert again.vault.open(sealed, "t/1/f") == "secret"
    await again.close()
    other = Settings(
        data_dir=folder,
        database_url=settings.database_url,
        redis_url=settings.redis_url,
        secret_key="QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE",
    )
    stranger = await open_runtime(other)
    with pytest.raises(BadSettings):
        stranger.vault.open(sealed, "t/1/f")
    await stranger.close()


async def test_a_store_that_was_never_used_closes(sqlite_url):
    store = Store(sqlite_url)
    await store.close()
    await store.close()


async def test_what_is_live_is_asked_once_a_second_and_again_after_a_publication(sqlite_url):
    """R71."""
    store, kept, asked = Store(sqlite_url, inline=True), Flows(), []

    def unit(now):
        def counted(tx):
            before = tx.rows
            tx_rows = SimpleNamespace(rows=lambda sql: asked.append(now) or before(sql))
            return kept.live_lately(tx_rows, now)

        return counted

    for now in (5_000, 5_999, 6_000, 5_999):
        assert await store.write("x", unit(now)) == {}
    assert asked == [5_000, 6_000, 5_999], "also when the clock was set back"
    kept.published()
    await store.write("x", unit(5_999))
    assert asked[3:] == [5_999]
    await store.close()
