"""The audit log: one chain, whoever appends and however many at once (R44, SEC-S23)."""

import asyncio

from engine.core.chain import Break
from engine.core.permissions import Actor
from engine.store import audit
from engine.store.lanes import Store


def note(n, what="flow.published"):
    return lambda tx: audit.note(tx, n, Actor(f"p{n % 2}", "10.0.0.1"), what, subject=f"s{n % 3}", facts={"n": n})


async def test_many_appenders_in_several_processes_worth_of_lanes_make_one_chain(store, database_url):
    other = Store(database_url)
    await asyncio.gather(*(one.write(n, note(n)) for n in range(60) for one in (store, other)))
    assert await store.read(audit.check) == (120, None)
    head = await store.read(audit.head)
    assert await store.read(lambda tx: audit.check(tx, head)) == (120, None)
    await other.close()


async def test_a_cut_tail_is_found_through_an_anchor_and_an_inserted_row_without(store):
    for n in range(3):
        await store.write("k", note(n))
    assert (await store.read(lambda tx: audit.check(tx, "another head")))[1] == Break(3, "tail")
    forged = (
        "INSERT INTO audit (at, who, what, subject, facts, address, prev_hash, hash)"
        " VALUES (9, 'x', 'y', '', '{}', '', 'made up', 'made up')"
    )
    await store.write("k", lambda tx: tx.run(forged))
    assert (await store.read(audit.check))[1] == Break(3, "order")


async def test_rows_are_listed_newest_first_a_page_at_a_time_and_filtered(store):
    for n in range(7):
        await store.write("k", note(n, "flow.edited" if n % 2 else "session.started"))
    page = await store.read(lambda tx: audit.listed(tx, limit=3))
    assert [entry.at for entry in page] == [6, 5, 4]
    page = await store.read(lambda tx: audit.listed(tx, limit=3, before=page[-1].id))
    assert [entry.at for entry in page] == [3, 2, 1]

    async def found(**wanted):
        return [entry.at for entry in await store.read(lambda tx: audit.listed(tx, **wanted))]

    assert await found(who="p1") == [5, 3, 1]
    assert await found(what="session.") == [6, 4, 2, 0]
    assert await found(what="flow.edited", subject="s0") == [3]
    assert await found(since=5) == [6, 5]
