"""A replay goes on in the background of the process that was asked for it; how far it is, every process can tell (R62).

It ends with its process: whoever asks then is told that it stopped, and begins another.
"""

import asyncio
from collections.abc import Collection, Mapping

import structlog

from engine.core.errors import NotFound, StoreUnavailable
from engine.core.flow import SECOND, Flow
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.edit import opened
from engine.services.replay import WEEK, replayed
from engine.store import replays
from engine.store.connection import Tx
from engine.store.replays import Job

__all__ = ["SILENT", "Job", "begin", "job", "people"]

SILENT = 30 * SECOND
"""A replay of which nothing was heard for longer has died with its process."""
_going: dict[str, "asyncio.Task[None]"] = {}
"""So that the event loop does not forget them."""

log = structlog.get_logger()


async def begin(runtime: Runtime, slug: str, author: Actor) -> str:
    """Have last week's conversations decided again by the draft; returns the job's id, one that goes on if there is one."""
    flow, now = (await opened(runtime, slug)).flow, runtime.clock.now()
    fresh = runtime.ids.hex(8)

    def unit(tx: Tx) -> str:
        there = replays.going(tx, slug, flow.sha256, now - SILENT)
        if there is None:
            replays.begin(tx, fresh, slug, flow.sha256, author.who, now)
        return there or fresh

    job_id = await runtime.store.write(slug, unit)
    if job_id == fresh:
        task = _going[job_id] = asyncio.create_task(_run(runtime, job_id, slug, flow))
        task.add_done_callback(lambda _: _going.pop(job_id, None))
    return job_id


async def job(runtime: Runtime, slug: str, job_id: str) -> tuple[Job, bool]:
    """A replay, and whether it has stopped before its end. Raises NotFound for one of another flow, or forgotten."""
    found = await runtime.store.read(lambda tx: replays.get(tx, job_id))
    if found is None or found.slug != slug:
        raise NotFound("replay", job_id)
    silent = found.status == replays.GOING and runtime.clock.now() - found.told_at > SILENT
    return found, silent or found.status == replays.FAILED


async def people(runtime: Runtime, ids: Collection[int]) -> dict[int, tuple[str | None, str | None]]:
    """Name and phone of whom conversations are with."""
    return await runtime.store.read(lambda tx: replays.people(tx, sorted(ids)))


async def _run(runtime: Runtime, job_id: str, slug: str, flow: Flow) -> None:
    async def told(done: int, total: int) -> None:
        now = runtime.clock.now()
        await runtime.store.write(job_id, lambda tx: replays.tell(tx, job_id, done, total, now))

    async def ended(status: str, result: Mapping[str, object]) -> None:
        now = runtime.clock.now()
        await runtime.store.write(job_id, lambda tx: replays.end(tx, job_id, status, result, now))

    try:
        found = await replayed(runtime, slug, flow, runtime.clock.now() - WEEK, told)
        await ended(replays.DONE, found.as_json())
    except StoreUnavailable:
        return  # nothing can be written down either: its silence tells it
    except Exception as error:
        log.exception("replay failed", job=job_id)
        await ended(replays.FAILED, {"error": type(error).__name__})
