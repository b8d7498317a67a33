"""How conversations went along the lines of a drawing in the last seven days, and how they stand in a state now."""

from collections.abc import Mapping

from engine.core import sentences
from engine.core.flow import DAY, MINUTE, Flow, Source, Transition
from engine.runtime import Runtime
from engine.store import passages as stored
from engine.store.staying import Staying, staying

__all__ = ["SOON", "WEEK", "Staying", "fired", "stay", "went"]

WEEK = 7 * DAY
SOON = 10 * MINUTE


async def went(runtime: Runtime, flow: Flow) -> Mapping[tuple[str, str, bool], int]:
    """By start, end and whether the clock moved them; what the flow no longer has is there and is not drawn."""
    since = runtime.clock.now() - WEEK
    found: dict[tuple[str, str, bool], int] = {}
    for row in await runtime.store.read(lambda tx: stored.passages(tx, flow.slug, since)):
        line = (row.frm, row.to, sentences.source(flow, row.event) is Source.CLOCK)
        found[line] = found.get(line, 0) + row.times
    return found


async def fired(runtime: Runtime, flow: Flow, arrow: Transition) -> int:
    """How often one arrow was taken in the last seven days."""
    since = runtime.clock.now() - WEEK
    return await runtime.store.read(lambda tx: stored.fired(tx, flow.slug, arrow.id, arrow.on, since))


async def stay(runtime: Runtime, slug: str, state: str) -> Staying:
    """How the conversations in a state stand now."""
    now = runtime.clock.now()
    return await runtime.store.read(lambda tx: staying(tx, slug, state, now, now + SOON))
