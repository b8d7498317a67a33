"""A simulation played through the real engine: on an empty database of its own, with a clock that only steps move.

Theory of operation. A run is a list of steps and nothing else, so a step back is a shorter list. Each step becomes
inputs of the scenario format (`acts`), done by the same driver and the same services as a scenario file; so what is
shown is what the engine does, and the inputs are the file of a saved test. A crash belongs to the step before it: all
is played again, with the process dying when that step's first letter is on the wire, at the platform and unanswered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.core.canonical import digest
from engine.core.flow import SECOND, Millis
from engine.services import transcript
from engine.services.simulator.acts import act, receipt
from engine.services.simulator.scenes import aside, begin, keep, take
from engine.services.simulator.stage import Row, Stage, seconds
from engine.services.simulator.steps import Step
from engine.services.transcript import Page
from engine.services.transcript_lines import Entry, as_entry
from engine.store import approvals, observing
from engine.store.approvals import Approval
from engine.store.connection import Tx

__all__ = ["Happened", "Played", "play"]

CRASH_LASTS = 5
"""Seconds for which the platform keeps us waiting, so that there is a moment to die in."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A log row, and the number of the step in which it was written."""

    step: int
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a run came to. `page` is the conversation, None before there is one; `asked` what waits for approval; `next_at` when something is due next.

    `inputs` and `faults` are what was played, as the scenario format has it; `answers` by step what the sender saw.
    """

    page: Page | None
    asked: Approval | None
    log: tuple[Happened, ...]
    now: Millis
    next_at: Millis | None
    inputs: tuple[Row, ...]
    faults: tuple[Row, ...]
    answers: Mapping[int, int]


async def play(setup: Mapping[str, Any], steps: Sequence[Step]) -> Played:
    """Play all steps in the world of `setup`. Raises Refused as `acts.act` does."""
    return await aside(partial(_play, setup, tuple(steps)))


async def _play(setup: Mapping[str, Any], steps: tuple[Step, ...]) -> Played:
    """On the stage that stands just before, if one is kept; it is kept again unless something went wrong on it."""
    world = digest(setup)
    scene = take(world, steps)
    if scene is None:
        scene = await begin(setup, world)
    try:
        while (crash := await _until_crash(scene.stage, steps, scene.done)) is not None:
            faults, rows = _crashed(scene.stage, crash, scene.faults)
            await scene.end()
            scene = await begin(setup, world, faults)
            for number, row in rows:
                await scene.stage.do(number, row)
            scene.done = crash + 1
        scene.done = len(steps)
        came = await _looked(scene.stage, scene.faults)
    except BaseException:
        await scene.end()
        raise
    await keep(scene, steps)
    return came


async def _until_crash(stage: Stage, steps: Sequence[Step], done: int) -> int | None:
    """Do the steps that are left; the number of the first crash among them."""
    for number in range(done, len(steps)):
        if steps[number].kind == "crash":
            return number
        await act(stage, steps, number)
    return None


def _crashed(stage: Stage, number: int, faults: Sequence[Row]) -> tuple[list[Row], list[tuple[int, Row]]]:
    """The faults and inputs with which the process dies during the step before `number`."""
    calls = stage.driver.network.calls
    first = next(iter(calls[stage.calls.get(number - 1, len(calls)) :]), None)
    if first is None:
        return list(faults), [*stage.played, (number, _restart(seconds(stage.now)))]
    at = seconds(first.at)
    held = {"what": "send_answer_delayed", "at": at, "seconds": CRASH_LASTS, "times": 1}
    earlier = [pair for pair in stage.played if pair[1]["at"] <= at]
    later = [pair for pair in stage.played if pair[1]["at"] > at]
    if later:
        earlier.append((number - 1, {"at": at, "kind": "clock"}))
    added = [(number, _restart(at + 1)), (number, receipt(first.row, first.at + 2 * SECOND))]
    return [*faults, held], [*earlier, *sorted([*added, *later], key=lambda pair: pair[1]["at"])]


def _restart(at: float) -> Row:
    return {"at": at, "kind": "restart", "payload": {"what": ["all"]}}


async def _looked(stage: Stage, faults: Sequence[Row]) -> Played:
    runtime = stage.driver.runtime

    def unit(tx: Tx) -> tuple[list[Entry], int | None, Approval | None]:
        standing = observing.standings(tx)
        number = standing[-1]["id"] if standing else None
        asked = None if number is None else approvals.pending_of(tx, number)
        return [as_entry(row) for row in observing.entries(tx)], number, asked

    entries, conversation, asked = await runtime.store.read(unit)
    page = None if conversation is None else await transcript.page(runtime, conversation)
    return Played(
        page=page,
        asked=asked,
        log=tuple(Happened(stage.step_of(entry.id), entry) for entry in entries),
        now=stage.now,
        next_at=await stage.driver.next_moment(),
        inputs=tuple(row for _, row in stage.played),
        faults=tuple(faults),
        answers=dict(stage.answers),
    )
