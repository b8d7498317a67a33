"""The whole of `trilho run`, once installed: how long until its first answer, and what it takes in memory."""

import asyncio
import tempfile
import time
from pathlib import Path

from tests.bench.webhooks import free_port
from tests.chaos.installation import Installation

MEGABYTE = 1024 * 1024


async def measure() -> dict[str, object]:
    """A first start from an empty data folder, and a second one."""
    with tempfile.TemporaryDirectory() as folder:
        trilho = Installation(Path(folder) / "data", free_port())
        begun = time.perf_counter()
        await trilho.start()
        first = time.perf_counter() - begun
        await trilho.stop()
        log = Path(folder) / "run.log"
        before, begun = _works(log), time.perf_counter()
        await trilho.start()
        second = time.perf_counter() - begun
        async with asyncio.timeout(60):
            while _works(log) == before:  # noqa: ASYNC110 - another process: there is no event to wait for
                await asyncio.sleep(0.1)
        resident, shared_fairly = _memory(trilho)
        await trilho.stop()
    return {
        "first start: seconds until the first answer": round(first, 1),
        "second start: seconds until the first answer": round(second, 1),
        "memory of all processes, MB (resident, summed)": round(resident),
        "memory of all processes, MB (shared pages counted once)": round(shared_fairly),
    }


def _works(log: Path) -> int:
    """How often a worker began to work: it is started last, and only then takes its memory."""
    return log.read_text().count("worker started")


def _memory(trilho: Installation) -> tuple[float, float]:
    assert trilho.process is not None
    resident = fairly = 0.0
    for process in family(trilho.process.pid):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            kilobytes = line.split()[1] if line.endswith("kB") else "0"
            resident += int(kilobytes) / 1024 if line.startswith("Rss:") else 0
            fairly += int(kilobytes) / 1024 if line.startswith("Pss:") else 0
    return resident, fairly


def family(root: int) -> list[int]:
    """A process and all that came of it."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    family = [root]
    for process in family:
        family += [child for child, parent in parents.items() if parent == process]
    return family
