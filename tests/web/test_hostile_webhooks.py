"""Bodies that mean harm at the real doors: each gets its one right answer, never a 5xx, and harms nobody behind it."""

import asyncio
from collections import Counter

import httpx
import pytest
import pytest_asyncio

from engine.core.rationing import EACH
from engine.services import channels, doctor, receive, sources
from tests.services.work import settle
from tests.web import hostile_bodies
from tests.web.conftest import ACTOR
from tests.web.hostile_bodies import HOTTOK, SECRET, Post, proof, said, whole, written


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


async def post(client: httpx.AsyncClient, doors: dict[str, str], one: Post) -> int:
    response = await client.post(doors[one.door], content=one.raw, headers=one.headers)
    return response.status_code


async def wrong(client: httpx.AsyncClient, doors: dict[str, str], posts: list[Post]) -> dict[str, int]:
    """The posts that were not answered as they should, with the answer that they got."""
    answers = {one.name: await post(client, doors, one) for one in posts}
    return {one.name: answers[one.name] for one in posts if answers[one.name] != one.status}


async def rows(runtime, sql: str) -> list[dict]:
    return await runtime.store.read(lambda tx: tx.rows(sql))


async def count(runtime, table: str, where: str = "1 = 1") -> int:
    (row,) = await rows(runtime, f"SELECT COUNT(*) AS n FROM {table} WHERE {where}")
    return int(row["n"])


async def test_r35_what_cannot_be_read_is_400_and_two_kilobytes_of_it_are_kept(stranger, runtime, doors):
    posts = list(hostile_bodies.unreadable())

    assert len(posts) >= 100
    assert await wrong(stranger.client, doors, posts) == {}
    assert await count(runtime, "webhook", "verdict = 'unreadable'") == len(posts)
    assert await count(runtime, "webhook", "LENGTH(body) > 20000") == 0
    assert await count(runtime, "inbound") == 0


async def test_r20_any_object_is_answered_2xx_and_what_it_leaves_behind_stops_no_work(stranger, runtime, doors):
    """SEC-S5: all of it is decided on and answered afterwards, and every invariant holds."""
    posts = list(hostile_bodies.readable())

    assert len(posts) >= 120
    assert await wrong(stranger.client, doors, posts) == {}
    assert await count(runtime, "webhook") == len(posts)

    runtime.clock.advance(60_000)
    await settle(runtime)

    assert await count(runtime, "inbound", "processed_at IS NULL") == 0
    assert await count(runtime, "log", "outcome = 'transition'") > 10
    verdicts = await doctor.examine(runtime.store, runtime.clock.now())
    assert [verdict for verdict in verdicts if verdict.broken] == []


async def test_sec_s1_whoever_does_not_prove_himself_is_401_and_leaves_nothing_of_his_body(stranger, runtime, doors):
    for one in hostile_bodies.unproved():
        assert await post(stranger.client, doors, one) == 401, one.name
        runtime.clock.advance(60_000)

    assert await count(runtime, "webhook") == await count(runtime, "inbound") == await count(runtime, "event") == 0
    kept = {row["outcome"]: row for row in await rows(runtime, "SELECT * FROM log")}
    assert list(kept) == ["rejected"]
    assert await count(runtime, "log", "outcome = 'rejected'") == len(list(hostile_bodies.unproved()))


@pytest.mark.parametrize("door", ["cloud", "payment"])
async def test_a_flood_without_proof_writes_a_few_rows_and_how_many_there_were(stranger, runtime, doors, door):
    """SEC-S1: the record that R20 asks for is there, and nobody fills the database with it."""
    one = Post("flood", door, b"{}", 401)
    answers = await asyncio.gather(*(post(stranger.client, doors, one) for _ in range(150)))
    runtime.clock.advance(60_000)
    answers.append(await post(stranger.client, doors, one))

    facts = [row["facts"] for row in await rows(runtime, "SELECT facts FROM log ORDER BY id")]
    assert set(answers) == {401}
    assert len(facts) == EACH + 2, "ten, the hundredth, and the first of the next minute"
    assert '"unrecorded":89' in facts[EACH]
    assert '"unrecorded":50' in facts[EACH + 1]


