"""The one door for outgoing HTTP: one attempt, short limits, no redirects, and honest about what is not known."""

from types import TracebackType
from typing import Self

import aiohttp
import msgspec

from engine.adapters.addresses import check_public
from engine.adapters.http import CONNECT_TIMEOUT, HttpAnswer, HttpRequest
from engine.adapters.resolver import PublicResolver
from engine.core.errors import AnswerLost, AnswerTooLarge, NotSent
from engine.core.flow import SECOND, Millis

_IDLE_SECONDS = 10
"""Connections are dropped before servers drop them: a call lost on a dead one would count as an unknown outcome."""

_BEFORE_WRITING = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
    aiohttp.NonHttpUrlClientError,
)


class Http:
    """HTTP over real sockets. Use it inside one event loop and close it there."""

    def __init__(self, connect_timeout: Millis = CONNECT_TIMEOUT) -> None:
        self._connect_timeout = connect_timeout
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            await session.close()

    async def request(self, request: HttpRequest) -> HttpAnswer:
        """Carry it once; a redirect is an answer like any other.

        NotSent: the address is not allowed, or name lookup, connection or TLS failed, so nothing was written.
        AnswerLost: no complete answer within the time limit; AnswerTooLarge: one over the request's `max_answer`.
        """
        if not request.trusted:
            check_public(request.url)
        if any(not value.isprintable() for pair in request.headers.items() for value in pair):
            raise NotSent("a header holds a control character")
        try:
            return await self._carry(request)
        except _BEFORE_WRITING as error:
            raise NotSent(type(error).__name__) from error
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise AnswerLost(type(error).__name__) from error

    async def _carry(self, request: HttpRequest) -> HttpAnswer:
        body, headers = request.body, dict(request.headers)
        if request.json is not None:
            body = msgspec.json.encode(request.json)
            headers.setdefault("Content-Type", "application/json")
        timeout = aiohttp.ClientTimeout(
            total=request.timeout / SECOND,
            connect=self._connect_timeout / SECOND,
            sock_connect=self._connect_timeout / SECOND,
        )
        async with self._session(trusted=request.trusted).request(
            request.method, request.url, headers=headers, data=body, timeout=timeout, allow_redirects=False
        ) as answer:
            content = await _read(answer, request.max_answer)
            return HttpAnswer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, content)

    def _session(self, *, trusted: bool) -> aiohttp.ClientSession:
        if trusted not in self._sessions:
            resolver = None if trusted else PublicResolver()
            connector = aiohttp.TCPConnector(resolver=resolver, keepalive_timeout=_IDLE_SECONDS, use_dns_cache=trusted)
            self._sessions[trusted] = aiohttp.ClientSession(
                connector=connector, trust_env=False, auto_decompress=True, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._sessions[trusted]


async def _read(answer: aiohttp.ClientResponse, limit: int) -> bytes:
    pieces = bytearray()
    async for piece in answer.content.iter_chunked(64 * 1024):
        pieces += piece
        if len(pieces) > limit:
            answer.close()
            raise AnswerTooLarge(f"the answer is over {limit} bytes")
    return bytes(pieces)
