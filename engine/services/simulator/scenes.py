"""Stages that are kept between two steps of a run, and the one thread that all of them are played in.

Whoever goes on with a run needs only the new step played, on the stage as it was left. A stage that is not kept any
more costs time and nothing else: all steps are played again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from engine.services.scenarios.format import Scenario
from engine.services.scenarios.run import driving
from engine.services.simulator.stage import MOST_ROUNDS, Row, Stage
from engine.services.simulator.steps import Step
from engine.store.scratch import scratch

__all__ = ["KEPT", "Scene", "aside", "begin", "keep", "take"]

KEPT = 8
T = TypeVar("T")
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="simulator")
"""Runs are played one after the other beside the web's loop: they are work for a processor, and conversations go first."""
_loops: list[asyncio.AbstractEventLoop] = []
"""The loop of that thread, once there is one: kept stages live on it."""


@dataclass(slots=True)
class Scene:
    """A stage with what it stands on; `done` steps are played on it. `world` is the digest of what it began with."""

    world: str
    stage: Stage
    faults: tuple[Row, ...]
    below: AsyncExitStack
    done: int = 0
    steps: tuple[Step, ...] = field(default=())

    async def end(self) -> None:
        """Let go of its database, and of what was still on the wire when something went wrong."""
        for task in (flying := list(self.stage.driver.flying)):
            task.cancel()
        await asyncio.gather(*flying, return_exceptions=True)
        await self.below.aclose()


_kept: list[Scene] = []
"""A memory of pure results, the latest last: forgetting it changes nothing but time. Only the one thread touches it."""


async def aside(work: Callable[[], Awaitable[T]]) -> T:
    """Do the work that the call gives in the simulator's thread, on the loop there."""
    return await asyncio.get_running_loop().run_in_executor(_thread, _done, work)


def _done(work: Callable[[], Awaitable[T]]) -> T:
    if not _loops:
        _loops.append(asyncio.new_event_loop())
    return _loops[0].run_until_complete(_awaited(work))


async def _awaited(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


async def begin(setup: Mapping[str, Any], world: str, faults: Sequence[Row] = ()) -> Scene:
    """An empty stage in the world of `setup`. Raises InvalidDocument, Refused."""
    async with AsyncExitStack() as below:
        url = below.enter_context(scratch())
        scenario = Scenario(Path(), {**setup, "faults": list(faults)}, (), {})
        driver = await below.enter_async_context(driving(scenario, url))
        driver.rounds = MOST_ROUNDS
        return Scene(world, Stage(driver), tuple(faults), below.pop_all())


def take(world: str, steps: tuple[Step, ...]) -> Scene | None:
    """The kept stage on which most of these steps are played and nothing else; it is the caller's from here on."""
    fit = [scene for scene in _kept if scene.world == world and steps[: scene.done] == scene.steps]
    found = max(fit, key=lambda scene: scene.done, default=None)
    if found is not None:
        _kept.remove(found)
    return found


async def keep(scene: Scene, steps: tuple[Step, ...]) -> None:
    """Keep a stage for who goes on from there."""
    scene.steps = steps
    _kept.append(scene)
    while len(_kept) > KEPT:
        await _kept.pop(0).end()