async def test_doors_that_are_not_there_are_404_and_others_words_at_a_handshake_403(stranger, doors):
    for token in ("x", "%00", "..%2f..%2fetc", "%ED%A0%80", "%F0%9F%92%A9", "a" * 5_000, "' OR 1=1 --"):
        assert (await stranger.client.post(f"/hooks/wa/{token}", content=b"{}")).status_code == 404
        assert (await stranger.client.post(f"/hooks/pay/{token}", content=b"{}")).status_code == 404
    assert (await stranger.get("/hooks/wa/x")).status_code == 404
    right = {"hub.mode": "subscribe", "hub.verify_token": "v", "hub.challenge": "<script>42"}
    good = await stranger.get(doors["cloud"], params=right)
    assert (good.status_code, good.text) == (200, "<script>42")
    assert good.headers["content-type"].startswith("text/plain")
    for change in ({"hub.verify_token": "V"}, {"hub.verify_token": ""}, {"hub.verify_token": "v,"}, {"hub.mode": "x"}):
        assert (await stranger.get(doors["cloud"], params=right | change)).status_code == 403
    assert (await stranger.get(doors["cloud"], params={})).status_code == 403
    assert (await stranger.get(doors["phone"], params=right)).status_code == 403


async def test_sec_s4_a_body_over_the_limit_is_413_whether_or_not_it_says_its_length(stranger, runtime, doors):
    async def endless():
        for _ in range(1_000):
            yield b" " * 65_536
        raise AssertionError("everything was read")

    for door, limit in (("phone", receive.CHANNEL_LIMIT), ("payment", receive.PAYMENT_LIMIT)):
        large = await stranger.client.post(doors[door], content=b" " * (limit + 1))
        streamed = await stranger.client.post(doors[door], content=endless())
        assert (large.status_code, streamed.status_code) == (413, 413)
    assert await count(runtime, "webhook") == 0


async def test_a_limit_of_a_channel_that_is_no_number_is_refused_and_one_stored_before_harms_nothing(
    stranger, runtime, doors
):
    await runtime.store.write("old", lambda tx: tx.run("""UPDATE channel SET settings = '{"max_body":"abc"}'"""))

    assert await post(stranger.client, doors, Post("", "phone", whole(said()))) == 200


async def test_no_content_type_and_no_encoding_changes_how_a_body_is_read(stranger, doors):
    raw = whole(said())
    for kind in ("text/html", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "", "é"):
        response = await stranger.client.post(doors["phone"], content=raw, headers={"content-type": kind.encode()})
        assert response.status_code == 200, kind
    packed = {"content-encoding": "gzip", "content-type": "application/json"}
    assert (await stranger.client.post(doors["phone"], content=raw, headers=packed)).status_code == 200


async def test_r20_fifty_identical_posts_at_once_are_one_message(stranger, runtime, doors):
    one = Post("same", "phone", whole(said()))
    answers = await asyncio.gather(*(post(stranger.client, doors, one) for _ in range(50)))

    assert Counter(answers) == {200: 50}
    for table in ("inbound", "contact", "conversation"):
        assert await count(runtime, table) == 1
    assert await count(runtime, "log", "outcome = 'duplicate'") == 49


async def test_r13_the_order_in_which_posts_come_is_not_the_order_in_which_they_were_written(stranger, runtime, doors):
    posts = []
    for number in reversed(range(5)):
        at = str(runtime.clock.now() // 1_000 - 10 + number)
        raw = whole(written(f"palavra {number}", f"wamid.{number}", timestamp=at))
        posts.append(Post(str(number), "cloud", raw, headers=proof("cloud", raw)))
    assert await wrong(stranger.client, doors, posts) == {}

    texts = [row["text"] for row in await rows(runtime, "SELECT text FROM inbound ORDER BY at, id")]
    assert texts == [f"palavra {number}" for number in range(5)]
