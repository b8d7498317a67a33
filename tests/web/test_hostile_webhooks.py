"""Bodies that mean harm at the real doors: each gets its one right answer, never a 5xx, and harms nobody behind it."""

import httpx
import pytest_asyncio

from engine.services import channels, receive, sources
from tests.web import hostile_bodies
from tests.web.conftest import ACTOR
from tests.web.hostile_bodies import HOTTOK, SECRET, Post


@pytest_asyncio.fixture
async def doors(runtime, flow):
    """One connection of each kind; its address."""
    cloud = {"app_secret": SECRET, "access_token": "t", "verify_token": "v", "phone_number_id": "100000000000001"}
    kinds = {"phone": {}, "cloud": cloud, "evolution": {"instance": "loja-teste"}}
    made = {}
    for name, values in kinds.items():
        kind = "whatsapp_cloud" if name == "cloud" else name
        record = await channels.add(runtime, kind, name, ACTOR, flow=flow, values=values)
        made[name] = f"/hooks/wa/{record.token}"
    source = await sources.add(runtime, "hotmart", "hotmart", flow, ACTOR, values={"hottok": HOTTOK})
    return {**made, "payment": f"/hooks/pay/{source.token}"}


async def wrong(client: httpx.AsyncClient, doors: dict[str, str], posts: list[Post]) -> dict[str, int]:
    """The posts that were not answered as they should, with the answer that they got."""
    answers = {}
    for post in posts:
        response = await client.post(doors[post.door], content=post.raw, headers=post.headers)
        if response.status_code != post.status:
            answers[post.name] = response.status_code
    return answers


async def count(runtime, table: str, where: str = "1 = 1") -> int:
    return await runtime.store.read(lambda tx: int(tx.value(f"SELECT COUNT(*) FROM {table} WHERE {where}")))


async def test_r35_what_cannot_be_read_is_400_and_two_kilobytes_of_it_are_kept(stranger, runtime, doors):
    posts = list(hostile_bodies.unreadable())

    assert await wrong(stranger.client, doors, posts) == {}
    assert len(posts) >= 100
    assert await count(runtime, "webhook", "verdict = 'unreadable'") == len(posts)
    assert await count(runtime, "webhook", "LENGTH(body) > 20000") == 0
    assert await count(runtime, "inbound") == 0


async def test_r20_any_object_is_answered_2xx_and_kept(stranger, runtime, doors):
    posts = list(hostile_bodies.readable())

    assert await wrong(stranger.client, doors, posts) == {}
    assert len(posts) >= 120
    assert await count(runtime, "webhook") == len(posts)
