"""The stage: a scenario's world that is played input by input, and what each step of the simulation left behind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.core.flow import Millis
from engine.services.scenarios.drive import Driver
from engine.services.scenarios.format import EPOCH, instant
from engine.services.scenarios.inputs import perform
from engine.store import due, observing

__all__ = ["MOST_ROUNDS", "Row", "Stage", "seconds"]

MOST_ROUNDS = 1_500
"""Rounds of work of a whole run: a flow with short silences makes very many of them in a month."""
Row: TypeAlias = dict[str, Any]


def seconds(at: Millis) -> float:
    """An instant as the scenario format has it: seconds from T0."""
    return (at - EPOCH) / 1_000


@dataclass(slots=True)
class Stage:
    """`played` are the inputs so far, each with the number of its step; `spans` tell for a step up to which log row it
    came; `calls` how many sends there were when a step began; `answers` what the senders of a step's inputs saw.
    """

    driver: Driver
    played: list[tuple[int, Row]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    calls: dict[int, int] = field(default_factory=dict)
    answers: dict[int, int] = field(default_factory=dict)

    @property
    def now(self) -> Millis:
        """The virtual clock."""
        return self.driver.clock.now()

    @property
    def count(self) -> int:
        """A number that no input had before."""
        return 1_000 + len(self.played)

    async def do(self, number: int, row: Mapping[str, Any]) -> None:
        """One input of step `number`, at its moment; what is due before happens first."""
        self.calls.setdefault(number, len(self.driver.network.calls))
        whole = {**row, "index": len(self.played)}
        await self.driver.until(instant(whole["at"]))
        answer = await perform(self.driver, whole)
        await self.driver.settle()
        if answer is not None:
            self.answers[number] = answer
        await self._note(number, dict(row))

    async def rest(self, number: int) -> None:
        """The customer has said it all: the burst ends, and what has to leave at once leaves."""
        before, read = self.now, self.driver.runtime.store.read
        while (end := await read(due.begun)) is not None and end > self.now:
            await self.driver.until(end)
        if self.now > before:
            await self._note(number, {"at": seconds(self.now), "kind": "clock"})

    async def _note(self, number: int, row: Row) -> None:
        self.played.append((number, row))
        self.spans.append((number, await self.driver.runtime.store.read(observing.newest)))

    def step_of(self, entry: int) -> int:
        """The number of the step in which a log row was written."""
        return next((number for number, newest in self.spans if entry <= newest), 0)
