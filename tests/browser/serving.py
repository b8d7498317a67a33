"""The real application on a port of this machine, in this process: browser tests reach it and its services alike."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass

from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar

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


@contextlib.asynccontextmanager
async def serving(runtime: Runtime) -> AsyncIterator[Site]:
    """Answers from here on; ends with the block."""
    app, port = create_app(runtime=runtime), free_port()
    server = Server(app, address="127.0.0.1", port=port, interface=Interfaces.ASGI, log_enabled=False)
    running = asyncio.create_task(server.serve())
    await _answers(port)
    try:
        yield Site(f"http://127.0.0.1:{port}", runtime, app)
    finally:
        server.stop()
        with contextlib.suppress(asyncio.CancelledError):
            await running


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
