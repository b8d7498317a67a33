"""Thousands of webhooks of every sort at once, among strangers who shout: each is taken in once, nobody is starved."""

import asyncio
import json
from collections import Counter
from pathlib import Path

import aiohttp
import pytest

from engine.runtime import SystemClock
from engine.samples import tree
from tests.chaos.installation import Installation
from tests.chaos.mixture import HOTTOK, UNREADABLE, Mixture, mixture
from tests.chaos.test_nothing_is_lost import free_port
from tests.fakes.evolution import FakeEvolution
from tests.fakes.whatsapp import FakeWhatsApp

CONNECTIONS = 16
SHOUTING = 16
"""Connections of senders without proof; they post for as long as the others do."""
DRAIN_S = 240
TOKENS = {"cloud": "canal-da-enchente-um", "gateway": "canal-da-enchente-dois", "payment": "fonte-da-enchente-um"}


@pytest.mark.parametrize("count", [800, pytest.param(10_000, marks=pytest.mark.slow)])
async def test_every_webhook_of_a_mixed_flood_is_taken_in_exactly_once(tmp_path: Path, count: int) -> None:
    """R20, R21, R29, R34."""
    async with (
        FakeWhatsApp() as cloud,
        FakeEvolution() as gateway,
        Installation(tmp_path / "data", free_port()) as trilho,
    ):
        await connected(tmp_path, trilho, cloud, gateway)
        flood = mixture(count, SystemClock().now(), cloud, gateway)
        shouted = await poured(trilho, flood)
        await drained(trilho)
        await trilho.command("doctor")
        kept = Counter(v for (v,) in trilho.ask("SELECT verdict FROM webhook"))
        messages = trilho.ask(
            "SELECT c.name, i.provider_id, i.outcome FROM inbound i JOIN channel c ON c.id = i.channel_id"
        )
        notices = trilho.ask("SELECT id, outcome FROM event WHERE source = 'payment'")
        paid = {phone for (phone,) in trilho.ask(
            "SELECT p.phone FROM conversation c JOIN contact p ON p.id = c.contact_id WHERE c.state = 'PAGO'"
        )}  # fmt: skip
        sends = Counter(sent.callback_data for sent in cloud.sent)
        refused = trilho.ask("SELECT COUNT(*) FROM log WHERE outcome = 'rejected' AND reason = 'bad_signature'")[0][0]

    answers = Counter(post.status for post in flood.posts)
    assert kept["unreadable"] == answers[UNREADABLE]
    assert kept.total() == len(flood.posts), "of every body that proves itself one row is kept, and of no other"
    assert Counter((channel, ident) for channel, ident, _ in messages) == Counter(flood.messages)
    assert all(outcome is not None for _, _, outcome in messages)
    assert Counter(ident for ident, _ in notices) == Counter(f"pay:hotmart:{ident}" for ident in flood.notices)
    assert all(outcome is not None for _, outcome in notices)
    assert paid == flood.paid
    assert max(sends.values()) == 1
    assert shouted > SHOUTING, "they shouted all the while"
    assert refused < shouted, "and filled no log"


async def connected(folder: Path, trilho: Installation, cloud: FakeWhatsApp, gateway: FakeEvolution) -> None:
    flow = tree("venda") | {"slug": "enchente", "debounce": {"quiet": "1s", "ceiling": "5s"}}
    (folder / "enchente.json").write_text(json.dumps(flow))
    await trilho.command("flow", "publish", str(folder / "enchente.json"), "--note", "prova")
    for kind, name, values in (
        (
            "whatsapp_cloud",
            "cloud",
            {
                "app_secret": cloud.app_secret,
                "access_token": cloud.access_token,
                "verify_token": "verificacao",
                "phone_number_id": cloud.phone_number_id,
                "base_url": cloud.base_url,
            },
        ),
        (
            "evolution",
            "gateway",
            {"api_key": gateway.api_key, "instance": gateway.instance, "base_url": gateway.base_url},
        ),
    ):
        pairs = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        await trilho.command(
            *("channel", "add", "--kind", kind, "--name", name, "--flow", "enchente", "--token", TOKENS[name]), *pairs
        )
    await trilho.command(
        *("source", "add", "--platform", "hotmart", "--name", "pagamentos", "--flow", "enchente"),
        *("--token", TOKENS["payment"], "--set", f"hottok={HOTTOK}"),
    )


async def poured(trilho: Installation, flood: Mixture) -> int:
    """Post everything; how many posts without proof were turned away meanwhile."""
    addresses = {name: f"{trilho.base}/hooks/wa/{token}" for name, token in TOKENS.items()}
    addresses["payment"] = f"{trilho.base}/hooks/pay/{TOKENS['payment']}"
    posts, over, turned_away = iter(flood.posts), asyncio.Event(), 0

    async def sender(client: aiohttp.ClientSession) -> None:
        for post in posts:
            while True:
                async with client.post(addresses[post.door], data=post.raw, headers=post.headers) as answer:
                    if answer.status != 503:
                        assert answer.status == post.status, (answer.status, await answer.text())
                        break

    async def stranger(client: aiohttp.ClientSession) -> None:
        nonlocal turned_away
        while not over.is_set():
            async with client.post(
                addresses["cloud"], data=b"{}", headers={"X-Hub-Signature-256": "sha256=0"}
            ) as answer:
                assert answer.status == 401
                turned_away += 1

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:
        strangers = [asyncio.ensure_future(stranger(client)) for _ in range(SHOUTING)]
        await asyncio.gather(*(sender(client) for _ in range(CONNECTIONS)))
        over.set()
        await asyncio.gather(*strangers)
    return turned_away


async def drained(trilho: Installation) -> None:
    """Until nothing waits: no message, no event, no letter."""
    waiting = (
        "SELECT (SELECT COUNT(*) FROM inbound WHERE processed_at IS NULL) + (SELECT COUNT(*) FROM event WHERE "
        "processed_at IS NULL) + (SELECT COUNT(*) FROM outbox WHERE status IN ('pending', 'sending'))"
    )
    for _ in range(DRAIN_S * 4):
        if not trilho.ask(waiting)[0][0]:
            return
        await asyncio.sleep(0.25)
    raise AssertionError("work is left over")
