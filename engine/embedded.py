"""`trilho run`: queue, web server and worker on one machine, from nothing; supervised here and stopped together.

This process stays small: it imports neither the services nor the web, everything heavy happens in its children.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine import listening, serving
from engine.adapters import valkey
from engine.adapters.filelocks import hold
from engine.adapters.processes import tied
from engine.settings import LogFormat, Settings, as_environment
from engine.supervision import Part, Start

READY_S = 60.0
"""Seconds until the first answer of the web server; then the start has failed."""
ASK_S = 0.1
STOP_S = 6.0
"""A stopping worker lets its jobs finish for five seconds."""
PREPARE = (sys.executable, "-m", "engine.preparing")
WORK = (sys.executable, "-m", "engine.worker")
PRIVATE = 0o077
"""What the parts write holds people's names and words: nobody else on the machine reads it."""
ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Commands:
    """What is started; tests put small programs in their place."""

    prepare: Sequence[str]
    web: Sequence[str]
    worker: Sequence[str]


def run(settings: Settings, host: str, port: int, commands: Commands | None = None) -> int:
    """Run everything until Ctrl-C or SIGTERM (exit code 0); 2 and one sentence when it cannot start like this."""
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = hold(settings.data_dir / "run.lock")
    except OSError as error:
        return _refuse(f"The data folder {settings.data_dir} cannot be used: {error.strerror or error}.")
    try:
        if lock is None:
            return _refuse(f"Another `trilho run` uses the data folder {settings.data_dir}.")
        chosen = commands or Commands(PREPARE, serving.command(host, port), WORK)
        if refusal := listening.refusal(host, port):
            return _refuse(refusal)
        return asyncio.run(_Installation(settings, host, port, chosen).run())
    finally:
        if lock is not None:
            os.close(lock)


class _Installation:
    """The parts of one `trilho run`, from its start to its end."""

    def __init__(self, settings: Settings, host: str, port: int, commands: Commands) -> None:
        own_queue = settings.redis_url == f"unix://{settings.data_dir / 'valkey.sock'}"
        self._socket = valkey.socket_for(settings.data_dir) if own_queue else None
        self._address = f"http://{listening.visible(host)}:{port}"
        self._settings = replace(
            settings,
            base_url=settings.base_url or self._address,
            redis_url=f"unix://{self._socket}" if self._socket else settings.redis_url,
        )
        self._host, self._port, self._commands = host, port, commands
        self._say = Voice(settings.log)
        self._stop = asyncio.Event()
        self._running: list[tuple[Part, asyncio.Task[None]]] = []

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._asked_to_stop)
        work = asyncio.create_task(self._start())
        stopping = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if work.done() and (failure := work.result()):
                return failure
            await stopping
            return 0
        finally:
            for task in (work, stopping):
                task.cancel()
            await asyncio.gather(work, stopping, return_exceptions=True)
            await self._end()

    async def _start(self) -> int:
        """Bring everything up. Returns 0 once it serves, else the exit code; the reason has been said."""
        if self._socket is not None:
            data_dir, path = self._settings.data_dir, self._socket
            self._keep("queue", lambda: valkey.start(data_dir, path, PIPE), valkey.STOP_S)
        preparing = hold(self._settings.data_dir / serving.PREPARING)
        try:
            self._keep("web", self._child(self._commands.web), STOP_S)  # it waits for the lock before its first answer
            code, link = await self._prepare()
        finally:
            if preparing is not None:
                os.close(preparing)
        if code:
            return code
        if not await self._answers():
            self._say("trilho", f"the web server did not answer within {READY_S:.0f} s")
            return 1
        self._keep("worker", self._child(self._commands.worker), STOP_S)  # last, for it would slow the others' start
        self._say("trilho", f"Trilho runs at {self._settings.base_url} (Ctrl-C stops it)")
        if link:
            self._say("trilho", f"First administrator, this link works once: {link}")
        return 0

    async def _prepare(self) -> tuple[int, str | None]:
        """Schema, samples, first administrator; the one-time link when there is one to print."""
        process = await self._spawn(self._commands.prepare, errors=PIPE)
        try:
            answer, complaint = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        for line in complaint.decode(errors="replace").splitlines():
            sys.stderr.write(f"{line}\n")
        if process.returncode:
            return max(process.returncode, 1), None
        link: str | None = json.loads(answer)["link"]
        return 0, link

    async def _answers(self) -> bool:
        """Wait for the first answer of the web server, whatever it says."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                while not await listening.answered(self._host, self._port):
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._stop.wait(), ASK_S)
                return True
        return False

    def _keep(self, name: str, start: Start, stop_s: float) -> None:
        part = Part(name, start, self._say, stop_s)
        self._running.append((part, asyncio.create_task(part.run())))

    def _child(self, command: Sequence[str]) -> Start:
        return lambda: self._spawn(command, errors=STDOUT)

    async def _spawn(self, command: Sequence[str], errors: int) -> Process:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=errors,
            env=_child_environment(os.environ, self._settings),
            preexec_fn=tied(),
            umask=PRIVATE,
            start_new_session=True,  # Ctrl-C comes here alone; the parts are stopped in order
        )

    def _asked_to_stop(self) -> None:
        if self._stop.is_set():  # the second time: now
            for part, _ in self._running:
                part.kill()
        self._stop.set()

    async def _end(self) -> None:
        """First whoever makes work, then the queue that it is in."""
        self._say("trilho", "stopping")
        queue = [part for part, _ in self._running if part.name == "queue"]
        await asyncio.gather(*(part.stop() for part, _ in self._running if part not in queue))
        await asyncio.gather(*(part.stop() for part in queue))
        await asyncio.gather(*(task for _, task in self._running), return_exceptions=True)
        if self._socket is not None and self._socket.parent != self._settings.data_dir:
            self._socket.unlink(missing_ok=True)
            self._socket.parent.rmdir()


@dataclass(frozen=True, slots=True)
class Voice:
    """Writes lines for people, each behind the name of its part, or JSON documents."""

    style: LogFormat

    def __call__(self, part: str, line: str) -> None:
        if not line.strip():
            return
        if self.style == "console":
            line = f"{part:<7}| {line}"
        elif not line.startswith("{"):
            line = json.dumps({"part": part, "event": line}, ensure_ascii=False)
        with contextlib.suppress(BrokenPipeError):  # nobody listens any more: not a reason to stop serving
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 2


def _child_environment(environ: Mapping[str, str], settings: Settings) -> dict[str, str]:
    others = {name: value for name, value in environ.items() if not name.startswith("TRILHO_")}
    path = os.pathsep.join(filter(None, (str(ROOT), environ.get("PYTHONPATH"))))
    return {**others, **as_environment(settings), "PYTHONUNBUFFERED": "1", "PYTHONPATH": path}
