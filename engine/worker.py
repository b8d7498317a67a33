"""One worker process: sweeps what is due and runs the jobs that come off the queue, each one call to a service."""

import asyncio
import os
import signal
from collections.abc import Mapping

import structlog
import uvloop

from engine import logs
from engine.adapters.queue import Consumer
from engine.dispatcher import REST, Dispatcher, Group, Job
from engine.runtime import Clock, Runtime, open_runtime
from engine.services import advance, connection, deliver, fetch, media, schedule, sweep
from engine.services.daily import Daily
from engine.settings import from_environment

STOP_S = 5.0
"""Seconds that running jobs get when the worker stops; afterwards they are given back."""

MEDIA, PUBLISH = "media", "publish"
SLOW = frozenset({MEDIA, PUBLISH})
"""Jobs that wait for other servers, or for proofs, for long; how many run at once is the service's own affair."""

log = structlog.get_logger()


async def run_worker(runtime: Runtime, stop: asyncio.Event | None = None) -> None:
    """Work until `stop` is set, or until SIGTERM or SIGINT when none is given. Any number may run at the same time."""
    if stop is None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    jobs: dict[str, Job] = {
        "advance": lambda ids: advance.run(runtime, ids),
        "deliver": lambda ids: deliver.run(runtime, ids),
        "fetch": lambda ids: fetch.run(runtime, ids),
        "look": lambda ids: connection.look(runtime, ids),
        MEDIA: lambda ids: media.run(runtime, ids),
        PUBLISH: lambda ids: schedule.run(runtime, ids),
    }

    daily = Daily(runtime)

    async def due() -> list[Group]:
        await daily.look()
        work = await sweep.tick(runtime)
        groups = {
            "advance": work.advance, "deliver": work.deliver, "fetch": work.fetch, "look": work.look, MEDIA: work.media,
            PUBLISH: work.publish,
        }  # fmt: skip
        return [(job, ids) for job, found in groups.items() for ids in found]

    dispatcher = Dispatcher(due, jobs, runtime.queue, runtime.clock, slow=SLOW)
    log.info("worker started")
    async with asyncio.TaskGroup() as parts:
        parts.create_task(consume(jobs, runtime.settings.redis_url, runtime.clock, stop))
        await dispatcher.run(stop)
        await dispatcher.finish(STOP_S)
    log.info("worker stopped")


async def consume(jobs: Mapping[str, Job], redis_url: str, clock: Clock, stop: asyncio.Event) -> None:
    """Take jobs off the queue until `stop`; whenever Redis goes, wait for it to come back."""
    while not stop.is_set():
        consumer = Consumer(jobs, redis_url, slow=SLOW)
        running = asyncio.create_task(consumer.run())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            await consumer.stop(STOP_S)
        stopping.cancel()
        try:
            await running
        except Exception:
            log.exception("queue consumer failed")
        if not stop.is_set():
            await clock.sleep(REST)


async def main() -> None:
    """The whole process: settings from the environment, logs, and work until it is told to stop."""
    settings = from_environment(os.environ)
    logs.configure(settings.log)
    runtime = await open_runtime(settings)
    try:
        await run_worker(runtime)
    finally:
        await runtime.close()


if __name__ == "__main__":
    uvloop.run(main())
