"""How long content is kept, by class, and taking away what is older (LGPD, art. 15 and 16; SEC-S25).

What goes is content: words, files, bodies. That something happened, when, and what the robot made of it stays, so that both
logs verify and the analysis balances. A worker does it every day, a batch at a time; several of them do it once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import Refused
from engine.core.flow import DAY, Millis
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, installation
from engine.store.connection import Tx
from engine.store.fading import FADING, left

__all__ = ["BOUNDS", "CLASSES", "DEFAULTS", "Retention", "Standing", "Sweep", "apply", "change", "show", "within"]

NAME, RAN = "retention", "retention_ran"
CLASSES = tuple(FADING)
DEFAULTS: Mapping[str, int] = {"messages": 180, "files": 30, "webhooks": 14}
"""Days."""
BOUNDS: Mapping[str, tuple[int, int]] = {"messages": (30, 3_650), "files": (7, 3_650), "webhooks": (7, 365)}
"""The fewest and the most days. Platforms repeat a webhook for seven days, and last week is replayed on a draft."""
BATCH = 300
SYSTEM = Actor("system")

Retention = Mapping[str, int]
"""Days by class."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The days by class, how many rows would lose their content now, and when that was last done, of how many."""

    days: Retention
    due: Mapping[str, int]
    ran_at: Millis | None
    removed: Mapping[str, int]


def within(tx: Tx) -> dict[str, int]:
    """The days as they are set."""
    stored: Any = installation.value(tx, NAME)
    return {**DEFAULTS, **(stored or {})}


async def show(runtime: Runtime) -> Standing:
    """What is set and what would go: nothing is done."""

    def unit(tx: Tx) -> Standing:
        days, ran = within(tx), installation.value(tx, RAN)
        due = {kind: left(tx, kind, _before(runtime, days[kind])) for kind in CLASSES}
        told: Any = ran or {}
        return Standing(days, due, told.get("at"), told.get("removed", {}))

    return await runtime.store.read(unit)


async def change(runtime: Runtime, actor: Actor, wanted: Retention) -> None:
    """From the next run on. Raises Refused("retention_unusable") for days out of their bounds."""
    for kind, days in wanted.items():
        least, most = BOUNDS[kind]
        if not least <= days <= most:
            raise Refused("retention_unusable", kind=kind, least=least, most=most)

    def unit(tx: Tx) -> None:
        before = within(tx)
        after = {**before, **wanted}
        if before == after:
            return
        installation.set_value(tx, NAME, after)
        facts = {"before": before, "after": after}
        audit.note(tx, runtime.clock.now(), actor, "retention.changed", subject=NAME, facts=facts)

    await runtime.store.write("settings", unit)


class Sweep:
    """One run over everything, a batch with every step. Another run meanwhile takes what this one has not taken."""

    def __init__(self, runtime: Runtime, actor: Actor = SYSTEM) -> None:
        self._runtime, self._actor = runtime, actor
        self._left = [(kind, fade) for kind in CLASSES for fade in FADING[kind]]
        self.removed = dict.fromkeys(CLASSES, 0)

    async def step(self) -> bool:
        """Take one batch; whether there may be more. The last step notes what was taken."""
        if not self._left:
            return False
        kind, fade = self._left[0]
        runtime = self._runtime

        def unit(tx: Tx) -> int:
            return fade(tx, _before(runtime, within(tx)[kind]), BATCH)

        taken = await runtime.store.write(NAME, unit)
        self.removed[kind] += taken
        if taken < BATCH:
            self._left.pop(0)
        if not self._left:
            await runtime.store.write(NAME, self._noted)
        return bool(self._left)

    def _noted(self, tx: Tx) -> None:
        now = self._runtime.clock.now()
        installation.set_value(tx, RAN, {"at": now, "removed": self.removed})
        if any(self.removed.values()):
            audit.note(tx, now, self._actor, "retention.ran", subject=NAME, facts={"removed": self.removed})


async def apply(runtime: Runtime, actor: Actor) -> Mapping[str, int]:
    """A whole run at once; how many rows of each class lost their content."""
    sweep = Sweep(runtime, actor)
    while await sweep.step():
        pass
    return sweep.removed


def _before(runtime: Runtime, days: int) -> Millis:
    return runtime.clock.now() - days * DAY
