"""Sweeping: hints to the queue, work done here without one, and a stop that loses nothing (R30)."""

import asyncio

from engine.core.errors import StoreUnavailable
from engine.dispatcher import AT_ONCE, REST, TICK, Dispatcher, Group


class FakeQueue:
    def __init__(self, *, there: bool) -> None:
        self.there = there
        self.took: list[tuple[str, object]] = []

    async def enqueue(self, job: str, *args: object) -> bool:
        if self.there:
            self.took.append((job, *args))
        return self.there


class FakeClock:
    """Never waits; stops the dispatcher after some pauses and writes their lengths down."""

    def __init__(self, stop: asyncio.Event, after: int = 1) -> None:
        self.stop, self.after = stop, after
        self.pauses: list[int] = []

    async def sleep(self, duration: int) -> None:
        self.pauses.append(duration)
        if len(self.pauses) >= self.after:
            self.stop.set()


def _sweep(*answers: list[Group] | Exception):
    left = list(answers)

    async def tick() -> list[Group]:
        answer = left.pop(0) if left else []
        if isinstance(answer, Exception):
            raise answer
        return answer

    return tick


async def test_what_is_due_goes_to_the_queue_and_not_here() -> None:
    stop, queue, here = asyncio.Event(), FakeQueue(there=True), []

    async def job(ids: list[int]) -> None:
        here.append(ids)

    dispatcher = Dispatcher(
        _sweep([("advance", [1, 2]), ("deliver", [3])]), {"advance": job, "deliver": job}, queue, FakeClock(stop)
    )
    await dispatcher.run(stop)
    await dispatcher.finish(1)

    assert queue.took == [("advance", [1, 2]), ("deliver", [3])]
    assert here == []


async def test_without_a_queue_the_work_is_done_here() -> None:
    stop, here = asyncio.Event(), []

    async def job(ids: list[int]) -> None:
        here.append(ids)

    dispatcher = Dispatcher(
        _sweep([("advance", [1]), ("advance", [2])]), {"advance": job}, FakeQueue(there=False), FakeClock(stop)
    )
    await dispatcher.run(stop)
    await dispatcher.finish(1)

    assert here == [[1], [2]]


async def test_a_failing_job_or_sweep_ends_nothing() -> None:
    stop, here = asyncio.Event(), []

    async def job(ids: list[int]) -> None:
        here.append(ids)
        raise ValueError("a defect")

    clock = FakeClock(stop, after=4)
    sweep = _sweep(ValueError("a defect"), StoreUnavailable("away"), [("advance", [1])])
    dispatcher = Dispatcher(sweep, {"advance": job}, FakeQueue(there=False), clock)
    await dispatcher.run(stop)
    await dispatcher.finish(1)

    assert here == [[1]]
    assert clock.pauses == [REST, REST, TICK, TICK]


async def test_nothing_new_is_claimed_while_this_process_is_full() -> None:
    stop, go_on, claimed, running = asyncio.Event(), asyncio.Event(), 0, 0

    async def job(_ids: list[int]) -> None:
        nonlocal running
        running += 1
        await go_on.wait()

    async def tick() -> list[Group]:
        nonlocal claimed
        claimed += 1
        return [("advance", [claimed])]

    dispatcher = Dispatcher(tick, {"advance": job}, FakeQueue(there=False), FakeClock(stop, after=1_000))
    sweeping = asyncio.create_task(dispatcher.run(stop))
    for _ in range(500):
        await asyncio.sleep(0)
    assert claimed == running == AT_ONCE

    stop.set()
    go_on.set()
    await sweeping
    await dispatcher.finish(1)


async def test_slow_jobs_keep_nobody_else_waiting() -> None:
    stop, go_on, done, sweeps = asyncio.Event(), asyncio.Event(), [], 0

    async def slow(_ids: list[int]) -> None:
        await go_on.wait()

    async def quick(ids: list[int]) -> None:
        done.append(ids)

    async def tick() -> list[Group]:
        nonlocal sweeps
        sweeps += 1
        return [("media", [n]) for n in range(AT_ONCE)] if sweeps == 1 else [("advance", [sweeps])]

    jobs = {"media": slow, "advance": quick}
    dispatcher = Dispatcher(tick, jobs, FakeQueue(there=False), FakeClock(stop, after=4), slow={"media"})
    async with asyncio.timeout(5):
        await dispatcher.run(stop)
    go_on.set()
    await dispatcher.finish(1)

    assert done == [[2], [3], [4]]
    assert not dispatcher._aside


async def test_a_stop_lets_running_work_finish_and_cancels_what_takes_too_long() -> None:
    stop, finished = asyncio.Event(), []
    go_on = asyncio.Event()

    async def job(ids: list[int]) -> None:
        await (go_on if ids == [1] else asyncio.Event()).wait()
        finished.append(ids)

    dispatcher = Dispatcher(
        _sweep([("advance", [1]), ("advance", [2])]), {"advance": job}, FakeQueue(there=False), FakeClock(stop)
    )
    await dispatcher.run(stop)
    asyncio.get_running_loop().call_soon(go_on.set)
    await dispatcher.finish(0.05)

    assert finished == [[1]]
    assert not dispatcher._here


async def test_a_stop_during_the_pause_ends_it_at_once() -> None:
    stop = asyncio.Event()

    class Endless:
        async def sleep(self, _duration: int) -> None:
            asyncio.get_running_loop().call_soon(stop.set)
            await asyncio.Event().wait()

    async with asyncio.timeout(5):
        await Dispatcher(_sweep(), {}, FakeQueue(there=True), Endless()).run(stop)
