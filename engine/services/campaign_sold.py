"""What a campaign must not sell twice: the states of a flow in which somebody has bought, in every version in use."""

from engine.core.campaigns import paid_states
from engine.runtime import Flows
from engine.services.sources import EVENTS
from engine.store import conversations, flows, sources
from engine.store.audience import Sold
from engine.store.connection import Tx

__all__ = ["sold"]

APPROVED = "approved"


def sold(tx: Tx, known: Flows, slug: str) -> Sold:
    """The flow, with the ends that an approved payment leads to."""
    mine = [source for source in sources.TABLE.everything(tx) if source.flow == slug]
    events = frozenset({EVENTS[APPROVED], *(source.events.get(APPROVED, EVENTS[APPROVED]) for source in mine)})
    live = conversations.live_version(tx, slug)
    numbers = {version for version, _, _ in flows.standing(tx, slug)} | ({live} if live is not None else set())
    found = [paid_states(known.within(tx, slug, number), events) for number in sorted(numbers)]
    return Sold(slug, frozenset().union(*found))
