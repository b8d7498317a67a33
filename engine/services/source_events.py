"""Which events of a flow the outcomes of a payment source become: the ones that exist, and those that nobody uses."""

from collections.abc import Collection, Mapping

from engine.core.document import read_text
from engine.core.errors import Refused
from engine.core.flow import Flow, Source
from engine.store import flows
from engine.store.connection import Tx

__all__ = ["EVENT_PREFIX", "NOTHING", "flow_of", "payment_events", "require_known", "used"]

EVENT_PREFIX = "event."
"""`--set event.approved=NAME` says which event of the flow an outcome becomes, where it is not the usual one."""
NOTHING = "-"
"""In the place of an event's name: the outcome is recorded and becomes nothing."""


def payment_events(flow: Flow) -> tuple[str, ...]:
    """The events of a flow that a payment may become, in the order of the document."""
    return tuple(name for name, kind in flow.events.items() if kind.source is Source.PAYMENT)


def used(flow: Flow, event: str) -> bool:
    """Whether any arrow of the flow is for this event, or for one that it falls back to."""
    chain = flow.fallbacks(event) if event in flow.events else ()
    return any(transition.on in chain for transition in flow.arrows.values())


def flow_of(tx: Tx, slug: str) -> Flow | None:
    """The flow as newcomers meet it: the live version, else the draft; None where there is no such flow."""
    draft = flows.draft(tx, slug)
    if draft is None:
        return None
    text = flows.document(tx, slug, draft.live) if draft.live is not None else None
    return read_text(text or draft.document)


def require_known(tx: Tx, slugs: Collection[str], events: Mapping[str, str]) -> None:
    """Raise Refused("event_unknown") for a name that no live version and no draft of these flows has as a payment event.

    `events` are the names by their outcomes.
    """
    named = {outcome: event for outcome, event in events.items() if event not in ("", NOTHING)}
    known: set[str] = set()
    for slug in slugs if named else ():
        draft, live = flows.draft(tx, slug), flow_of(tx, slug)
        if draft is None or live is None:
            return  # an installation without flows: `usable_flow` lets it be set up in any order
        known |= {*payment_events(read_text(draft.document)), *payment_events(live)}
    for outcome, event in named.items():
        if event not in known:
            told = ", ".join(sorted(slugs))
            raise Refused("event_unknown", key=f"{EVENT_PREFIX}{outcome}", event=event, flow=told, events=sorted(known))
