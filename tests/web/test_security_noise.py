"""Noise at the doors for machines: it costs its source, and never the place of whoever proved himself (SEC-S6)."""

import asyncio
from collections import Counter
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from engine.core.allowance import BURST
from engine.services import channels
from engine.settings import Settings
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR, ADDRESS, living
from tests.web.hostile_bodies import SECRET, signed, whole, written
from web.app import create_app
from web.noise import KEPT, OPEN_EACH, Doorkeeper, Lane
from web.proxies import source

NOISY, QUIET, OTHER = "93.184.216.34", "157.240.1.1", "157.240.1.2"
CLOUD = {"app_secret": SECRET, "access_token": "t", "verify_token": "v", "phone_number_id": "100000000000001"}


def at(app, address: str) -> httpx.AsyncClient:
    """A client whose packets come from an address."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, client=(address, 4321)), base_url=ADDRESS)


@pytest_asyncio.fixture
async def door(runtime, flow):
    record = await channels.add(runtime, "whatsapp_cloud", "Loja", ACTOR, flow=flow, values=CLOUD)
    return f"/hooks/wa/{record.token}"


async def wrong(client, door) -> int:
    return (await client.post(door, content=b"{}", headers={"x-hub-signature-256": "sha256=00"})).status_code


async def right(client, door, number: int) -> int:
    raw = whole(written(f"oi {number}", f"wamid.{number}"))
    return (await client.post(door, content=raw, headers=signed(raw))).status_code


async def test_a_source_that_only_fails_is_told_to_stay_away_and_may_come_again(app, runtime, door):
    async with at(app, NOISY) as noisy, at(app, QUIET) as quiet:
        answers = Counter([await wrong(noisy, door) for _ in range(BURST + 40)])
        told = await noisy.post(door, content=b"{}")

        assert answers == {401: BURST, 429: 40}
        assert (told.status_code, told.headers["retry-after"]) == (429, "1")
        assert await right(quiet, door, 1) == 200
        runtime.clock.advance(60_000)
        assert await wrong(noisy, door) == 401


async def test_signed_requests_are_all_taken_among_hundreds_without_proof(app, door):
    """By counts, not by time: in every interleaving each signed one gets its place."""
    async with at(app, QUIET) as quiet, at(app, OTHER) as fresh:
        assert await right(quiet, door, 0) == 200
        noisy = [at(app, f"93.184.{n}.{n}") for n in range(40)]
        noise = [wrong(noisy[n % 40], door) for n in range(600)]
        signed_ones = [right(quiet, door, n) for n in range(1, 31)]
        mixed = [one for n in range(30) for one in (*noise[n * 20 : n * 20 + 20], signed_ones[n])]
        answers = await asyncio.gather(*mixed)
        await asyncio.gather(*(client.aclose() for client in noisy))

        assert Counter(answers[20::21]) == {200: 30}
        assert set(answers) <= {200, 401, 429}
        assert await right(fresh, door, 99) == 200


async def test_noise_of_a_proved_source_is_in_the_lane_of_strangers_and_still_heard(app, door):
    """Somebody else behind the same address makes noise: what is signed is not turned away for it."""
    async with at(app, QUIET) as client:
        assert await right(client, door, 0) == 200
        assert Counter([await wrong(client, door) for _ in range(BURST * 2)]) == {401: BURST * 2}
        assert await right(client, door, 1) == 200


async def test_an_address_that_is_not_public_stands_for_many_and_has_no_budget(app, door):
    for address in ("127.0.0.1", "10.1.2.3", "::1", "fe80::1", "nonsense"):
        async with at(app, address) as client:
            assert Counter([await wrong(client, door) for _ in range(BURST + 5)]) == {401: BURST + 5}


async def test_pages_have_nothing_to_do_with_it(app, door):
    async with at(app, NOISY) as noisy:
        for _ in range(BURST + 1):
            await wrong(noisy, door)
        assert (await noisy.get("/login")).status_code == 200


def test_what_is_remembered_is_bounded_whatever_strangers_invent():
    keeper = Doorkeeper()
    for n in range(KEPT * 3):
        keeper.told(str(n), "/hooks/wa/x", 401, 1_000)
        keeper.told(str(n), f"/hooks/wa/{n}", 200, 1_000)
    assert len(keeper.debts) == len(keeper.known) == KEPT
    assert not keeper.open


def test_a_source_has_only_so_many_requests_open():
    keeper = Doorkeeper()
    keeper.open["a"] = OPEN_EACH
    assert keeper.refuse("a", 0) > 0
    assert keeper.refuse("b", 0) == keeper.refuse("", 0) == 0


async def test_a_lane_takes_so_many_lets_so_many_wait_and_loses_no_place():
    lane = Lane(2, 3)
    waiting = [asyncio.create_task(lane.enter()) for _ in range(5)]
    await asyncio.sleep(0)
    assert (lane.inside, await lane.enter()) == (5, False)
    waiting[4].cancel()
    await asyncio.gather(waiting[4], return_exceptions=True)
    assert lane.inside == 4
    for _ in range(4):
        lane.leave()
    assert await asyncio.gather(*waiting[:4]) == [True] * 4
    assert lane.inside == 0


OURS = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "chain", "who"),
    [
        (NOISY, "1.2.3.4", NOISY),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("127.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("127.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.7", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4:5555", "1.2.3.4"),
        ("10.0.0.1", "[2606:4700::1]:443", "2606:4700::1"),
        ("10.0.0.1", "::ffff:1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4,,", "10.0.0.1"),
        ("fd00::1", "10.0.0.2", "10.0.0.2"),
        ("unix", "1.2.3.4", "unix"),
    ],
)
def test_only_proxies_of_ours_are_believed(peer, chain, who):
    assert source(peer, chain, OURS) == who


async def test_sec_s8_behind_a_proxy_of_ours_guessing_is_counted_by_who_guesses(sqlite_url):
    """Else one guesser would slow everybody down who comes through the same proxy."""
    settings = Settings(
        data_dir=Path("unused"), database_url=sqlite_url, redis_url="redis://unused", trusted_proxies=OURS
    )
    runtime = a_runtime(sqlite_url, settings=settings)
    async with living(create_app(runtime=runtime)) as app, at(app, "10.0.0.5") as client:
        form = {"email": "ana@trilho.test", "password": "errada, com certeza"}
        guesses = [
            (await client.post("/login", data=form, headers={"x-forwarded-for": f"{who}, 10.9.9.9"})).status_code
            for who in ["1.2.3.4"] * 9 + ["5.6.7.8"]
        ]
    await runtime.close()

    assert 429 in guesses[:9]
    assert guesses[9] == 422
