"""A whole `trilho run` as its own processes, and the ways in which a machine treats it badly."""

import asyncio
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import aiohttp

ROOT = Path(__file__).parent.parent.parent
START = "import sys; from engine.cli import main; sys.exit(main())"
READY_S = 40


class Installation:
    """`trilho run` on a data folder; find and kill its parts, ask its database."""

    def __init__(self, data: Path, port: int, **environment: str) -> None:
        self.data, self.port = data, port
        self.base = f"http://127.0.0.1:{port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TRILHO_")},
            "TRILHO_DATA_DIR": str(data),
            "PYTHONPATH": str(ROOT),
            **environment,
        }
        self.process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def command(self, *words: str) -> str:
        """Run another `trilho` command beside it; its output."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", START, *words, env=self.environment, stdout=-1, stderr=-1
        )
        told, complaint = await process.communicate()
        assert process.returncode == 0, complaint.decode()
        return told.decode()

    async def start(self) -> None:
        """Start, and wait for the first answer."""
        log = (self.data.parent / "run.log").open("ab")
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", START, "run", "--port", str(self.port), env=self.environment, stdout=log, stderr=log
        )
        log.close()
        async with asyncio.timeout(READY_S), aiohttp.ClientSession() as client:
            while True:
                assert self.process.returncode is None, (self.data.parent / "run.log").read_text()
                try:
                    async with client.get(f"{self.base}/healthz") as answer:
                        if answer.status == 200 and self.part("engine.worker"):
                            return
                except aiohttp.ClientError:
                    pass
                await asyncio.sleep(0.1)

    async def stop(self) -> int:
        """Ctrl-C; its exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
            async with asyncio.timeout(20):
                await self.process.wait()
        return self.process.returncode or 0

    def part(self, words: str) -> list[int]:
        """The process ids of children whose command line has these words."""
        assert self.process is not None
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if words in line and parent == self.process.pid:
                found.append(int(folder.name))
        return found

    def kill(self, words: str) -> int:
        """SIGKILL to these children; how many there were."""
        victims = self.part(words)
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        return len(victims)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Read the database from outside."""
        with closing(sqlite3.connect(f"file:{self.data / 'trilho.db'}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()
