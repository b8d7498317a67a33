"""Kill what works and wipe what queues while people write: nothing is lost, nothing is said twice (R22, R26, R27, R30)."""

import asyncio
import hashlib
import hmac
import json
import socket
from collections import Counter
from pathlib import Path

import aiohttp
import pytest
import redis.asyncio

from engine.runtime import SystemClock
from engine.samples import tree
from tests.chaos.installation import Installation
from tests.fakes.whatsapp import FakeWhatsApp

PEOPLE = 200
SECRET = "segredo-de-teste-app"
TOKEN = "canal-da-prova-de-caos"
DRAIN_S = 200
"""Longer than a letter that was on the wire at a kill keeps the next one to the same person waiting."""
KILL_EVERY_S = 4
"""Longer than a worker takes to start, so that it dies in the middle of work."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def body(person: int, number: int, text: str, at: int) -> bytes:
    phone = f"55419{10_000_000 + person}"
    message = {
        "from": phone,
        "id": f"wamid.{person}.{number}",
        "timestamp": str(at),
        "type": "text",
        "text": {"body": text},
    }
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "554130000000", "phone_number_id": "100000000000001"},
        "contacts": [{"profile": {"name": f"Lead {person}"}, "wa_id": phone}],
        "messages": [message],
    }
    tree = {
        "object": "whatsapp_business_account",
        "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}],
    }
    return json.dumps(tree).encode()


async def post(client: aiohttp.ClientSession, url: str, raw: bytes) -> None:
    """Like the platform: again until it is answered 2xx."""
    proof = "sha256=" + hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
    while True:
        try:
            async with client.post(url, data=raw, headers={"x-hub-signature-256": proof}) as answer:
                if answer.status == 200:
                    return
                assert answer.status == 503, answer.status
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.2)


@pytest.mark.timeout(400)
async def test_two_hundred_people_write_while_the_worker_dies_and_redis_forgets(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with FakeWhatsApp(app_secret=SECRET) as fake, Installation(data, free_port()) as trilho:
        flow = tree("venda") | {"slug": "caos", "debounce": {"quiet": "1s", "ceiling": "5s"}}
        (tmp_path / "caos.json").write_text(json.dumps(flow))
        await trilho.command("flow", "publish", str(tmp_path / "caos.json"), "--note", "prova")
        await trilho.command(
            *("channel", "add", "--flow", "caos", "--kind", "whatsapp_cloud", "--name", "caos", "--token", TOKEN),
            *("--set", f"app_secret={SECRET}", "--set", "access_token=TOKEN", "--set", "verify_token=verificacao"),
            *("--set", "phone_number_id=100000000000001", "--set", f"base_url={fake.base_url}"),
        )
        url = f"{trilho.base}/hooks/wa/{TOKEN}"
        kills = 0
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=16)) as client:
            talking = asyncio.gather(*(write(client, url, person) for person in range(PEOPLE)))
            while not talking.done():
                await asyncio.sleep(KILL_EVERY_S)
                kills += trilho.kill("engine.worker")
                await forget(data)
            await talking
        kills += trilho.kill("valkey")
        await asyncio.sleep(0.5)
        await drained(trilho)
        sends = Counter(sent.callback_data for sent in fake.sent)
        rows = trilho.ask("SELECT id, status, attempt FROM outbox")
        outcomes = Counter(outcome for (outcome,) in trilho.ask("SELECT outcome FROM inbound"))
        answered = trilho.ask("SELECT COUNT(DISTINCT conversation_id) FROM outbox WHERE attempt > 0")[0][0]
        letters = len(rows)
        decisions = trilho.ask("SELECT COUNT(*) FROM log WHERE outcome = 'transition'")[0][0]
        await trilho.command("doctor")
        states = Counter(state for (state,) in trilho.ask("SELECT state FROM conversation"))

    assert kills >= 3
    assert outcomes == {"batched": PEOPLE * 3}, "every message ends in exactly one decision"
    assert sum(states.values()) == answered == PEOPLE
    assert set(states) <= {"ENGAJADO", "NEGOCIANDO"}
    assert letters == decisions, "one letter a decision"
    assert decisions > PEOPLE, "many were answered before they wrote again"
    assert max(sends.values()) == 1, "no letter is put on the wire twice"
    unsure = {row for row, status, _ in rows if status in ("sending", "uncertain", "review")}
    sure = {row for row, status, _ in rows if status == "sent"}
    assert {f"outbox:{row}" for row in sure} <= set(sends), "nothing counts as sent that never left"
    assert sure | unsure == {row for row, _, _ in rows}, "what is not known to have left is before a person"
    assert len(unsure) <= kills * 60, "only what was on the wire at a kill is unsure"


async def write(client: aiohttp.ClientSession, url: str, person: int) -> None:
    """Three messages, each delivered twice, as platforms do."""
    await asyncio.sleep(person % 20 * 0.5)
    for number, text in enumerate(("oi", "vi o anúncio", "quanto custa?")):
        raw = body(person, number, text, SystemClock().now() // 1_000)
        await asyncio.gather(post(client, url, raw), post(client, url, raw))
        await asyncio.sleep(2.5 if number == 1 else 0.3)


async def forget(data: Path) -> None:
    """Wipe the queue."""
    client = redis.asyncio.Redis(unix_socket_path=str(data / "valkey.sock"))
    try:
        await client.flushall()
    except redis.asyncio.ConnectionError:
        pass
    finally:
        await client.aclose()


async def drained(trilho: Installation) -> None:
    """Until nothing waits: no message for a decision, no letter for a sender."""
    for _ in range(DRAIN_S * 4):
        waiting = trilho.ask("SELECT COUNT(*) FROM inbound WHERE processed_at IS NULL")[0][0]
        if not waiting and not trilho.ask("SELECT COUNT(*) FROM outbox WHERE status = 'pending'")[0][0]:
            return
        await asyncio.sleep(0.25)
    raise AssertionError("work is left over")
