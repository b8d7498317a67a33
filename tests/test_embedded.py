"""`trilho run` as a process: starts from nothing, says where, heals, stops cleanly, leaves nobody behind.

Small programs stand in for the web server and the worker; the queue is the real one.
"""

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from engine.adapters import valkey
from engine.listening import answered

WEB = """
import http.server, os, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(str(os.getpid()).encode())
    def log_message(self, *_): pass
print("web is up", flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
"""
WORKER = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print("worker has finished", flush=True), sys.exit(0)))
open(os.path.join(os.environ["TRILHO_DATA_DIR"], "written"), "w").close()
print("worker is up with", os.environ["TRILHO_REDIS_URL"], os.environ["TRILHO_BASE_URL"], flush=True)
while True: signal.pause()
"""
PREPARE = "import json; print(json.dumps({'link': 'http://localhost/invitations/abc'}))"
RUN = """
import os, sys
from engine.embedded import Commands, run
from engine.settings import from_environment
port, prepare, web, worker = sys.argv[1:]
python = [sys.executable, "-c"]
commands = Commands([*python, prepare], [*python, web, port], [*python, worker])
sys.exit(run(from_environment(os.environ), "127.0.0.1", int(port), commands))
"""


class Installation:
    """One `trilho run` and what it has said so far."""

    def __init__(self, process: Process, port: int, data_dir: Path) -> None:
        self.process, self.port, self.data_dir = process, port, data_dir
        self.said = ""

    async def until(self, words: str) -> str:
        """The line with these words; reads on until it came."""
        assert self.process.stdout is not None
        for line in self.said.splitlines():
            if words in line:
                return line
        async with asyncio.timeout(30):
            while line := (await self.process.stdout.readline()).decode():
                self.said += line
                if words in line:
                    return line
        pytest.fail(f"ended without saying {words!r}:\n{self.said}")

    async def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        async with asyncio.timeout(15):
            rest, _ = await self.process.communicate()
        self.said += rest.decode()
        code = self.process.returncode
        assert code is not None
        return code

    async def web_process(self) -> int:
        """The process id of the web server, which is all that it answers."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        answer = await reader.read()
        writer.close()
        return int(answer.split(b"\r\n\r\n")[1])


Launch = Callable[..., Awaitable[Installation]]


