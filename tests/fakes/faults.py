"""Injected failures of a fake server, and the server itself: one loopback port, started and stopped with the fake."""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

import aiohttp
from aiohttp import web

FaultKind = Literal[
    "error",  # refused: `status` with `body`
    "hang_before",  # nothing is accepted, no answer ever comes
    "hang_after",  # accepted, no answer ever comes
    "reset_before",
    "reset_after",
    "html",  # not accepted, 200 with a page of some proxy
    "cut_after",  # accepted, 200 with half of the JSON
    "empty_after",  # accepted, 200 without an id
    "slow",  # accepted and answered after `delay_ms`
]


@dataclass(frozen=True)
class Fault:
    kind: FaultKind
    status: int = 500
    body: Mapping[str, object] | None = None
    delay_ms: int = 0

    @property
    def accepts(self) -> bool:
        return self.kind.endswith("_after") or self.kind == "slow"


class FakeServer:
    """What both fakes share. Subclasses set `routes` in `_routes` and answer through `_answered`."""

    def __init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []
        self._faults: deque[Fault] = deque()
        self._stopping = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._client: aiohttp.ClientSession | None = None
        self.base_url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=4 * 1024 * 1024)
        app.add_routes(self._routes())
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        self._client = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        assert self._runner is not None and self._client is not None
        await self._client.close()
        await self._runner.cleanup()

    def _routes(self) -> list[web.RouteDef]:
        raise NotImplementedError

    def fail_next(
        self,
        kind: FaultKind,
        *,
        times: int = 1,
        status: int = 500,
        body: Mapping[str, object] | None = None,
        delay_ms: int = 0,
    ) -> None:
        """The next `times` calls end like this."""
        self._faults.extend([Fault(kind, status, body, delay_ms)] * times)

    @property
    def will_hang(self) -> bool:
        """Whether a call to come will never be answered."""
        return any(fault.kind.startswith("hang") for fault in self._faults)

    def _next_fault(self) -> Fault | None:
        return self._faults.popleft() if self._faults else None

    async def _answered(
        self, request: web.Request, fault: Fault | None, status: int, body: Mapping[str, object]
    ) -> web.StreamResponse:
        """The good answer `status`/`body`, or what the fault makes of it."""
        if fault is None:
            return web.json_response(body, status=status)
        if fault.kind.startswith("hang"):
            await self._stopping.wait()
        if fault.kind.startswith(("hang", "reset")):
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        if fault.kind == "error":
            if fault.body is None:
                return web.Response(text="<html>Bad gateway</html>", content_type="text/html", status=fault.status)
            return web.json_response(fault.body, status=fault.status)
        if fault.kind == "html":
            return web.Response(text="<html>It works!</html>", content_type="text/html")
        if fault.kind == "cut_after":
            text = web.json_response(body).text or ""
            return web.Response(text=text[: len(text) // 2], content_type="application/json", status=status)
        if fault.kind == "empty_after":
            return web.json_response({}, status=status)
        await asyncio.sleep(fault.delay_ms / 1000)
        return web.json_response(body, status=status)

    async def _post(self, url: str, raw: bytes, headers: Mapping[str, str]) -> int:
        """Deliver a webhook; the status of the answer."""
        assert self._client is not None
        async with self._client.post(url, data=raw, headers={"Content-Type": "application/json", **headers}) as answer:
            await answer.read()
            return answer.status
