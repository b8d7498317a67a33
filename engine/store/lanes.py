"""The store: units of work go in from async code, answers come out; threads and connections stay in here.

A lane is one thread with one connection and a queue. It takes everything that waits and commits it once (group commit),
so the more callers wait, the cheaper each becomes. A key always goes to the same lane of a process, so that what
belongs to one conversation keeps its order. Other processes are held off by BEGIN IMMEDIATE and by row versions.
SQLite has one lane for writing; PostgreSQL may have several, but one makes the largest groups.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from zlib import crc32

from engine.core.errors import StoreUnavailable
from engine.store import drivers
from engine.store.connection import Tx
from engine.store.revision import newest, revision
from engine.store.transactions import Answer, Transactions

__all__ = ["Store"]

T = TypeVar("T")
GROUP = 200
"""The most units that share one commit."""
POSTGRESQL_LANES = 1
READERS = 2
READ_GROUP = 8
"""The most reads that share one snapshot: few, because the quickest waits for the slowest."""


@dataclass(frozen=True, slots=True)
class _Job:
    unit: Callable[[Tx], Any]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"


class _Lane:
    """One thread that works a queue off on its own connection; several may share a queue."""

    def __init__(self, name: str, queue: "SimpleQueue[_Job | None]", work: Transactions, group: int) -> None:
        self.work, self._queue, self._group = work, queue, group
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            jobs, going = self._waiting()
            if jobs:
                _tell(jobs, self.work.together([job.unit for job in jobs]))
        self.work.close()

    def _waiting(self) -> tuple[list[_Job], bool]:
        """What waits now, at least one job, and whether to come again."""
        first = self._queue.get()
        if first is None:
            return [], False
        jobs = [first]
        while len(jobs) < self._group:
            try:
                following = self._queue.get_nowait()
            except Empty:
                break
            if following is None:
                return jobs, False
            jobs.append(following)
        return jobs, True


class Store:
    """A database, reached through lanes. Opens nothing before the first unit."""

    def __init__(self, url: str, *, lanes: int | None = None, readers: int = READERS, inline: bool = False) -> None:
        """`inline`: no threads; each unit is run at once in the caller (simulator). A database in memory is inline."""
        in_memory = drivers.in_memory(url)
        self.url, self._inline, self._open = url, inline or in_memory, True
        self._guard = threading.RLock()
        count = 1 if drivers.dialect_of(url) == drivers.SQLITE or self._inline else (lanes or POSTGRESQL_LANES)
        writers = [Transactions(url, writes=True) for _ in range(count)]
        self.dialect = writers[0].dialect
        self._writers = writers
        self._reader = writers[0] if in_memory else Transactions(url, writes=False)
        self._queues: list[SimpleQueue[_Job | None]] = [SimpleQueue() for _ in writers]
        self._reads: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[_Lane] = []
        self._readers = readers

    @property
    def commits(self) -> int:
        """How many writing transactions have been committed."""
        return sum(writer.commits for writer in self._writers)

    async def write(self, key: object, unit: Callable[[Tx], T]) -> T:
        """Run a unit that writes. Units with one key are run in order.

        The unit may be run more than once. A caller that is cancelled while waiting does not stop it: it is run once,
        and committed or not, as if somebody still listened. Raises what the unit raises, Conflict, StoreUnavailable.
        """
        if self._inline:
            return self._at_once(self._writers[0], unit)
        return await self._handed(self._queues[crc32(str(key).encode()) % len(self._queues)], unit)

    async def read(self, unit: Callable[[Tx], T]) -> T:
        """Run a unit that only reads, on one snapshot of the database."""
        if self._inline:
            return self._at_once(self._reader, unit)
        return await self._handed(self._reads, unit)

    async def ping(self) -> bool:
        """Whether the database answers now, for /readyz."""
        try:
            return bool(await self.read(lambda tx: tx.value("SELECT 1")))
        except StoreUnavailable:
            return False

    async def migrate(self) -> None:
        """Bring the schema to the newest revision; any number of processes may do so at once."""
        if await self.read(revision) == newest():
            return
        from engine.store import migrations  # alembic is heavy, and most processes never migrate

        if drivers.in_memory(self.url):
            migrations.upgrade_through(self._writers[0].driver())
        else:
            await asyncio.to_thread(migrations.upgrade, self.url)

    async def close(self) -> None:
        """Finish what waits, then give up every connection. Whoever comes later gets StoreUnavailable."""
        with self._guard:
            was_open, self._open = self._open, False
        if not was_open:
            return
        if self._threads:
            for queue in self._queues:
                queue.put(None)
            for _ in range(self._readers):
                self._reads.put(None)
            await asyncio.get_running_loop().run_in_executor(None, self._joined)
        else:
            self._joined()

    def _joined(self) -> None:
        for lane in self._threads:
            lane.join()
        for work in (*self._writers, self._reader):
            work.close()

    def _at_once(self, work: Transactions, unit: Callable[[Tx], T]) -> T:
        with self._guard:
            if not self._open:
                raise StoreUnavailable("the store is closed")
            answer = work.alone(unit)
        if answer.error is not None:
            raise answer.error
        value: T = answer.value
        return value

    async def _handed(self, queue: "SimpleQueue[_Job | None]", unit: Callable[[Tx], T]) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._guard:
            if not self._open:
                raise StoreUnavailable("the store is closed")
            if not self._threads:
                self._threads = self._started()
            queue.put(_Job(unit, loop, future))
        return await future

    def _started(self) -> list[_Lane]:
        lanes = [
            _Lane(f"lane-{number}", queue, work, GROUP)
            for number, (queue, work) in enumerate(zip(self._queues, self._writers, strict=True))
        ]
        spare = [self._reader, *(Transactions(self.url, writes=False) for _ in range(self._readers - 1))]
        return lanes + [_Lane(f"reader-{number}", self._reads, work, READ_GROUP) for number, work in enumerate(spare)]


def _tell(jobs: Sequence[_Job], answers: Sequence[Answer]) -> None:
    """Hand the answers to the callers, with one wake-up for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Job, Answer]]] = {}
    for job, answer in zip(jobs, answers, strict=True):
        by_loop.setdefault(job.loop, []).append((job, answer))
    for loop, pairs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, pairs)
        except RuntimeError:
            continue  # that loop is closed: nobody waits there any more, and what was committed stays


def _settle(pairs: Sequence[tuple[_Job, Answer]]) -> None:
    for job, answer in pairs:
        if job.future.done():
            continue  # the caller was cancelled
        if answer.error is None:
            job.future.set_result(answer.value)
        elif isinstance(answer.error, StopIteration):
            job.future.set_exception(RuntimeError("a unit raised StopIteration"))
        else:
            job.future.set_exception(answer.error)
