"""A worker process: through the queue when there is one, itself when there is none, and back again (R30)."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import worker
from engine.adapters import valkey
from engine.adapters.queue import Queue
from engine.runtime import SystemClock
from engine.services.sweep import Work


class Services:
    """Stands in for the services: gives out what is put in, and writes down what is done."""

    def __init__(self) -> None:
        self.due: list[Work] = []
        self.done: list[tuple[str, list[int]]] = []
        self.changed = asyncio.Event()

    async def tick(self, _runtime: object) -> Work:
        return self.due.pop(0) if self.due else Work([], [])

    async def look(self) -> None:
        """What is kept once a day has its own tests."""

    async def advance(self, _runtime: object, ids: list[int]) -> None:
        self._note("advance", ids)

    async def deliver(self, _runtime: object, ids: list[int]) -> None:
        self._note("deliver", ids)

    async def fetch(self, _runtime: object, ids: list[int]) -> None:
        self._note("fetch", ids)

    async def media(self, _runtime: object, ids: list[int]) -> None:
        self._note("media", ids)

    def _note(self, job: str, ids: list[int]) -> None:
        self.done.append((job, ids))
        self.changed.set()

    async def until(self, *expected: tuple[str, list[int]]) -> None:
        async with asyncio.timeout(20):
            while not set(map(str, expected)) <= set(map(str, self.done)):
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    made = Services()
    monkeypatch.setattr(worker, "sweep", SimpleNamespace(tick=made.tick))
    monkeypatch.setattr(worker, "Daily", lambda _runtime: made)
    monkeypatch.setattr(worker, "advance", SimpleNamespace(run=made.advance))
    monkeypatch.setattr(worker, "deliver", SimpleNamespace(run=made.deliver))
    monkeypatch.setattr(worker, "fetch", SimpleNamespace(run=made.fetch))
    monkeypatch.setattr(worker, "media", SimpleNamespace(run=made.media))
    return made


async def _until(true: Callable[[], bool]) -> None:
    never = asyncio.Event()
    async with asyncio.timeout(10):
        while not true():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(never.wait(), 0.02)


async def test_work_is_done_with_a_queue_without_one_and_with_it_again(
    services: Services, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data_dir = tmp_path_factory.mktemp("d")
    path: Path = valkey.socket_for(data_dir)
    queue = Queue(f"unix://{path}")
    await queue.connect()
    runtime = SimpleNamespace(settings=SimpleNamespace(redis_url=f"unix://{path}"), queue=queue, clock=SystemClock())
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run_worker(runtime, stop))  # type: ignore[arg-type] # three fields are read

    services.due.append(Work([[1]], [[2]], [[8]], [[6]]))
    await services.until(("advance", [1]), ("deliver", [2]), ("fetch", [8]), ("media", [6]))

    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _until(lambda: valkey.ping(path))
    assert await queue.ping()
    assert await queue.enqueue("advance", [3])
    await services.until(("advance", [3]))

    await valkey.stop(server)
    services.due.append(Work([[4]], []))
    await services.until(("advance", [4]))

    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _until(lambda: valkey.ping(path))
    assert await queue.ping()
    assert await queue.enqueue("deliver", [5])
    assert await queue.enqueue("media", [7])
    await services.until(("deliver", [5]), ("media", [7]))

    stop.set()
    async with asyncio.timeout(5):
        await running
    await queue.close()
    await valkey.stop(server)
    assert sorted(services.done) == [
        ("advance", [1]), ("advance", [3]), ("advance", [4]), ("deliver", [2]), ("deliver", [5]),
        ("fetch", [8]), ("media", [6]), ("media", [7]),
    ]  # fmt: skip
