"""How long a body may take to arrive: senders that drip it would hold every connection there is (SEC-S4)."""

import asyncio
from http import HTTPStatus

from litestar.enums import ScopeType
from litestar.exceptions import ClientException, HTTPException
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send, WebSocketReceiveMessage

from web.csrf import SAFE_METHODS

__all__ = ["BODY_S", "patient"]

BODY_S = 20.0
"""Seconds for a whole body, however large. Platforms send theirs at once; the largest has 4 MB."""


def patient(app: ASGIApp) -> ASGIApp:
    """The application, with a limit on how long it waits for the body of each request (408 after it)."""

    async def within(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] in SAFE_METHODS:
            await app(scope, receive, send)  # a page asks for no body, and a stream of news waits on purpose
            return
        loop = asyncio.get_running_loop()
        until, whole = loop.time() + BODY_S, False

        async def receive_in_time() -> HTTPReceiveMessage | WebSocketReceiveMessage:
            nonlocal whole
            if whole:  # what comes now is the news that the client has gone, which may take for ever
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(
                    "the body did not arrive in time",
                    status_code=HTTPStatus.REQUEST_TIMEOUT,
                    headers={"Connection": "close"},
                ) from None
            if message["type"] != "http.request":
                # Nobody is there to hear it; the framework would call it a defect of ours and log it as one.
                raise ClientException("the sender went away")
            whole = not message.get("more_body", False)
            return message

        await app(scope, receive_in_time, send)

    return within
