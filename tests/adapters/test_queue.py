"""The queue is a hint: what it promises (never raise, never block, never lose a wake-up by id) and what it may do."""

import asyncio
import contextlib
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from engine.adapters import valkey
from engine.adapters.queue import BLOCK_S, Consumer, Queue


async def _until(true: Callable[[], bool]) -> None:
    """Ask again and again: another process has nothing to wait on."""
    never = asyncio.Event()
    async with asyncio.timeout(10):
        while not true():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(never.wait(), 0.02)


async def _answering(path: Path) -> None:
    await _until(lambda: valkey.ping(path))


@pytest.fixture
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("d")


@pytest_asyncio.fixture
async def server_path(data_dir: Path) -> AsyncIterator[Path]:
    path = valkey.socket_for(data_dir)
    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)
    yield path
    await valkey.stop(server)


@pytest_asyncio.fixture
async def queue(server_path: Path) -> AsyncIterator[Queue]:
    connected = Queue(f"unix://{server_path}")
    await connected.connect()
    yield connected
    await connected.close()


class Recorder:
    """A job that writes down its arguments and wakes whoever waits for a number of them."""

    def __init__(self) -> None:
        self.seen: list[object] = []
        self._changed = asyncio.Condition()

    __qualname__ = "Recorder"

    async def __call__(self, ids: list[int]) -> None:
        self.seen.append(ids)
        async with self._changed:
            self._changed.notify_all()

    async def of(self, number: int) -> list[object]:
        async with asyncio.timeout(10), self._changed:
            await self._changed.wait_for(lambda: len(self.seen) >= number)
        return self.seen


async def test_a_hint_reaches_the_job_of_its_name_with_its_arguments(queue: Queue, server_path: Path) -> None:
    advance, deliver = Recorder(), Recorder()
    consumer = Consumer({"advance": advance, "deliver": deliver}, f"unix://{server_path}")
    running = asyncio.create_task(consumer.run())

    assert await queue.enqueue("advance", [1, 2])
    assert await queue.enqueue("deliver", [3])

    assert await advance.of(1) == [[1, 2]]
    assert await deliver.of(1) == [[3]]
    await consumer.stop(1)
    assert await running is True


async def test_the_same_hint_twice_runs_twice_so_no_wake_up_is_swallowed(queue: Queue, server_path: Path) -> None:
    advance = Recorder()
    assert await queue.enqueue("advance", [7])
    assert await queue.enqueue("advance", [7])

    consumer = Consumer({"advance": advance}, f"unix://{server_path}")
    running = asyncio.create_task(consumer.run())

    assert await advance.of(2) == [[7], [7]]
    await consumer.stop(1)
    assert await running is True


async def test_a_job_that_fails_does_not_end_the_consumer(queue: Queue, server_path: Path) -> None:
    advance = Recorder()

    async def deliver(_ids: list[int]) -> None:
        raise ValueError("a defect in one job")

    consumer = Consumer({"advance": advance, "deliver": deliver}, f"unix://{server_path}")
    running = asyncio.create_task(consumer.run())
    assert await queue.enqueue("deliver", [1])
    assert await queue.enqueue("advance", [2])

    assert await advance.of(1) == [[2]]
    await consumer.stop(1)
    assert await running is True


async def test_stopping_lets_the_running_job_finish_and_takes_no_other(queue: Queue, server_path: Path) -> None:
    begun, go_on, finished = asyncio.Event(), asyncio.Event(), Recorder()

    async def slow(ids: list[int]) -> None:
        begun.set()
        await go_on.wait()
        await finished(ids)

    consumer = Consumer({"advance": slow}, f"unix://{server_path}")
    running = asyncio.create_task(consumer.run())
    assert await queue.enqueue("advance", [1])
    await begun.wait()

    stopping = asyncio.create_task(consumer.stop(5))
    await asyncio.sleep(0)
    assert await queue.enqueue("advance", [2])
    go_on.set()
    await stopping
    assert await running is True

    assert finished.seen == [[1]]


async def test_a_job_that_outlasts_the_stop_is_given_back_to_the_queue(queue: Queue, server_path: Path) -> None:
    begun = asyncio.Event()

    async def stuck(_ids: list[int]) -> None:
        begun.set()
        await asyncio.Event().wait()

    consumer = Consumer({"advance": stuck}, f"unix://{server_path}")
    running = asyncio.create_task(consumer.run())
    assert await queue.enqueue("advance", [1])
    await begun.wait()
    await consumer.stop(0.01)
    assert await running is True

    advance = Recorder()
    successor = Consumer({"advance": advance}, f"unix://{server_path}")
    running = asyncio.create_task(successor.run())
    assert await advance.of(1) == [[1]]
    await successor.stop(1)
    assert await running is True


