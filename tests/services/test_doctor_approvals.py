"""The doctor looks at approvals: whole after a day of them on either database, and every wound is found (R7, R42)."""

import pytest
import pytest_asyncio

from engine.core.flow import DAY, HOUR
from engine.services.approval_decisions import approve, extend, reject
from engine.services.doctor import examine
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.discount import ANA, asked, discount
from tests.services.shop import Provider, opened

PEOPLE = [f"554190000000{n}" for n in range(1, 6)]


async def lived(url):
    """One request of each fate: sent with other words, rejected, withdrawn, expired, waiting."""
    runtime = a_runtime(url, store=Store(url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": discount(states__DESCONTO__deadline="2h")})
    one, two, three, four = [await asked(shop, phone) for phone in PEOPLE[:4]]
    await approve(runtime, one.id, one.sha256, ANA, {0: "Fecho por R$ 250."})
    await reject(runtime, two.id, "caro", ANA)
    await shop.pays(PEOPLE[2])
    await shop.after(3 * HOUR)
    five = await asked(shop, PEOPLE[4])
    await extend(runtime, five.id, ANA)
    await shop.works()
    assert four.status == "pending"
    assert three.status == "pending"
    return shop


@pytest_asyncio.fixture
async def day(database_url):
    shop = await lived(database_url)
    yield shop
    await shop.runtime.close()


@pytest_asyncio.fixture
async def patient(sqlite_url):
    """On SQLite, where the rows are numbered from 1."""
    shop = await lived(sqlite_url)
    yield shop
    await shop.runtime.close()


async def broken(shop):
    return {v.invariant: v.rows for v in await examine(shop.runtime.store, shop.clock.now()) if not v.holds}


async def test_a_day_of_approvals_breaks_nothing(day):
    fates = [row["status"] for row in await day.rows("SELECT status FROM approval ORDER BY id")]
    assert fates == ["approved", "rejected", "withdrawn", "expired", "pending"]
    assert await broken(day) == {}
    seen = {v.invariant: v.checked for v in await examine(day.runtime.store, day.clock.now())}
    assert (seen["approvals"], seen["approved"]) == (2, 1)


@pytest.mark.parametrize(
    ("invariant", "row", "wound"),
    [
        ("approvals", "conversation 5", "UPDATE approval SET status = 'withdrawn' WHERE id = 5"),
        ("approvals", "conversation 5", "UPDATE approval SET status = 'expired' WHERE id = 5"),
        ("approvals", "approval 3", "UPDATE approval SET status = 'pending' WHERE id = 3"),
        ("approved", "outbox 1", "UPDATE approval SET sha256 = 'x' WHERE id = 1"),
        ("approved", "outbox 1", "UPDATE approval SET status = 'rejected' WHERE id = 1"),
        ("approved", "outbox 1", """UPDATE outbox SET payload = '{"text":"Outra"}' WHERE id = 1"""),
        ("approved", "outbox 1", "UPDATE outbox SET approval_id = 99 WHERE id = 1"),
    ],
)
async def test_a_wound_of_an_approval_is_found_and_nothing_else(patient, invariant, row, wound):
    await patient.runtime.store.write("x", lambda tx: tx.run(wound))
    assert await broken(patient) == {invariant: (row,)}


async def test_a_request_that_nothing_answered_in_time_is_no_wound(database_url):
    tree = discount()
    tree["transitions"] = [row for row in tree["transitions"] if row["id"] != "t5"]
    runtime = a_runtime(database_url, store=Store(database_url, inline=True), http=Provider())
    shop = await opened(runtime, flow={"document": tree})
    await asked(shop)
    await shop.after(DAY)
    assert await broken(shop) == {}
    await runtime.close()
