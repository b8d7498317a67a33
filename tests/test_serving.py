"""The web application inside its server: it answers, and no server process outlives the one that holds the port."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable
from pathlib import Path

from engine import serving
from engine.listening import answered, refusal, visible


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while not await true():
            await asyncio.wait({asyncio.create_task(asyncio.Event().wait())}, timeout=0.05)


async def test_the_application_answers_and_a_killed_server_leaves_the_port_free(tmp_path: Path) -> None:
    port = _free_port()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRILHO_")}
    server = await asyncio.create_subprocess_exec(
        *serving.command("127.0.0.1", port), env={**clean, "TRILHO_DATA_DIR": str(tmp_path / "data")}, stdout=DEVNULL
    )
    await _until(lambda: answered("127.0.0.1", port))

    server.send_signal(signal.SIGKILL)
    await server.wait()

    async def free() -> bool:
        return refusal("127.0.0.1", port) is None

    await _until(free)


def test_the_server_is_told_where_to_listen_and_how_many_processes() -> None:
    command = serving.command("::1", 9000, workers=3)

    assert command[:3] == [sys.executable, "-m", "granian"]
    for name, value in {"--host": "::1", "--port": "9000", "--workers": "3", "--workers-kill-timeout": "3"}.items():
        assert command[command.index(name) + 1] == value


def test_a_connection_that_says_nothing_ends_by_itself() -> None:
    """SEC-S4: the limit holds for HTTP/1 alone, so the server must not guess the version first."""
    command = serving.command("::1", 9000)

    assert command[command.index("--http") + 1] == "1"
    assert int(command[command.index("--http1-header-read-timeout") + 1]) <= 30_000


def test_a_host_is_called_by_a_name_that_a_browser_takes() -> None:
    assert visible("127.0.0.1") == "127.0.0.1"
    assert visible("0.0.0.0") == "localhost"
    assert visible("::") == "localhost"
    assert visible("::1") == "[::1]"


def test_a_place_where_nobody_can_listen_is_one_sentence() -> None:
    assert refusal("127.0.0.1", _free_port()) is None
    assert refusal("127.0.0.1", 0) == "Port 0 is not between 1 and 65535."
    assert refusal("127.0.0.1", 70_000) == "Port 70000 is not between 1 and 65535."
    assert "cannot listen on 203.0.113.1" in (refusal("203.0.113.1", 8000) or "")
    assert "cannot listen on no such host" in (refusal("no such host", 8000) or "")
