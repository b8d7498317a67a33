"""The real application on a port of this machine, in this process: browser tests reach it and its services alike."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass

from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp, Receive, Scope, Send

from engine.runtime import Runtime
from web.app import create_app


@dataclass(frozen=True)
class Site:
    """Where it answers and what it runs on."""

    url: str
    runtime: Runtime
    app: Litestar


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


_idle: list[Litestar] = []
"""Applications that no block uses now: registering the routes takes longer than serving them to most tests."""


@contextlib.asynccontextmanager
async def serving(runtime: Runtime) -> AsyncIterator[Site]:
    """Answers from here on; ends with the block. The runtime stays open."""
    app, port = _idle.pop() if _idle else create_app(runtime=runtime), free_port()
    app.state = State({"runtime": runtime})
    server = Server(_started(app), address="127.0.0.1", port=port, interface=Interfaces.ASGI, log_enabled=False)
    running = asyncio.create_task(server.serve())
    await _answers(port)
    try:
        yield Site(f"http://127.0.0.1:{port}", runtime, app)
    finally:
        server.stop()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        _idle.append(app)


def _started(app: Litestar) -> ASGIApp:
    """The application, whose own start would open a runtime: it has one."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        else:
            await app(scope, receive, send)

    return answer


async def _answers(port: int) -> None:
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 0.05)
