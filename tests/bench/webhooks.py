"""Signed Cloud API webhooks on 16 connections: how long until the answer, which comes after the commit (R20)."""

import asyncio
import hashlib
import hmac
import json
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp

from engine.adapters.secrets import new_key
from engine.core.permissions import Actor
from engine.runtime import SystemClock, open_runtime
from engine.services import channels, install
from engine.serving import command
from engine.settings import from_environment
from engine.store.migrations import upgrade
from tests.postgres import running_cluster

CONNECTIONS = 16
POSTS = 1_600
PEOPLE = 200
SECRET = "segredo-da-medida"
TOKEN = "canal-da-medida-de-tempo"


async def measure() -> dict[str, object]:
    """Latency on both databases, beside the same server's emptiest answer.

    PostgreSQL runs without fsync here (see tests/postgres.py); SQLite flushes every commit.
    """
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures |= await _database("sqlite", f"sqlite:///{folder}/bench.db", Path(folder))
    with tempfile.TemporaryDirectory() as folder, postgres() as url:
        figures |= await _database("postgresql", url, Path(folder))
    return figures


@contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty database of a cluster of its own."""
    with running_cluster() as cluster:
        yield cluster.url(cluster.create("bench"))


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
    values = {"app_secret": SECRET, "verify_token": "verificacao", "access_token": "T", "phone_number_id": "1"}
    await channels.add(runtime, "whatsapp_cloud", "medida", Actor("bench"), token=TOKEN, values=values)
    await runtime.close()
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *command("127.0.0.1", port), env={**os.environ, **environment, "PYTHONPATH": str(Path.cwd())}
    )
    try:
        base = f"http://127.0.0.1:{port}"
        connector = aiohttp.TCPConnector(limit=CONNECTIONS)
        async with aiohttp.ClientSession(connector=connector) as client:
            await up(client, base)
            nothing = await _spread(client, lambda i: ("GET", f"{base}/healthz", b"", {}))
            await _spread(client, lambda i: _post(base, 1_000 + i), posts=PEOPLE)
            strangers = await _spread(client, lambda i: _post(base, 10_000 + i), posts=POSTS // 2)
            answered = await _spread(client, lambda i: _post(base, 1_000 + i % PEOPLE, i + 1))
    finally:
        process.terminate()
        await process.wait()
    return {
        f"{name}: webhook median ms, {CONNECTIONS} connections": answered["median"],
        f"{name}: first message of a new person, median ms": strangers["median"],
        f"{name}: webhook p99 ms": answered["p99"],
        f"{name}: webhooks a second": answered["rate"],
        f"{name}: same server's emptiest answer, median ms": nothing["median"],
        f"{name}: webhook / emptiest answer": round(float(answered["median"]) / float(nothing["median"]), 1),
    }


def _post(base: str, number: int, again: int = 0) -> tuple[str, str, bytes, dict[str, str]]:
    phone = f"55419{20_000_000 + number}"
    message = {
        "from": phone,
        "id": f"wamid.B{number}.{again}",
        "timestamp": str(SystemClock().now() // 1_000),
        "type": "text",
    }
    value = {
        "metadata": {"display_phone_number": "554130000000", "phone_number_id": "1"},
        "contacts": [{"profile": {"name": "Lead"}, "wa_id": phone}],
        "messages": [message | {"text": {"body": "oi, quanto custa?"}}],
    }
    raw = json.dumps(
        {"object": "x", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}
    ).encode()
    proof = "sha256=" + hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
    return "POST", f"{base}/hooks/wa/{TOKEN}", raw, {"x-hub-signature-256": proof}


async def _spread(client: aiohttp.ClientSession, request: object, posts: int = POSTS) -> dict[str, float]:
    times: list[float] = []
    numbers: Iterator[int] = iter(range(posts))

    async def connection() -> None:
        for number in numbers:
            method, url, raw, headers = request(number)  # type: ignore[operator]  # one of our lambdas
            begun = time.perf_counter()
            async with client.request(method, url, data=raw, headers=headers) as answer:
                await answer.read()
                assert answer.status == 200, (answer.status, await answer.text())
            times.append((time.perf_counter() - begun) * 1_000)

    begun = time.perf_counter()
    await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))
    took = time.perf_counter() - begun
    times.sort()
    return {
        "median": round(statistics.median(times), 1),
        "p99": round(times[int(len(times) * 0.99)], 1),
        "rate": round(posts / took),
    }


async def up(client: aiohttp.ClientSession, base: str) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        try:
            async with client.get(f"{base}/healthz") as answer:
                if answer.status == 200:
                    return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.1)
    sys.exit("the server did not come up")


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
