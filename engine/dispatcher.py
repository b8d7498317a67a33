"""Ten times a second: what is due goes to the queue, and is done in this process when the queue is away.

The database alone says what is due; a hint that gets lost is found again when its lease ends. Knows no service and no
database: it is given the sweep, the jobs, the queue and the clock.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Protocol, TypeAlias

import structlog

from engine.core.errors import StoreUnavailable

TICK = 100
"""Milliseconds between two sweeps: what is due waits half of it on average."""
REST = 1_000
"""Milliseconds before the next try when a sweep failed."""
AT_ONCE = 8
"""Groups that run in this process at the same time when the queue is away; more wait, and nothing new is claimed."""

Group: TypeAlias = tuple[str, list[int]]
"""The name of a job and the ids it is called with."""
Job: TypeAlias = Callable[[list[int]], Awaitable[object]]
Sweep: TypeAlias = Callable[[], Awaitable[Iterable[Group]]]

log = structlog.get_logger()


class _Queue(Protocol):
    async def enqueue(self, job: str, *args: object) -> bool: ...


class _Clock(Protocol):
    async def sleep(self, duration: int) -> None: ...


class Dispatcher:
    """Sweeps until it is told to stop. A defect in a sweep or a job is logged and ends neither.

    `slow` names jobs that bound themselves: while they run here, the others are handed out all the same.
    """

    def __init__(
        self, sweep: Sweep, jobs: Mapping[str, Job], queue: _Queue, clock: _Clock, slow: Collection[str] = ()
    ) -> None:
        self._sweep, self._jobs, self._queue, self._clock, self._slow = sweep, jobs, queue, clock, slow
        self._here: set[asyncio.Task[None]] = set()
        self._aside: set[asyncio.Task[None]] = set()
        self._away = False

    async def run(self, stop: asyncio.Event) -> None:
        """Claim and hand out until `stop` is set. What was claimed by then is handed out."""
        while not stop.is_set():
            pause = await self._once()
            while len(self._here) >= AT_ONCE and not stop.is_set():
                await asyncio.wait({*self._here}, timeout=TICK / 1_000, return_when=asyncio.FIRST_COMPLETED)
            await self._pause(pause, stop)

    async def finish(self, timeout_s: float) -> None:
        """Let what runs in this process end for `timeout_s`, then cancel it: its leases end and others take it."""
        if running := self._here | self._aside:
            _, late = await asyncio.wait(running, timeout=timeout_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _once(self) -> int:
        """One sweep; returns how long to rest after it."""
        try:
            groups = await self._sweep()
        except StoreUnavailable as error:
            log.warning("database is away", reason=str(error))
            return REST
        except Exception:
            log.exception("sweep failed")
            return REST
        for job, ids in groups:
            taken = await self._queue.enqueue(job, ids)
            if taken is self._away:
                self._away = not taken
                log.info("queue is back" if taken else "queue is away: doing the work here")
            if not taken:
                self._do_here(job, ids)
        return TICK

    def _do_here(self, job: str, ids: list[int]) -> None:
        task, place = asyncio.create_task(self._guarded(job, ids)), self._aside if job in self._slow else self._here
        place.add(task)
        task.add_done_callback(place.discard)

    async def _guarded(self, job: str, ids: list[int]) -> None:
        try:
            await self._jobs[job](ids)
        except Exception:
            log.exception("job failed", job=job, ids=ids)

    async def _pause(self, duration: int, stop: asyncio.Event) -> None:
        waiting = {asyncio.create_task(self._clock.sleep(duration)), asyncio.create_task(stop.wait())}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
