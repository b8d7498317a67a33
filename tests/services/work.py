"""What a worker does, without its waiting."""

from engine.runtime import Runtime
from engine.services import advance, connection, deliver, fetch, media, schedule, sweep

ROUNDS = 60


async def settle(runtime: Runtime) -> None:
    """Do everything that is due now, files first. Fails when something stays due for ever."""
    for _ in range(ROUNDS):
        work = await sweep.tick(runtime)
        if not work:
            return
        for job, groups in (
            (media, work.media), (advance, work.advance), (deliver, work.deliver), (fetch, work.fetch),
        ):  # fmt: skip
            for group in groups:
                await job.run(runtime, group)
        for group in work.look:
            await connection.look(runtime, group)
        for group in work.publish:
            await schedule.run(runtime, group)
    raise AssertionError("something stays due for ever")
