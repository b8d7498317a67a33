"""Runs of the simulator and saved tests as rows: whose they are, how many are kept, which names are taken."""

import pytest

from engine.core.errors import Conflict
from engine.store import saved_tests, simulations

NOW = 1_780_000_000_000


def _run(tx, who="ana", at=NOW, **changes):
    row = {"version": None, "draft_revision": 1, "document": "{}", "begun": "{}", "steps": "[]"}
    return simulations.add(tx, flow="venda", who=who, now=at, **{**row, **changes})


async def test_a_run_is_read_by_its_maker_alone(store):
    number = await store.write(1, _run)

    assert (await store.write(1, lambda tx: simulations.get(tx, number, "venda", "ana"))).steps == "[]"
    assert await store.write(1, lambda tx: simulations.get(tx, number, "venda", "bia")) is None
    assert await store.write(1, lambda tx: simulations.get(tx, number, "outro", "ana")) is None


async def test_a_person_keeps_the_latest_runs_and_nobody_loses_theirs(store):
    other = await store.write(1, lambda tx: _run(tx, "bia", NOW - 1))
    made = [await store.write(1, lambda tx, at=NOW + n: _run(tx, at=at)) for n in range(simulations.KEPT + 3)]

    kept = await store.write(1, lambda tx: simulations.latest(tx, "venda", "ana"))
    assert [run.id for run in kept] == made[:2:-1]
    assert await store.write(1, lambda tx: simulations.get(tx, other, "venda", "bia")) is not None


async def test_a_run_that_somebody_went_on_with_is_not_written_over(store):
    number = await store.write(1, _run)
    run = await store.write(1, lambda tx: simulations.get(tx, number, "venda", "ana"))
    change = {"document": "{}", "draft_revision": 2, "now": NOW + 5}

    assert await store.write(1, lambda tx: simulations.change(tx, run, steps='[{"kind":"again"}]', **change))
    assert not await store.write(1, lambda tx: simulations.change(tx, run, steps="[]", **change))
    after = await store.write(1, lambda tx: simulations.get(tx, number, "venda", "ana"))
    assert (after.length, after.revision, after.draft_revision, after.at) == (1, 1, 2, NOW + 5)


async def test_a_test_has_a_name_of_its_own_within_its_flow(store):
    told = {"document": "{}", "who": "ana", "now": NOW}
    first = await store.write(1, lambda tx: saved_tests.add(tx, flow="venda", name="um", **told))
    second = await store.write(1, lambda tx: saved_tests.add(tx, flow="venda", name="dois", **told))

    assert await store.write(1, lambda tx: saved_tests.add(tx, flow="venda", name="um", **told)) is None
    assert await store.write(1, lambda tx: saved_tests.add(tx, flow="outro", name="um", **told)) is not None
    with pytest.raises(Conflict):
        await store.write(1, lambda tx: saved_tests.rename(tx, "venda", second, "um"))
    assert await store.write(1, lambda tx: saved_tests.rename(tx, "venda", second, "três"))
    assert not await store.write(1, lambda tx: saved_tests.rename(tx, "outro", second, "quatro"))
    assert await store.write(1, lambda tx: saved_tests.delete(tx, "venda", first))
    assert not await store.write(1, lambda tx: saved_tests.delete(tx, "venda", first))
    assert [test.name for test in await store.write(1, lambda tx: saved_tests.of(tx, "venda"))] == ["três"]