async def test_without_redis_a_hint_is_refused_at_once_and_never_raises(tmp_path: Path) -> None:
    queue = Queue(f"unix://{tmp_path}/nobody.sock")
    await queue.connect()

    async with asyncio.timeout(BLOCK_S):
        assert await queue.enqueue("advance", [1]) is False
        assert await queue.ping() is False
    await queue.close()


async def test_a_queue_that_was_never_connected_refuses(tmp_path: Path) -> None:
    assert await Queue(f"unix://{tmp_path}/nobody.sock").enqueue("advance", [1]) is False


@pytest.fixture
def silent_url() -> Iterator[str]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}"


async def test_a_redis_that_hangs_holds_nobody_longer_than_the_limit(silent_url: str) -> None:
    queue = Queue(silent_url)
    await queue.connect()
    loop = asyncio.get_running_loop()

    started = loop.time()
    first = await queue.enqueue("advance", [1])
    after_first = loop.time()
    others = [await queue.enqueue("advance", [n]) for n in range(50)]
    after_others = loop.time()

    assert (first, any(others)) == (False, False)
    assert after_first - started < BLOCK_S + 0.2
    assert after_others - after_first < 0.1  # it counts as away: the next callers do not wait
    await queue.close()


async def test_the_queue_is_back_as_soon_as_redis_is(data_dir: Path) -> None:
    path = valkey.socket_for(data_dir)
    queue = Queue(f"unix://{path}")
    await queue.connect()
    assert await queue.enqueue("advance", [1]) is False

    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)

    assert await queue.ping()
    assert await queue.enqueue("advance", [1])
    await queue.close()
    await valkey.stop(server)


async def test_a_consumer_ends_and_says_so_when_redis_stays_away(tmp_path: Path) -> None:
    consumer = Consumer({"advance": Recorder()}, f"unix://{tmp_path}/nobody.sock")

    assert await consumer.run() is False


async def test_a_consumer_whose_redis_goes_lets_the_running_job_finish_first(data_dir: Path) -> None:
    path = valkey.socket_for(data_dir)
    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)
    queue = Queue(f"unix://{path}")
    await queue.connect()
    begun, go_on, finished = asyncio.Event(), asyncio.Event(), Recorder()

    async def slow(ids: list[int]) -> None:
        begun.set()
        await go_on.wait()
        await finished(ids)

    running = asyncio.create_task(Consumer({"advance": slow}, f"unix://{path}").run())
    assert await queue.enqueue("advance", [1])
    await begun.wait()
    await valkey.stop(server)
    go_on.set()

    assert await running is False
    assert finished.seen == [[1]]
    await queue.close()


async def test_a_hint_survives_a_killed_server(data_dir: Path) -> None:
    path = valkey.socket_for(data_dir)
    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)
    queue = Queue(f"unix://{path}")
    await queue.connect()
    assert await queue.enqueue("advance", [1])
    server.kill()
    await server.wait()

    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)
    advance = Recorder()
    consumer = Consumer({"advance": advance}, f"unix://{path}")
    running = asyncio.create_task(consumer.run())

    assert await advance.of(1) == [[1]]
    await consumer.stop(1)
    assert await running is True
    await queue.close()
    assert await valkey.stop(server) == 0


async def test_the_socket_is_private_and_the_server_stops_cleanly(data_dir: Path) -> None:
    path = valkey.socket_for(data_dir)
    server = await valkey.start(data_dir, path, asyncio.subprocess.DEVNULL)
    await _answering(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert await valkey.stop(server) == 0
    assert not valkey.ping(path)
    assert await valkey.stop(server) == 0  # twice is no error


def test_a_data_folder_with_a_long_name_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    path = valkey.socket_for(tmp_path / ("x" * 120))

    assert len(bytes(path)) <= valkey.LONGEST_SOCKET_PATH
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.parent.rmdir()


KILLED_PARENT = """
import asyncio, os, pathlib, sys, threading
from engine.adapters import valkey

async def start_and_be_killed(folder, path):
    await valkey.start(folder, path, asyncio.subprocess.DEVNULL)
    while not valkey.ping(path):
        threading.Event().wait(0.02)
    os.kill(os.getpid(), 9)

asyncio.run(start_and_be_killed(*map(pathlib.Path, sys.argv[1:])))
"""


async def test_the_server_ends_with_a_process_that_is_killed(data_dir: Path) -> None:
    path = valkey.socket_for(data_dir)

    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED_PARENT, data_dir, path)

    assert await parent.wait() == -signal.SIGKILL
    await _until(lambda: not valkey.ping(path))
