"""Archiving a flow: nobody new enters it, whoever is in it goes on to the end, and nothing of it is lost.

A channel or a payment source that still leads newcomers into it would lose them without a word, so those have to be
led elsewhere first; campaigns stand still by themselves (R71).
"""

from dataclasses import dataclass

from engine.core.errors import NotFound, Refused
from engine.core.flow import StateKind
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.sources import of_products
from engine.store import audit, channels, flows, sources
from engine.store.connection import Tx

__all__ = ["Leads", "archive", "bring_back", "inside", "leads"]

ENDS = (StateKind.FINAL, StateKind.OPTOUT)


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads newcomers into a flow: (id, name) of each."""

    channels: tuple[tuple[int, str], ...]
    sources: tuple[tuple[int, str], ...]

    def __bool__(self) -> bool:
        return bool(self.channels or self.sources)


def _leads(tx: Tx, slug: str) -> Leads:
    return Leads(
        tuple((one.id, one.name) for one in channels.TABLE.everything(tx) if one.flow == slug),
        tuple(
            (one.id, one.name)
            for one in sources.TABLE.everything(tx)
            if slug == one.flow or slug in of_products(one.settings).values()
        ),
    )


async def leads(runtime: Runtime, slug: str) -> Leads:
    """What has to lead elsewhere before the flow can be archived."""
    return await runtime.store.read(lambda tx: _leads(tx, slug))


async def inside(runtime: Runtime, slug: str) -> int:
    """How many conversations of the flow are not at an end."""

    def unit(tx: Tx) -> int:
        going = 0
        for number, state, people in flows.standing(tx, slug):
            known = runtime.flows.within(tx, slug, number).states.get(state)
            going += people if known is None or known.kind not in ENDS else 0
        return going

    return await runtime.store.read(unit)


async def archive(runtime: Runtime, slug: str, actor: Actor) -> None:
    """Nobody new enters from now on. Raises NotFound, Refused("flow_is_led_into") with the names of what leads there."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        draft = flows.draft(tx, slug, lock=True)
        if draft is None:
            raise NotFound("flow", slug)
        if draft.archived_at is not None:
            return
        if found := _leads(tx, slug):
            raise Refused("flow_is_led_into", names=[name for _, name in (*found.channels, *found.sources)])
        flows.archive(tx, slug, now)
        audit.note(tx, now, actor, "flow.archived", subject=slug)

    await runtime.store.write(slug, unit)
    runtime.flows.published()


async def bring_back(runtime: Runtime, slug: str, actor: Actor) -> None:
    """As it was before it was archived. Raises NotFound."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        draft = flows.draft(tx, slug, lock=True)
        if draft is None:
            raise NotFound("flow", slug)
        if draft.archived_at is not None:
            flows.archive(tx, slug, None)
            audit.note(tx, now, actor, "flow.brought_back", subject=slug)

    await runtime.store.write(slug, unit)
    runtime.flows.published()
