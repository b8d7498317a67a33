"""The live desk with 5,000 conversations under way: its first answer, its search, and a hundred open pages while 20 changes a
second happen, what they cost and how soon they know."""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from engine.adapters.secrets import new_key
from engine.core.inbound import Message, Person
from engine.core.permissions import Actor, Role
from engine.runtime import Runtime, open_runtime
from engine.services import accounts, channels, install, sign_in
from engine.serving import command
from engine.settings import from_environment
from engine.store import inbox
from engine.store.connection import Tx
from engine.store.inbox import Arrived
from engine.store.migrations import upgrade
from tests.bench.board_seed import seed
from tests.bench.stack import family
from tests.bench.webhooks import free_port, postgres, up

PEOPLE, BOARDS, EACH_SECOND, SECONDS = 5_000, 100, 20, 20
SEARCHES = ("desconto", "maquina agulha", "Silva 4321", "98000-1234", "nada disso aqui")
FLOW, PASSWORD = "venda", "um trem azul no morro"


async def measure() -> dict[str, object]:
    """On both databases, in one server process."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures |= await _database("sqlite", f"sqlite:///{folder}/bench.db", Path(folder))
    with tempfile.TemporaryDirectory() as folder, postgres() as url:
        figures |= await _database("postgresql", url, Path(folder))
    return figures


@dataclass(slots=True)
class Page:
    """One open desk: when it last heard of each conversation, and how much it was told."""

    heard: dict[int, float] = field(default_factory=dict)
    told: int = 0


async def _database(name: str, url: str, folder: Path) -> dict[str, object]:
    environment = {
        "TRILHO_DATABASE_URL": url,
        "TRILHO_DATA_DIR": str(folder),
        "TRILHO_SECRET_KEY": new_key(),
        "TRILHO_REDIS_URL": f"unix://{folder}/nobody.sock",
    }
    upgrade(url)
    runtime = await open_runtime(from_environment(environment))
    await install.first_start(runtime)
    number = (await channels.add(runtime, "phone", "medida", Actor("bench"), flow=FLOW)).id
    await seed(runtime, FLOW, number, PEOPLE)
    session = await _session(runtime)
    try:
        async with _served(environment) as (base, process):
            cookies = {"trilho": session}
            connector = aiohttp.TCPConnector(limit=BOARDS + 10)
            async with aiohttp.ClientSession(connector=connector, cookies=cookies) as client:
                await up(client, base)
                first = await _times(client, [f"{base}/live?flow={FLOW}"] * 15)
                listed = await _times(client, [f"{base}/live?flow={FLOW}&view=list&tag=vip"] * 5)
                found = await _times(client, [f"{base}/conversations?q={words}" for words in SEARCHES] * 3)
                live = await _boards(runtime, number, client, base, process)
    finally:
        await runtime.close()
    return {
        f"{name}: first paint of the board, median ms": first[0],
        f"{name}: first paint of the board, slowest ms": first[1],
        f"{name}: list by a tag, median ms": listed[0],
        f"{name}: search, median ms": found[0],
        f"{name}: search, slowest ms": found[1],
        **{f"{name}: {what}": value for what, value in live.items()},
    }


async def _session(runtime: Runtime) -> str:
    link = await accounts.invite(runtime, "bench@trilho.test", Role.SUPERVISOR, Actor("bench"), name="Bench")
    await accounts.use_link(runtime, link, PASSWORD)
    return await sign_in.sign_in(runtime, "bench@trilho.test", PASSWORD, "127.0.0.1")


@asynccontextmanager
async def _served(environment: dict[str, str]) -> AsyncIterator[tuple[str, int]]:
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *command("127.0.0.1", port), env={**os.environ, **environment, "PYTHONPATH": str(Path.cwd())}
    )
    try:
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        await process.wait()


async def _times(client: aiohttp.ClientSession, addresses: list[str]) -> tuple[float, float]:
    """(median, slowest) in milliseconds, the first one aside."""
    times = []
    for address in addresses:
        begun = time.perf_counter()
        async with client.get(address) as answer:
            text = await answer.text()
            assert answer.status == 200, (answer.status, text[:500])
        times.append((time.perf_counter() - begun) * 1_000)
    return round(statistics.median(times[1:]), 1), round(max(times[1:]), 1)


async def _boards(
    runtime: Runtime, channel: int, client: aiohttp.ClientSession, base: str, process: int
) -> dict[str, object]:
    """A hundred pages watch while people write."""
    before = _memory(process)
    pages = [Page() for _ in range(BOARDS)]
    watching = [asyncio.create_task(_watch(client, base, page)) for page in pages]
    async with asyncio.timeout(30):
        while not all(page.told for page in pages):  # noqa: ASYNC110 - the server's events, not ours
            await asyncio.sleep(0.1)
    begun, used = time.perf_counter(), _processor(process)
    written = await _changes(runtime, channel)
    took, used = time.perf_counter() - begun, _processor(process) - used
    after = _memory(process)
    await asyncio.sleep(2)
    for task in watching:
        task.cancel()
    late = sorted((page.heard.get(one, at + 60) - at) * 1_000 for page in pages for one, at in written.items())
    return {
        f"{BOARDS} boards, {len(written) / took:.0f} changes a second: MB more": round(after - before, 1),
        f"{BOARDS} boards, {len(written) / took:.0f} changes a second: % of a core": round(100 * used / took, 1),
        "a change is on a page, median ms": round(statistics.median(late)),
        "a change is on every page, p99 ms": round(late[int(len(late) * 0.99)]),
    }


async def _watch(client: aiohttp.ClientSession, base: str, page: Page) -> None:
    """As a browser does: what ends is opened again, from the mark that was told last."""
    mark = ""
    while True:
        timeout = aiohttp.ClientTimeout(total=None)
        async with client.get(f"{base}/live/stream?flow={FLOW}&cursor={mark}", timeout=timeout) as answer:
            async for line in answer.content:
                page.told += 1
                if line.startswith(b"id: "):
                    mark = line[4:].strip().decode()
                elif line.startswith(b'data: <div class="bc') and b'id="c-' in line:
                    page.heard[int(line.partition(b'id="c-')[2].partition(b'"')[0])] = time.perf_counter()


async def _changes(runtime: Runtime, channel: int) -> dict[int, float]:
    """People who write, one after the other; when the message of each was there."""
    written = {}
    begun = time.perf_counter()
    for n in range(1, EACH_SECOND * SECONDS + 1):
        await asyncio.sleep(max(0.0, begun + n / EACH_SECOND - time.perf_counter()))
        now, number = runtime.clock.now(), 1 + (n * 61) % PEOPLE
        message = Message(provider_id=f"w{n}", person=Person(), kind="text", text=f"oi de novo {n}", at=now)

        def unit(tx: Tx, number: int = number, message: Message = message, now: int = now) -> None:
            inbox.store(tx, [Arrived(channel, number, number, message, now, ignored="medida")])
            tx.run("UPDATE conversation SET updated_at = :now WHERE id = :id", now=now, id=number)

        await runtime.store.write("bench", unit)
        written[number] = time.perf_counter()
    return written


def _memory(process: int) -> float:
    return sum(
        int(line.split()[1]) / 1024
        for one in family(process)
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        if line.startswith("Pss:")
    )


def _processor(process: int) -> float:
    """Seconds of a core that the processes have used."""
    ticks = 0
    for one in family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
