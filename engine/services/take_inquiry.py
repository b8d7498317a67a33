"""A notice that its platform has to be asked about becomes a row that the sweep finds (R20, R34)."""

from collections.abc import Mapping

from engine.core.canonical import canonical
from engine.services.intake import Arrival, note
from engine.store import inquiries
from engine.store.connection import Tx


def inquiry(tx: Tx, arrival: Arrival, provider_id: str, about: Mapping[str, object]) -> None:
    """Store what has to be asked, once for each notice."""
    source_id = arrival.source_id or 0
    if inquiries.put(tx, source_id, provider_id, arrival.webhook_id, canonical(about), arrival.now):
        note(tx, arrival, "note", "fetch_waiting", id=provider_id, source=source_id)
    else:
        note(tx, arrival, "duplicate", id=provider_id, source=source_id)
