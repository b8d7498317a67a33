"""Keeps child processes running: started again when they end, their words passed on, stopped together. Knows no part."""

import asyncio
import signal
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from typing import TypeAlias

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 5.0
STEADY_S = 10.0
"""A part that ran for so long is started again at once when it ends; before, each pause is twice the last."""
LONGEST_LINE = 1 << 20
"""Bytes kept of a line without an end."""

Start: TypeAlias = Callable[[], Awaitable[Process]]
"""Starts the process with its standard output on a pipe."""
Say: TypeAlias = Callable[[str, str], None]
"""Takes the name of a part and one line."""


class Part:
    """One process that should always run. `run` ends after `stop` only."""

    def __init__(self, name: str, start: Start, say: Say, stop_s: float) -> None:
        self.name = name
        self._start, self._say, self._stop_s = start, say, stop_s
        self._process: Process | None = None
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Start the process, and again whenever it ends."""
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE_S
        try:
            while not self._stopping.is_set():
                began = loop.time()
                code = await self._once()
                if self._stopping.is_set():
                    return
                pause = FIRST_PAUSE_S if loop.time() - began > STEADY_S else min(pause * 2, LONGEST_PAUSE_S)
                self._say(self.name, f"ended ({_meaning(code)}), starting again in {pause:.1f} s")
                await _within(pause, self._stopping.wait())
        finally:
            self._ended.set()

    async def stop(self) -> None:
        """Ask the process to end, wait for it, and kill it when it takes longer than it may. `run` must be running."""
        self._stopping.set()
        self._signal(signal.SIGTERM)
        if not await _within(self._stop_s, self._ended.wait()):
            self._say(self.name, "did not stop in time and was killed")
            self.kill()
            await self._ended.wait()

    def kill(self) -> None:
        """End the process now; it is not started again after `stop` was called."""
        self._signal(signal.SIGKILL)

    async def _once(self) -> int:
        """One life of the process; returns its exit code."""
        self._process = await self._start()
        if self._stopping.is_set():  # asked while it was being started
            self._signal(signal.SIGTERM)
        words = asyncio.create_task(relay(self._process.stdout, lambda line: self._say(self.name, line)))
        code = await self._process.wait()
        await _within(1, words)  # a grandchild may hold the pipe open
        return code

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)


async def relay(stream: asyncio.StreamReader | None, say: Callable[[str], None]) -> None:
    """Pass on each line until the stream ends. A line that is too long comes in pieces."""
    rest = b""
    while stream is not None and (piece := await stream.read(1 << 16)):
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        for line in lines:
            say(line.decode(errors="replace").rstrip("\r"))
    if rest:
        say(rest.decode(errors="replace"))


async def _within(seconds: float, awaitable: Awaitable[object]) -> bool:
    """Whether it was done in time; it is cancelled when not."""
    try:
        await asyncio.wait_for(awaitable, seconds)
    except TimeoutError:
        return False
    return True


def _meaning(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
