"""Bodies that drip or break off: they hold no connection for ever and are no defect of ours (SEC-S4)."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from structlog.testing import capture_logs

PATHS = ("/hooks/wa/x", "/hooks/pay/x", "/login", "/preferences")


async def answered(app, path: str, receive: Callable[[], Awaitable[dict]], method: str = "POST") -> int:
    """The status of a request whose body comes from `receive`."""
    seen: list[int] = []

    async def send(message):
        if message["type"] == "http.response.start":
            seen.append(message["status"])

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http", "state": {},
        "headers": [(b"host", b"trilho.test"), (b"content-type", b"application/x-www-form-urlencoded")],
        "client": ("203.0.113.9", 1), "server": ("trilho.test", 80),
    }  # fmt: skip
    await app(scope, receive, send)
    return seen[0]


def dripping() -> Callable[[], Awaitable[dict]]:
    """A byte, and then nothing any more."""
    sent: list[int] = []

    async def receive():
        if sent:
            await asyncio.Event().wait()
        sent.append(1)
        return {"type": "http.request", "body": b"{", "more_body": True}

    return receive


@pytest.mark.parametrize("path", PATHS)
async def test_sec_s4_a_body_that_never_ends_is_408_after_a_while(app, monkeypatch, path):
    monkeypatch.setattr("web.patience.BODY_S", 0.05)

    assert await answered(app, path, dripping()) == 408


@pytest.mark.parametrize("path", PATHS)
async def test_a_sender_that_goes_away_in_the_middle_is_no_defect_and_fills_no_log(app, path):
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive():
        return messages.pop(0)

    with capture_logs() as logged:
        assert await answered(app, path, receive) == 400
    assert logged == []


async def test_a_page_waits_for_no_body(app, monkeypatch):
    monkeypatch.setattr("web.patience.BODY_S", 0.05)

    async def receive():
        raise AssertionError("nothing is to be read")

    assert await answered(app, "/login", receive, "GET") == 200
