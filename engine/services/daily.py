"""What a worker does once a day: the anchor of both chains, what came in of people while they were erased,
and taking away what is older than it may be (SEC-S23 to SEC-S25).
"""

from engine.core.flow import DAY
from engine.runtime import Runtime
from engine.services.anchoring import anchoring
from engine.services.erase import once_more
from engine.services.retention import Sweep

__all__ = ["Daily"]


class Daily:
    """Begins at the first look of each day. What is long is done a batch a look, so that nothing else waits for it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self._day = runtime, -1
        self._sweep: Sweep | None = None

    async def look(self) -> None:
        """Do what the day still lacks."""
        day = self._runtime.clock.now() // DAY
        if day != self._day:
            await anchoring(self._runtime)
            await once_more(self._runtime)
            self._day, self._sweep = day, Sweep(self._runtime)
        elif self._sweep is not None and not await self._sweep.step():
            self._sweep = None