@pytest_asyncio.fixture
async def launch(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Launch]:
    started: list[Installation] = []

    async def launched(
        prepare: str = PREPARE, data_dir: Path | None = None, port: int | None = None, **environ: str
    ) -> Installation:
        data_dir = data_dir or tmp_path_factory.mktemp("d") / "data"
        port = port or _free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TRILHO_")}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", RUN, str(port), prepare, WEB, WORKER),
            env={**clean, "TRILHO_DATA_DIR": str(data_dir), **environ},
            stdout=PIPE,
            stderr=PIPE,
        )
        started.append(Installation(process, port, data_dir))
        return started[-1]

    yield launched
    for installation in started:
        if installation.process.returncode is None:
            installation.process.kill()
        await installation.process.communicate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _until(true: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again: another process has nothing to wait on."""
    async with asyncio.timeout(15):
        while not await true():
            await asyncio.wait({asyncio.create_task(asyncio.Event().wait())}, timeout=0.02)


async def test_it_says_the_address_and_the_one_time_link_and_ctrl_c_stops_everything_cleanly(launch: Launch) -> None:
    trilho = await launch()

    assert f"http://127.0.0.1:{trilho.port}" in await trilho.until("Trilho runs at")
    assert "http://localhost/invitations/abc" in await trilho.until("works once")
    assert valkey.ping(trilho.data_dir / "valkey.sock")
    assert stat.S_IMODE(trilho.data_dir.stat().st_mode) == 0o700
    await trilho.until("worker is up")
    assert trilho.said.index("web is up") < trilho.said.index("worker is up")  # it would slow the first answer

    assert await trilho.stop() == 0
    assert "worker | worker has finished" in trilho.said
    assert not await answered("127.0.0.1", trilho.port)
    assert not valkey.ping(trilho.data_dir / "valkey.sock")


async def test_sigterm_stops_it_as_ctrl_c_does_and_it_starts_again_in_the_same_folder(launch: Launch) -> None:
    trilho = await launch()
    await trilho.until("Trilho runs at")
    assert await trilho.stop(signal.SIGTERM) == 0

    again = await launch(data_dir=trilho.data_dir)
    await again.until("Trilho runs at")
    assert await again.stop(signal.SIGTERM) == 0


async def test_the_parts_are_told_the_same_settings(launch: Launch) -> None:
    trilho = await launch()

    line = await trilho.until("worker is up with")

    assert line.split()[-2:] == [f"unix://{trilho.data_dir}/valkey.sock", f"http://127.0.0.1:{trilho.port}"]


async def test_what_the_parts_write_is_for_their_owner_alone(launch: Launch) -> None:
    trilho = await launch()
    await trilho.until("worker is up with")

    assert stat.S_IMODE((trilho.data_dir / "written").stat().st_mode) == 0o600
    assert stat.S_IMODE((trilho.data_dir / "valkey" / "valkey.log").stat().st_mode) == 0o600


async def test_a_part_that_dies_is_started_again(launch: Launch) -> None:
    trilho = await launch()
    await trilho.until("Trilho runs at")
    first = await trilho.web_process()

    os.kill(first, signal.SIGKILL)
    await trilho.until("ended (SIGKILL), starting again")
    await _until(lambda: answered("127.0.0.1", trilho.port))

    assert await trilho.web_process() != first
    assert await trilho.stop() == 0


async def test_nobody_outlives_a_killed_supervisor(launch: Launch) -> None:
    trilho = await launch()
    await trilho.until("Trilho runs at")

    trilho.process.kill()

    async def gone() -> bool:
        return not await answered("127.0.0.1", trilho.port) and not valkey.ping(trilho.data_dir / "valkey.sock")

    await _until(gone)


async def test_a_port_in_use_is_one_clear_sentence_and_exit_code_2(launch: Launch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        trilho = await launch(port=port)
        said, complaint = await trilho.process.communicate()

    assert trilho.process.returncode == 2
    assert said == b""
    assert complaint.decode() == (
        f"Port {port} of 127.0.0.1 is in use: stop what uses it, or choose another with --port.\n"
    )


async def test_a_second_run_in_the_same_folder_is_refused(launch: Launch) -> None:
    first = await launch()
    await first.until("Trilho runs at")

    second = await launch(data_dir=first.data_dir)
    _, complaint = await second.process.communicate()

    assert second.process.returncode == 2
    assert complaint.decode() == f"Another `trilho run` uses the data folder {first.data_dir}.\n"


async def test_a_data_folder_that_cannot_be_made_is_one_sentence(launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    trilho = await launch(data_dir=tmp_path / "file" / "data")
    _, complaint = await trilho.process.communicate()

    assert trilho.process.returncode == 2
    assert complaint.decode().count("\n") == 1
    assert "cannot be used" in complaint.decode()


async def test_a_failed_preparation_is_told_and_nothing_stays_behind(launch: Launch) -> None:
    trilho = await launch(prepare="import sys; print('The key is another one.', file=sys.stderr); sys.exit(2)")
    _, complaint = await trilho.process.communicate()

    assert trilho.process.returncode == 2
    assert complaint.decode() == "The key is another one.\n"
    assert not valkey.ping(trilho.data_dir / "valkey.sock")


async def test_a_stop_during_the_preparation_is_clean(launch: Launch) -> None:
    trilho = await launch(prepare="import pathlib, os, signal; print(flush=True); signal.pause()")

    async def queue_is_up() -> bool:
        return valkey.ping(trilho.data_dir / "valkey.sock")

    await _until(queue_is_up)
    assert await trilho.stop() == 0


async def test_with_json_logs_every_line_is_a_document(launch: Launch) -> None:
    trilho = await launch(TRILHO_LOG="json")
    await trilho.until("Trilho runs at")
    assert await trilho.stop() == 0

    lines = [json.loads(line) for line in trilho.said.splitlines()]
    assert {"part": "web", "event": "web is up"} in lines


async def test_another_queue_is_used_when_one_is_named(launch: Launch, tmp_path: Path) -> None:
    trilho = await launch(TRILHO_REDIS_URL=f"unix://{tmp_path}/other.sock")

    line = await trilho.until("worker is up with")
    await trilho.until("Trilho runs at")

    assert line.split()[-2] == f"unix://{tmp_path}/other.sock"
    assert not (trilho.data_dir / "valkey.sock").exists()


async def test_a_data_folder_with_a_long_name_works_and_leaves_no_socket_behind(launch: Launch, tmp_path: Path) -> None:
    trilho = await launch(data_dir=tmp_path / ("x" * 120))
    line = await trilho.until("worker is up with")
    await trilho.until("Trilho runs at")
    folder = Path(line.split()[-2].removeprefix("unix://")).parent
    assert folder.exists()

    assert await trilho.stop() == 0
    assert not folder.exists()
