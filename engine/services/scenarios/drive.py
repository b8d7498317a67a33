"""Drives a scenario through the real services on a clock that only moves when nothing is left to do at its moment."""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.adapters.channels.registry import CHANNELS
from engine.core.flow import SECOND, Millis
from engine.runtime import ManualClock, Runtime
from engine.services import advance, deliver, sweep
from engine.services.deliver import Claimed
from engine.services.outgoing import outgoing
from engine.services.scenarios.format import Scenario, instant
from engine.services.scenarios.network import Network, Script
from engine.services.scenarios.world import World
from engine.store import conversations, due, outbox
from engine.store.connection import Tx

YIELDS = 50


@dataclass(slots=True)
class Driver:
    """The running scenario. `frozen` are spans in which nothing of ours runs, `slow_sending` in which nothing leaves."""

    runtime: Runtime
    clock: ManualClock
    world: World
    scenario: Scenario
    network: Network
    frozen: list[tuple[Millis, Millis]] = field(default_factory=list)
    slow_sending: list[tuple[Millis, Millis]] = field(default_factory=list)
    flying: set["asyncio.Task[None]"] = field(default_factory=set)

    def prepare(self) -> None:
        """Read the faults and what the providers will answer."""
        for fault in self.scenario.setup.get("faults") or []:
            begin = instant(fault.get("at", 0))
            if fault["what"] in ("all_down", "server_down"):
                self.frozen.append((begin, instant(fault.get("until", 0))))
            elif fault["what"] == "outbox_worker_delay":
                self.slow_sending.append((begin, begin + round(fault.get("seconds", 0) * 1_000)))
        for row in self.scenario.inputs:
            if row["kind"] == "send_result":
                payload = row["payload"]
                self.network.scripts.append(Script(instant(row["at"]), payload, int(payload.get("times", 1))))

    async def until(self, target: Millis) -> None:
        """Do everything that is due up to `target`, moment by moment, then stand there."""
        while True:
            await self.settle()
            moment = await self._next()
            if moment is None or moment > target:
                break
            self.clock.move_to(max(moment, self.clock.now()))
        if target > self.clock.now():
            self.clock.move_to(target)
            await self.settle()

    async def finish(self) -> None:
        """After the last input: bursts end and their answers leave; then on until nothing is due within the next
        second, and no further: a deadline hours away does not fire.
        """
        while (moment := await self._next()) is not None:
            begun = await self.runtime.store.read(due.begun)
            promised = [m for m in (begun, *(end for _, end in self.slow_sending)) if m is not None]
            if moment > self.clock.now() + SECOND and moment not in promised:
                return
            await self.until(moment)

    async def settle(self) -> None:
        """Everything that can happen at this moment happens: decide first, then send."""
        self.network.wake(self.clock.now())
        await self._breathe()
        while not self._frozen() and await self._work():
            await self._breathe()

    async def restart(self) -> None:
        """Kill what runs: calls on the wire are forgotten by us, not by the providers."""
        for task in self.flying:
            task.cancel()
        await asyncio.gather(*self.flying, return_exceptions=True)
        self.flying.clear()
        await self.settle()

    async def answer(self, script: Mapping[str, Any]) -> None:
        """The provider's answer to a call that was on the wire at T0."""
        now = self.clock.now()
        row = await self.runtime.store.read(lambda tx: self._flying_at_start(tx, script))
        if row is None or row.channel_id is None:
            return
        record = next(c for c in self.world.channels.values() if c.id == row.channel_id)
        channel = CHANNELS[record.config.kind]
        status, body = script.get("status"), script.get("body")
        result = (
            channel.answer(None, None, "answer_lost")
            if status == "timeout"
            else channel.answer(int(status or 200), body, None)
        )

        def unit(tx: Tx) -> None:
            claimed = Claimed(row, record.config, outgoing(tx, row), now, deliver.PAUSE)
            deliver.settle(tx, now, claimed, result)

        await self.runtime.store.write("scenario", unit)

    def _flying_at_start(self, tx: Tx, script: Mapping[str, Any]) -> outbox.Row | None:
        rows = [outbox.get(tx, i) for i in sorted(self.world.preset_rows)]
        called = {call.row for call in self.network.calls}
        for row in rows:
            if row is None or row.id in called or row.status not in ("sending", "sent"):
                continue
            if "outbox" in script and script["outbox"] != row.id:
                continue
            if row.status == "sending":
                return row
        return None

    async def _work(self) -> bool:
        work = await sweep.tick(self.runtime)
        for group in work.advance:
            await advance.run(self.runtime, group)
        if work.advance:
            await self._give_back(work.deliver)
            return True
        if self.sending_waits():
            await self._give_back(work.deliver)
            return False
        for group in work.deliver:
            for conversation_id in group:
                self._start(deliver.run(self.runtime, [conversation_id]))
        return bool(work.deliver)

    async def _give_back(self, groups: list[list[int]]) -> None:
        """What was claimed to be sent is not sent now; the next sweep finds it again."""
        ids = [i for group in groups for i in group]

        def unit(tx: Tx) -> None:
            for conversation_id in ids:
                conversations.sent_all(tx, conversation_id)

        await self.runtime.store.write("scenario", unit)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.flying.add(task)

    async def _breathe(self) -> None:
        """Let the senders go on until each is done or waits for an answer that is scripted for later."""
        for _ in range(YIELDS):
            done = {task for task in self.flying if task.done()}
            for task in done:
                self.flying.discard(task)
                task.result()
            if len(self.flying) <= len(self.network.waiting):
                return
            await asyncio.sleep(0)

    async def _next(self) -> Millis | None:
        now = self.clock.now()
        moments = [await self.runtime.store.read(due.next_due)]
        moments += [at for at, _ in self.network.waiting]
        moments += [end for begin, end in (*self.frozen, *self.slow_sending) if begin <= now < end]
        known = [m for m in moments if m is not None]
        later = [m for m in known if m > now]
        return min(later) if later else None

    def _frozen(self) -> bool:
        return any(begin <= self.clock.now() < end for begin, end in self.frozen)

    def sending_waits(self) -> bool:
        """Whether a fault keeps every letter back now."""
        return any(begin <= self.clock.now() < end for begin, end in self.slow_sending)


def body_of(payload: object) -> bytes:
    """A payload as a provider would post it."""
    return json.dumps(payload, ensure_ascii=False).encode()
