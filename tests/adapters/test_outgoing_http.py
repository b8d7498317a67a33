"""The one door for outgoing HTTP: what certainly never left, and what nobody knows (S19) (SEC-S19)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import web

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.core.errors import AnswerLost, NotSent

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    async with Http(connect_timeout=150) as client:
        yield client


async def call(http: Http, url: str, *, limit: int = 2_000, **more: object) -> HttpAnswer:
    return await http.request(HttpRequest(method="POST", url=url, trusted=True, timeout=limit, **more))  # type: ignore[arg-type] # a test's shorthand


async def raw_server(handler: Handler) -> tuple[asyncio.Server, str]:
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    return server, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


def answering(answer: bytes) -> Handler:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    return handle


async def test_a_json_body_arrives_and_the_answer_comes_back(http: Http) -> None:
    seen: list[tuple[str, str, object]] = []

    async def echo(request: web.Request) -> web.Response:
        seen.append((request.method, request.headers["Content-Type"], await request.json()))
        return web.json_response({"ok": True}, status=201, headers={"X-One": "1"})

    app = web.Application()
    app.router.add_post("/a", echo)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    answer = await call(http, f"http://127.0.0.1:{runner.addresses[0][1]}/a", json={"texto": "ção"})
    await runner.cleanup()
    assert seen == [("POST", "application/json", {"texto": "ção"})]
    assert (answer.status, answer.body, answer.headers["x-one"]) == (201, b'{"ok": true}', "1")


async def test_a_redirect_is_an_answer_and_is_not_followed(http: Http) -> None:
    redirect = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    server, place = await raw_server(answering(redirect))
    async with server:
        assert (await call(http, f"http://{place}/")).status == 302


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:1/", "http://nome-que-nao-existe.invalid/", "ftp://127.0.0.1/", "not an address", "http:///x",
     "http://127.0.0.1:99999/", ""],
)  # fmt: skip
async def test_what_never_reached_a_server_is_certainly_not_sent(http: Http, url: str) -> None:
    with pytest.raises(NotSent):
        await call(http, url)


async def test_a_server_that_speaks_no_tls_got_nothing(http: Http) -> None:
    server, place = await raw_server(answering(b"HTTP/1.1 200 OK\r\n\r\n"))
    async with server:
        with pytest.raises(NotSent):
            await call(http, f"https://{place}/")


async def test_a_handshake_that_never_ends_is_given_up_before_anything_was_written(http: Http) -> None:
    stop = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await stop.wait()
        writer.close()

    server, place = await raw_server(silent)
    async with server:
        with pytest.raises(NotSent):
            await call(http, f"https://{place}/")
        stop.set()


async def test_a_header_that_could_smuggle_another_is_not_sent(http: Http) -> None:
    with pytest.raises(NotSent):
        await call(http, "http://127.0.0.1:1/", headers={"apikey": "a\r\nHost: evil.test"})


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + b"x" * 2_000_000,
    ],
    ids=["closed", "cut", "bad chunk", "no http", "bad gzip", "over the cap"],
)
async def test_an_answer_that_cannot_be_read_whole_is_lost(http: Http, answer: bytes) -> None:
    server, place = await raw_server(answering(answer))
    async with server:
        with pytest.raises(AnswerLost):
            await call(http, f"http://{place}/")


async def test_an_answer_that_comes_too_late_is_lost(http: Http) -> None:
    stop = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await stop.wait()
        writer.close()

    server, place = await raw_server(silent)
    async with server:
        with pytest.raises(AnswerLost):
            await call(http, f"http://{place}/", limit=100)
        stop.set()


async def test_no_proxy_of_the_environment_is_used(http: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server, place = await raw_server(answering(b"HTTP/1.1 204 No Content\r\n\r\n"))
    async with server:
        assert (await call(http, f"http://{place}/")).status == 204


async def test_an_address_that_no_admin_wrote_must_be_public(http: Http) -> None:
    """The flag decides: the same loopback address is fine in a channel's settings and refused in a flow."""
    server, place = await raw_server(answering(b"HTTP/1.1 204 No Content\r\n\r\n"))
    async with server:
        with pytest.raises(NotSent):
            await http.request(HttpRequest(method="POST", url=f"http://{place}/"))
        with pytest.raises(NotSent):
            await http.request(HttpRequest(method="POST", url=f"https://{place}/"))
        with pytest.raises(NotSent):
            await http.request(HttpRequest(method="POST", url="https://localhost/"))


async def test_a_request_shows_neither_headers_nor_secrets_when_printed() -> None:
    request = HttpRequest(method="POST", url="http://a.test/", headers={"apikey": "CANARIO"})
    assert "CANARIO" not in repr(request)
