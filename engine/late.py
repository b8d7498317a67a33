"""The ways out of a process, each made when it is first used: most processes never need them, and reading their
libraries takes longer than anything else in a start.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from engine.adapters.http import HttpAnswer, HttpRequest, Transport

__all__ = ["Carrier", "Hints", "LateHttp", "LateQueue"]


class Closable(Protocol):
    """Lets go of its connections."""

    async def close(self) -> None: ...


class Carrier(Transport, Closable, Protocol):
    """Outgoing HTTP that is closed in the end."""


class Hints(Closable, Protocol):
    """The queue: wakes workers up, best effort (R30)."""

    async def enqueue(self, job: str, *args: object) -> bool:
        """Whether the hint was taken."""

    async def ping(self) -> bool:
        """Whether it answers now."""


T = TypeVar("T", bound=Closable)


class _Late(Generic[T]):
    """Something that is made once, in the loop that first wants it; its module is read beside the loop."""

    def __init__(self, module: str, make: Callable[[Any], Awaitable[T]]) -> None:
        self._module, self._make = module, make
        self._made: asyncio.Future[T] | None = None

    async def get(self) -> T:
        if self._made is None:
            self._made = asyncio.ensure_future(self._making())
        return await asyncio.shield(self._made)

    async def close(self) -> None:
        if self._made is not None:
            await (await self._made).close()

    async def _making(self) -> T:
        return await self._make(await asyncio.to_thread(import_module, self._module))


class LateHttp:
    """Outgoing HTTP (`engine.adapters.http_client`)."""

    def __init__(self) -> None:
        self._late: _Late[Carrier] = _Late("engine.adapters.http_client", _http)

    async def request(self, request: HttpRequest) -> HttpAnswer:
        """Carry it once. Raises NotSent or AnswerLost."""
        return await (await self._late.get()).request(request)

    async def close(self) -> None:
        await self._late.close()


class LateQueue:
    """The queue in Redis (`engine.adapters.queue`)."""

    def __init__(self, redis_url: str) -> None:
        self._late: _Late[Hints] = _Late("engine.adapters.queue", lambda module: _queue(module, redis_url))

    async def enqueue(self, job: str, *args: object) -> bool:
        """Whether the hint was taken."""
        return await (await self._late.get()).enqueue(job, *args)

    async def ping(self) -> bool:
        """Whether it answers now."""
        return await (await self._late.get()).ping()

    async def close(self) -> None:
        await self._late.close()


async def _http(module: Any) -> Carrier:
    made: Carrier = module.Http()
    return made


async def _queue(module: Any, redis_url: str) -> Hints:
    made = module.Queue(redis_url)
    await made.connect()
    late: Hints = made
    return late
