"""The only module that knows arq. A queued job is a hint to look at rows that are due: losing one loses nothing.

Traps that shape it: a reused job id loses wake-ups (so ids are unique and no result is kept); a killed worker's job
returns after the longest job timeout + 10 s (so nothing waits for it); the default serializer runs code from Redis (so
msgpack); the worker ends when Redis drops (so its caller starts it again).
"""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, cast

import msgspec
from arq.connections import ArqRedis, RedisSettings
from arq.typing import WorkerCoroutine
from arq.worker import Function, Worker, func
from redis import exceptions as errors
from redis.asyncio import BlockingConnectionPool, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

NAME = "trilho:queue"
BLOCK_S = 0.3  # the longest that enqueue or ping holds its caller
PAUSE_S = 1.0  # after a failure the queue counts as away for so long, so that not every caller waits
JOB_TIMEOUT_S = 20
SLOW_JOB_TIMEOUT_S = 150
MAX_JOBS = 100
POLL_S = 0.05
CONNECTIONS = 20

Job = Callable[..., Awaitable[object]]


def _encode(value: object) -> bytes:
    """Msgpack; what it cannot hold (an exception that arq wants to store) goes as text."""
    return msgspec.msgpack.encode(value, enc_hook=repr)


_decode = msgspec.msgpack.decode


class Queue:
    """Hands hints to workers, as best it can: it never raises and never holds its caller longer than BLOCK_S."""

    def __init__(self, redis_url: str) -> None:
        self._url = redis_url
        self._redis: ArqRedis | None = None
        self._away_until = 0.0

    async def connect(self) -> None:
        """Make the pool in the running loop. Redis may be away: connections are made when they are needed."""
        pool: ConnectionPool = BlockingConnectionPool.from_url(
            self._url,
            max_connections=CONNECTIONS,
            timeout=BLOCK_S,
            socket_timeout=BLOCK_S,
            **({} if self._url.startswith("unix:") else {"socket_connect_timeout": BLOCK_S}),
        )
        self._redis = ArqRedis(pool, job_serializer=_encode, job_deserializer=_decode, default_queue_name=NAME)

    async def close(self) -> None:
        if self._redis is not None:
            await self._redis.aclose(close_connection_pool=True)
            self._redis = None

    async def enqueue(self, job: str, *args: object) -> bool:
        """Whether Redis took the hint. False: do the work here, or leave it to the next sweep."""
        return await self._try(lambda redis: redis.enqueue_job(job, *args)) is not None

    async def ping(self) -> bool:
        """Whether Redis answers now, for /readyz; asks even while the queue counts as away."""
        return bool(await self._try(lambda redis: redis.ping(), always=True))

    async def _try(self, call: Callable[[ArqRedis], Awaitable[Any]], *, always: bool = False) -> Any:
        loop = asyncio.get_running_loop()
        if self._redis is None or (not always and loop.time() < self._away_until):
            return None
        try:
            async with asyncio.timeout(BLOCK_S):
                answer = await call(self._redis)
        except (OSError, errors.RedisError):
            self._away_until = loop.time() + PAUSE_S
            return None
        self._away_until = 0.0
        return answer


class Consumer:
    """Takes hints off the queue and runs their jobs (name -> coroutine function, called with enqueue's arguments)."""

    def __init__(self, jobs: Mapping[str, Job], redis_url: str, slow: Collection[str] = ()) -> None:
        """`slow` names jobs that may take SLOW_JOB_TIMEOUT_S."""
        settings = RedisSettings.from_dsn(redis_url)
        settings.conn_retries = 0
        settings.retry = Retry(ExponentialBackoff(cap=0.5, base=0.05), 5)  # under two seconds in all
        settings.retry_on_error = [errors.ConnectionError, errors.TimeoutError, errors.BusyLoadingError, OSError]
        logging.getLogger("arq").setLevel(logging.WARNING)  # else two lines a job
        self._stopping = False
        self._worker = Worker(
            functions=[_function(name, job, slow=name in slow) for name, job in jobs.items()],
            queue_name=NAME,
            redis_settings=settings,
            handle_signals=False,
            max_jobs=MAX_JOBS,
            poll_delay=POLL_S,
            job_timeout=JOB_TIMEOUT_S,
            keep_result=0,
            max_tries=2,
            health_check_interval=60,
            job_serializer=_encode,
            job_deserializer=_decode,
            log_results=False,
        )

    async def run(self) -> bool:
        """Run until `stop` (True), or until Redis is away for about two seconds (False).

        Then the jobs that had begun are done: a new Consumer may be made at once. One Consumer runs once.
        """
        try:
            await self._worker.async_run()
        except asyncio.CancelledError:
            if not self._stopping:
                await self._let_go()
                raise
        except (OSError, errors.RedisError):
            await self._wait(JOB_TIMEOUT_S)
            await self._let_go()
        return self._stopping

    async def stop(self, timeout_s: float) -> None:
        """Take no more, let what runs finish for `timeout_s`, give the rest back to the queue, let go of Redis."""
        self._stopping = True
        self._worker.allow_pick_jobs = False
        await self._wait(timeout_s)
        await self._let_go()

    async def _wait(self, timeout_s: float) -> None:
        running = [task for task in self._worker.tasks.values() if not task.done()]
        if running:
            await asyncio.wait(running, timeout=timeout_s)

    async def _let_go(self) -> None:
        """Cancel what still runs. With Redis away it learns of nothing, and its keys expire.

        The library's own `close` is deprecated inside and leaves connections open when Redis is away.
        """
        pool = self._worker._pool  # noqa: SLF001 - its public name raises before the first connection
        self._worker.handle_sig(signal.SIGTERM)  # cancels; the signal is only a word in its log
        await asyncio.gather(*self._worker.tasks.values(), return_exceptions=True)
        if pool is not None:
            await pool.aclose(close_connection_pool=True)


def _function(name: str, job: Job, *, slow: bool) -> Function:
    return func(_adapted(job), name=name, timeout=SLOW_JOB_TIMEOUT_S if slow else JOB_TIMEOUT_S)


def _adapted(job: Job) -> WorkerCoroutine:
    """The library hands its context to every job first; ours carry what they need."""

    async def call(ctx: dict[Any, Any], *args: Any, **kwargs: Any) -> None:  # noqa: ARG001 - its protocol's names
        await job(*args, **kwargs)

    return cast("WorkerCoroutine", call)
