"""SEC-S23: the ends of both chains are kept every day, so that even a tail that was cut off everywhere is missed."""

import asyncio

import pytest

from engine.core.flow import DAY, HOUR
from engine.core.permissions import Actor
from engine.services import anchoring, doctor_chains
from engine.services import daily as daily_look
from engine.services.daily import Daily
from engine.store import audit
from tests.services.shop import ANA, BIA

CAIO = Actor("caio@trilho.test")


async def noted(shop, what="flow.edited"):
    await shop.runtime.store.write("n", lambda tx: audit.note(tx, shop.clock.now(), CAIO, what, subject="venda"))


async def verified(shop, lines=()):
    return await doctor_chains.verify(shop.runtime.store, None, lines)


async def undone(shop, *statements):
    """What somebody with the whole database in hand could do: the triggers are theirs to drop."""

    def unit(tx):
        if tx.dialect == "postgresql":
            for table in ("log", "audit", "anchor"):
                tx.run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        else:
            for table in ("log", "audit", "anchor"):
                for verb in ("update", "delete"):
                    tx.run(f"DROP TRIGGER IF EXISTS {table}_no_{verb}")
        for statement in statements:
            tx.run(statement)
        if tx.dialect == "postgresql":
            for table in ("log", "audit", "anchor"):
                tx.run(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    await shop.runtime.store.write("forger", unit)


async def test_each_day_has_one_anchor_however_many_workers_look(shop):
    await noted(shop)
    workers = [Daily(shop.runtime) for _ in range(3)]
    await asyncio.gather(*(worker.look() for worker in workers * 2))
    shop.clock.advance(DAY)
    await asyncio.gather(*(worker.look() for worker in workers))

    kept = await anchoring.anchored(shop.runtime)
    assert len(kept) == 2 and kept[0].day > kept[1].day
    assert (await verified(shop)).broken is None
    assert (await verified(shop)).anchors == 2


async def test_a_worker_asks_the_database_once_a_day(shop, monkeypatch):
    asked = []

    async def counted(runtime):
        asked.append(runtime.clock.now())

    monkeypatch.setattr(daily_look, "anchoring", counted)
    daily = Daily(shop.runtime)
    for _ in range(48):
        await daily.look()
        shop.clock.advance(HOUR)
    assert len(asked) in (2, 3)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)",
        "UPDATE audit SET who = 'outra' WHERE id = (SELECT max(id) FROM audit)",
        "DELETE FROM audit WHERE id = (SELECT min(id) FROM audit)",
        "UPDATE log SET outcome = 'ignored' WHERE id = (SELECT max(id) FROM log WHERE n IS NOT NULL)",
        "UPDATE anchor SET audit_hash = 'x'",
    ],
)
async def test_every_kind_of_change_is_found(shop, statement):
    await shop.talks(ANA, "oi")
    await noted(shop)
    await noted(shop, "flow.published")
    await anchoring.anchoring(shop.runtime)
    assert (await verified(shop)).broken is None

    await undone(shop, statement)

    assert (await verified(shop)).broken is not None


async def test_a_tail_that_was_cut_with_everything_that_speaks_of_it_is_missed_by_its_anchor_alone(shop):
    await shop.talks(ANA, "oi")
    await noted(shop)
    await shop.talks(BIA, "oi")
    await noted(shop, "flow.published")
    made = await anchoring.anchoring(shop.runtime)
    last = (await shop.conversation(BIA)).id

    await undone(
        shop,
        "DELETE FROM audit WHERE what = 'flow.published'",
        f"DELETE FROM log WHERE conversation_id = {last} AND n = (SELECT max(n) FROM log WHERE conversation_id = {last})",
        f"UPDATE conversation SET log_n = log_n - 1, log_hash = (SELECT hash FROM log WHERE conversation_id = {last} "
        f"AND n IS NOT NULL ORDER BY n DESC LIMIT 1) WHERE id = {last}",
    )
    found = await verified(shop)
    assert found.broken == f"anchor {made.day}"

    await undone(shop, "DELETE FROM anchor")
    assert (await verified(shop)).broken is None, "whoever holds the whole database can hide it"
    assert (await verified(shop, [made.line])).broken == f"anchor {made.day}", "but not from the file"


async def test_the_anchors_themselves_only_grow(shop):
    await anchoring.anchoring(shop.runtime)
    for statement in ("DELETE FROM anchor", "UPDATE anchor SET at = 0"):
        with pytest.raises(Exception, match="only grows"):
            await shop.runtime.store.write("x", lambda tx, statement=statement: tx.run(statement))


@pytest.mark.parametrize("line", ["", "2026-01-01", "2026-01-01 audit x - log 1 -", "2026-01-01 audit 999 abc log 0 -"])
async def test_a_line_that_says_nothing_true_is_no_proof(shop, line):
    await noted(shop)
    assert (await verified(shop, [line])).broken == f"anchor {line.split(' ')[0]}"
