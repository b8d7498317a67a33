"""Which events of a flow the outcomes of a payment source become: the ones that exist, and those that nobody uses."""

import json
from collections.abc import Mapping

from engine.core.document import read
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
    return read(json.loads(text or draft.document))


def require_known(tx: Tx, slug: str, settings: Mapping[str, str]) -> None:
    """Raise Refused("event_unknown") for a name that neither the live version nor the draft has as a payment event."""
    named = {key: event for key, event in settings.items() if event not in ("", NOTHING)}
    draft = flows.draft(tx, slug) if named else None
    if draft is None:
        return  # an installation without flows: `usable_flow` lets it be set up in any order
    live = flow_of(tx, slug)
    known = {*payment_events(read(json.loads(draft.document))), *(payment_events(live) if live else ())}
    for key, event in named.items():
        if event not in known:
            raise Refused("event_unknown", key=key, event=event, flow=slug, events=sorted(known))
