"""Drives a scenario through the real services on a clock that only moves when nothing is left to do at its moment."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.adapters.channels.registry import CHANNELS
from engine.core.errors import Refused
from engine.core.flow import SECOND, Millis
from engine.runtime import Flows, ManualClock, Runtime
from engine.services import advance, connection, deliver, fetch, media, sweep
from engine.services.deliver import Claimed
from engine.services.outgoing import outgoing
from engine.services.scenarios.faults import Faults, faults
from engine.services.scenarios.files import ABOUT, About, heard
from engine.services.scenarios.format import Scenario, instant
from engine.services.scenarios.network import Network, Script
from engine.services.scenarios.world import World
from engine.store import due, marks, outbox
from engine.store.connection import Tx
from engine.store.lanes import Store
from engine.store.media import of_message

YIELDS = 50
ROUNDS = 10_000
"""Rounds of work at one moment of the clock; more means that something is found due that nothing settles."""


@dataclass(slots=True)
class Driver:
    """The running scenario."""

    runtime: Runtime
    clock: ManualClock
    world: World
    scenario: Scenario
    network: Network
    faults: Faults = field(default_factory=Faults)
    flying: set["asyncio.Task[None]"] = field(default_factory=set)
    slow: dict[int, Millis] = field(default_factory=dict)
    """Conversations whose letters wait for a slow action, and until when."""
    rounds: int | None = None
    """How many rounds of work may still come, None for any number."""

    def prepare(self) -> None:
        """Read the faults and what the providers will answer."""
        results = [row for row in self.scenario.inputs if row["kind"] == "send_result"]
        for row in results:
            payload = row.get("payload") or {}
            self.network.scripts.append(Script(payload, int(payload.get("times", 1)), at=instant(row["at"])))
        payloads = [row.get("payload") or {} for row in results]
        given = self.scenario.setup.get("faults") or []
        self.faults = faults(given, payloads, self.network)
        heard(self.network.files, self.scenario.inputs, given)

    async def until(self, target: Millis) -> None:
        """Do everything that is due up to `target`, moment by moment, then stand there.

        Raises Refused("too_much_happens") when it takes more work than `rounds` allows.
        """
        while True:
            await self.settle()
            moment = await self.next_moment()
            if moment is None or moment > target:
                break
            self.clock.move_to(max(moment, self.clock.now()))
        if target > self.clock.now():
            self.clock.move_to(target)
            await self.settle()

    async def finish(self) -> None:
        """After the last input: bursts end, what is on the wire is answered and what was kept back leaves; then on
        until nothing is due within the next second, and no further: a deadline hours away does not fire.
        """
        while (moment := await self.next_moment()) is not None:
            begun = await self.runtime.store.read(due.begun)
            waiting = [at for at, _ in self.network.waiting]
            promised = {begun, *waiting, *self.slow.values(), *(end for _, end in self.faults.not_sending)}
            if moment > self.clock.now() + SECOND and moment not in promised:
                return
            await self.until(moment)

    async def settle(self) -> None:
        """Everything that can happen at this moment happens: decide first, then send."""
        self.network.wake(self.clock.now())
        await self._breathe()
        for _ in range(ROUNDS):
            if self.faults.is_stopped(self.clock.now()) or not await self._work():
                return
            self._count()
            await self._breathe()
        raise RuntimeError("something stays due at one moment for ever")

    async def restart(self, what: list[str]) -> None:
        """Kill what runs: calls on the wire are forgotten by us, not by the providers; only the database stays."""
        if what and not {"worker", "all"} & set(what):
            return
        for task in self.flying:
            task.cancel()
        await asyncio.gather(*self.flying, return_exceptions=True)
        self.flying.clear()
        self.network.forget()
        before = self.runtime.store
        self.runtime = replace(self.runtime, store=Store(before.url, inline=True), flows=Flows())
        await before.close()
        await self.settle()

    async def answer(self, script: Mapping[str, Any]) -> None:
        """The provider's answer to a call that was on the wire at T0."""
        now = self.clock.now()
        row = await self.runtime.store.read(lambda tx: self._flying_at_start(tx, script))
        if row is None or row.channel_id is None:
            return
        record = next(c for c in self.world.channels if c.id == row.channel_id)
        channel = CHANNELS[record.config.kind]
        status, body = script.get("status"), script.get("body")
        result = (
            channel.answer(None, None, "answer_lost" if status == "timeout" else "not_sent")
            if status in ("timeout", "not_sent")
            else channel.answer(int(status or 200), body, None)
        )

        def unit(tx: Tx) -> None:
            claimed = Claimed(row, record.config, outgoing(tx, row), now, deliver.PAUSE)
            deliver.settle(tx, now, claimed, result)

        await self.runtime.store.write("scenario", unit)

    def _flying_at_start(self, tx: Tx, script: Mapping[str, Any]) -> outbox.Row | None:
        called = {call.row for call in self.network.calls}
        for row in (outbox.get(tx, i) for i in sorted(self.world.flying_rows)):
            if row is None or row.id in called or row.status != "sending":
                continue
            if "outbox" not in script or script["outbox"] == row.id:
                return row
        return None

    async def _work(self) -> bool:
        """One round; whether anything was done. Several workers do the same work at the same time."""
        work = await sweep.tick(self.runtime)
        crowd = self.faults.workers(self.clock.now())
        for group in work.look:
            await connection.look(self.runtime, group)
        for group in work.media:
            for _ in range(crowd):
                self._start(self._attended(group[0]))
        for group in work.advance:
            await asyncio.gather(*(advance.run(self.runtime, group) for _ in range(crowd)))
        for group in work.fetch:
            await asyncio.gather(*(fetch.run(self.runtime, group) for _ in range(crowd)))
        letters = [conversation_id for group in work.deliver for conversation_id in group]
        done = bool(work.advance or work.fetch or work.media)
        if work.advance or self.faults.is_not_sending(self.clock.now()):
            await self._give_back(letters)
            return done
        kept = await self._kept_back(letters)
        await self._give_back(kept)
        going = [i for i in letters if i not in kept]
        for conversation_id in going:
            for _ in range(crowd):
                self._start(deliver.run(self.runtime, [conversation_id]))
        return done or bool(going)

    async def _attended(self, inbound_id: int) -> None:
        """What is due for the file of a message."""
        there = await self.runtime.store.read(lambda tx: of_message(tx, inbound_id))
        if there is not None:
            ABOUT.set(About(there.provider_id, there.kind))
            await media.run(self.runtime, [inbound_id])

    async def _kept_back(self, conversation_ids: list[int]) -> list[int]:
        """Those whose action is still at it."""
        now = self.clock.now()
        self.slow = {i: moment for i, moment in self.slow.items() if moment > now}
        for conversation_id in conversation_ids if self.faults.slow else ():
            slow = partial(self.faults.slow_until, conversation_id=conversation_id, now=now)
            moment = await self.runtime.store.read(slow)
            if moment is not None:
                self.slow[conversation_id] = moment
        return [i for i in conversation_ids if i in self.slow]

    async def _give_back(self, conversation_ids: list[int]) -> None:
        """What was claimed to be sent is not sent now; the next sweep finds it again."""
        if conversation_ids:

            def unit(tx: Tx) -> None:
                for conversation_id in conversation_ids:
                    marks.sent_all(tx, conversation_id)

            await self.runtime.store.write("scenario", unit)

    def _count(self) -> None:
        if self.rounds is not None:
            self.rounds -= 1
            if self.rounds < 0:
                raise Refused("too_much_happens")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.flying.add(asyncio.get_running_loop().create_task(work))

    async def _breathe(self) -> None:
        """Let the senders go on until each is done or waits for an answer that is scripted for later."""
        for _ in range(YIELDS):
            for task in {task for task in self.flying if task.done()}:
                self.flying.discard(task)
                task.result()
            if len(self.flying) <= len(self.network.waiting):
                return
            await self.clock.sleep(0)

    async def next_moment(self) -> Millis | None:
        """When something is due next, None when nothing ever is."""
        now = self.clock.now()
        moments = [await self.runtime.store.read(partial(due.next_due, now=now)), *self.slow.values()]
        moments += [at for at, _ in self.network.waiting]
        moments += self.faults.changes(now)
        return min((m for m in moments if m is not None and m > now), default=None)
