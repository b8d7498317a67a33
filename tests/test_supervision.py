"""Parts that always run: started again, their words passed on, stopped together, killed when they refuse."""

import asyncio
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

from engine.supervision import LONGEST_LINE, Part, Start, relay

WAITS = "import signal; print('up', flush=True); signal.pause()"
REFUSES = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WAITS}"


class Heard:
    """What was said, and a way to wait for it."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self._changed = asyncio.Event()

    def __call__(self, part: str, line: str) -> None:
        self.lines.append((part, line))
        self._changed.set()

    async def until(self, line: str, times: int = 1) -> None:
        async with asyncio.timeout(20):
            while [said for _, said in self.lines].count(line) < times:
                self._changed.clear()
                await self._changed.wait()


def _program(text: str, started: list[Process]) -> Start:
    async def start() -> Process:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", text, stdin=DEVNULL, stdout=PIPE)
        started.append(process)
        return process

    return start


async def test_a_part_that_is_killed_is_started_again_and_stops_when_asked() -> None:
    heard, started = Heard(), []
    part = Part("web", _program(WAITS, started), heard, 5)
    running = asyncio.create_task(part.run())
    await heard.until("up")

    started[0].kill()
    await heard.until("up", times=2)
    await part.stop()
    await running

    assert [process.returncode for process in started] == [-signal.SIGKILL, -signal.SIGTERM]
    assert ("web", "ended (SIGKILL), starting again in 0.4 s") in heard.lines


async def test_each_pause_after_a_short_life_is_longer() -> None:
    heard, started = Heard(), []
    part = Part("web", _program("raise SystemExit(3)", started), heard, 5)
    running = asyncio.create_task(part.run())

    await heard.until("ended (exit code 3), starting again in 0.8 s")
    await part.stop()
    await running

    assert [line for _, line in heard.lines] == [
        "ended (exit code 3), starting again in 0.4 s",
        "ended (exit code 3), starting again in 0.8 s",
    ]
    assert len(started) == 2


async def test_a_part_that_refuses_to_stop_is_killed_in_time() -> None:
    heard, started = Heard(), []
    part = Part("web", _program(REFUSES, started), heard, 0.1)
    running = asyncio.create_task(part.run())
    await heard.until("up")

    await part.stop()
    await running

    assert started[0].returncode == -signal.SIGKILL
    assert heard.lines[-1] == ("web", "did not stop in time and was killed")


async def test_a_stop_that_comes_while_the_part_is_starting_still_stops_it() -> None:
    heard, started, go_on = Heard(), [], asyncio.Event()
    program = _program(WAITS, started)

    async def slowly() -> Process:
        await go_on.wait()
        return await program()

    part = Part("web", slowly, heard, 5)
    running = asyncio.create_task(part.run())
    stopping = asyncio.create_task(part.stop())
    await asyncio.sleep(0)
    go_on.set()
    await stopping
    await running

    assert len(started) == 1
    assert started[0].returncode == -signal.SIGTERM


async def test_words_come_line_by_line_whatever_the_pieces_and_a_line_without_end_is_cut() -> None:
    said: list[str] = []
    stream = asyncio.StreamReader()
    for piece in (b"one\ntw", b"o\r\n\xff", b"\n", b"x" * (LONGEST_LINE + 1), b"\nlast"):
        stream.feed_data(piece)
    stream.feed_eof()

    await relay(stream, said.append)

    assert said[:3] == ["one", "two", "\ufffd"]
    assert sum(map(len, said[3:-1])) == LONGEST_LINE + 1
    assert said[-1] == "last"
