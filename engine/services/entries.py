"""What leads messages to flows: the words and adverts that two live flows claim at once (R71)."""

from engine.core.flow import Flow
from engine.core.routing import Campaign, claimed_twice
from engine.runtime import Runtime
from engine.store import flows
from engine.store.connection import Tx

__all__ = ["shared"]


async def shared(runtime: Runtime, flow: Flow) -> list[Campaign]:
    """The words and adverts of a draft that another flow which is live has as well, each with that flow's slug."""
    if flow.entry.words == () and not flow.entry.ads:
        return []

    def unit(tx: Tx) -> list[Flow]:
        live = flows.live_numbers(tx)
        return [runtime.flows.within(tx, slug, number) for slug, number in live.items() if slug != flow.slug]

    return claimed_twice(flow, await runtime.store.read(unit))
