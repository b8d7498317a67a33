"""`trilho scenario`: play a file against the real services and say what differs."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.adapters.payments.registry import PLATFORMS
from engine.adapters.secrets import Vault
from engine.core.errors import InvalidDocument, Refused, TrilhoError
from engine.runtime import ManualClock, Runtime, SeededIds
from engine.services.scenarios.compare import Seen, differences
from engine.services.scenarios.drive import Driver
from engine.services.scenarios.format import EPOCH, Scenario, instant
from engine.services.scenarios.inputs import perform
from engine.services.scenarios.network import Flying, Network
from engine.services.scenarios.reading import load
from engine.services.scenarios.records import seen
from engine.services.scenarios.world import build
from engine.settings import from_environment
from engine.store import contacts, observing
from engine.store.connection import Tx
from engine.store.lanes import Store
from engine.store.scratch import scratch


@dataclass(frozen=True, slots=True)
class Result:
    """How one file went; `differences` are sentences, empty when it passed."""

    file: str
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return not self.differences


async def play(path: Path, database_url: str | None = None) -> Result:
    """Play one file on an empty database of its own. A file with mistakes is a result with those mistakes."""
    try:
        scenario, came = await observe(path, database_url)
        found = differences(scenario.expect, came)
    except InvalidDocument as error:
        found = [str(mistake) for mistake in error.mistakes]
    except Refused as error:
        found = [": ".join([error.code, *(f"{name} {value}" for name, value in error.facts.items())])]
    except TrilhoError as error:
        found = [str(error)]
    return Result(str(path), tuple(found))


async def observe(path: Path, database_url: str | None = None) -> tuple[Scenario, Seen]:
    """Play one file and tell what came of it, whatever it expects. Raises InvalidDocument, NotFound, Refused."""
    scenario = load(path, frozenset(PLATFORMS))
    with scratch(database_url) as url:
        return scenario, await played(scenario, url)


def files(paths: Iterable[Path]) -> list[Path]:
    """The scenario files among paths; folders are searched, not their sub-folders."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.glob("*.json")) if path.is_dir() else [path]
    return found


async def played(scenario: Scenario, url: str, rounds: int | None = None) -> Seen:
    """Play on this very database, which has to be migrated and empty. Raises as `observe` does, and Refused when it takes
    more rounds of work than `rounds`.
    """
    async with driving(scenario, url) as driver:
        driver.rounds = rounds
        statuses = await _inputs(driver)
        await driver.finish()
        runtime, calls, now = driver.runtime, driver.network.calls, driver.clock.now()
        return await runtime.store.read(lambda tx: seen(tx, runtime.flows, driver.world, calls, statuses, now))


async def _inputs(driver: Driver) -> list[int | None]:
    statuses: dict[int, int | None] = {}
    rows = list(driver.scenario.inputs)
    while rows:
        together = [rows.pop(0)]
        while rows and together[0].get("parallel") and rows[0].get("parallel") == together[0]["parallel"]:
            together.append(rows.pop(0))
        await driver.until(instant(together[0]["at"]))
        answers = await asyncio.gather(*(perform(driver, row) for row in together))
        for row, answer in zip(together, answers, strict=True):
            statuses[row["index"]] = answer
        await driver.settle()
    return [statuses[index] for index in sorted(statuses)]


@asynccontextmanager
async def driving(scenario: Scenario, url: str) -> AsyncIterator[Driver]:
    """The scenario's world at T0 on this very database, ready to be driven."""
    clock = ManualClock(EPOCH)
    store = Store(url, inline=True)
    network = Network(clock.now)
    runtime = Runtime(
        settings=from_environment({}),
        store=store,
        queue=NoQueue(),
        http=network,
        vault=Vault(b"\0" * 32),
        clock=clock,
        ids=SeededIds(1),
    )
    driver: Driver | None = None
    try:
        world = await build(runtime, scenario)
        driver = Driver(runtime, clock, world, scenario, network)
        network.row_of = partial(_on_the_wire, driver)
        network.names = _Names(driver)
        driver.prepare()
        yield driver
    finally:
        await (runtime if driver is None else driver.runtime).close()  # a restart makes another one


class NoQueue:
    """Redis holds nothing that the database does not (R30): a scenario needs none."""

    async def enqueue(self, job: str, *args: object) -> bool:
        """Taken by nobody; the sweep finds it."""
        _ = (job, args)
        return False

    async def ping(self) -> bool:
        """It never answers."""
        return False

    async def close(self) -> None:
        """Nothing to close."""


class _Names:
    """The numbers by which a scenario may mean a row: its own id, or, for a row that was made during the case, the
    number in the same place among those that the scenario mentions and `setup` does not have.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        setup = driver.scenario.setup
        preset = {row["id"] for row in setup.get("outbox") or []}
        mentioned = [f["outbox"] for f in setup.get("faults") or [] if "outbox" in f]
        mentioned += [
            i["payload"]["outbox"]
            for i in driver.scenario.inputs
            if i["kind"] == "send_result" and "outbox" in (i.get("payload") or {})
        ]
        self._made = [number for number in dict.fromkeys(mentioned) if number not in preset]

    def __call__(self, row: int) -> frozenset[object]:
        """The names of a row."""
        names: set[object] = {row} if row in self._driver.world.preset_rows else set()
        order = list(dict.fromkeys(call.row for call in self._driver.network.calls))
        order = [r for r in order if r not in self._driver.world.preset_rows]
        if row in order and order.index(row) < len(self._made):
            names.add(self._made[order.index(row)])
        return frozenset(names)


async def _on_the_wire(driver: Driver) -> Flying:
    """The row that was claimed and has not called yet."""

    def unit(tx: Tx) -> Flying:
        called = {(call.row, call.attempt) for call in driver.network.calls}
        called |= {(row, 1) for row in driver.world.flying_rows}
        found = next(row for row in observing.on_the_wire(tx) if (row.id, row.attempt) not in called)
        phone = str(contacts.row(tx, found.contact_id)["phone"])
        return Flying(found.id, found.attempt, found.part, found.action, phone)

    return await driver.runtime.store.read(unit)
