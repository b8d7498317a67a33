"""What the lead and a payment platform of an own making would post, for scenarios that are not written by hand."""

from collections.abc import Mapping
from typing import Any

from engine.core.classify import Fragment
from engine.core.flow import Millis
from engine.services.scenarios.format import EPOCH

__all__ = ["LEAD", "SOURCE", "message", "notice", "source"]

LEAD = "5541900000001"
SOURCE = "json"
_NUMBER, _NUMBER_ID = "554130000000", "100000000000001"


def message(number: int, at: Millis, said: Fragment, name: str | None) -> dict[str, Any]:
    """The body of a message on WhatsApp's own interface: a text, or a tapped button."""
    told: dict[str, Any] = {"type": "text", "text": {"body": said.text}}
    if said.button_id is not None:
        reply = {"id": said.button_id, "title": said.text}
        told = {"type": "interactive", "interactive": {"type": "button_reply", "button_reply": reply}}
    letter = {"from": LEAD, "id": f"wamid.PATH{number}", "timestamp": str((EPOCH + at) // 1_000), **told}
    person = {"wa_id": LEAD, **({} if name is None else {"profile": {"name": name}})}
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": _NUMBER, "phone_number_id": _NUMBER_ID},
        "contacts": [person],
        "messages": [letter],
    }
    entry = {"id": "200000000000001", "changes": [{"field": "messages", "value": value}]}
    return {"object": "whatsapp_business_account", "entry": [entry]}


def source(outcomes: Mapping[str, str]) -> dict[str, Any]:
    """A payment source whose notices are called by the flow's events; `outcomes` by event."""
    return {
        "platform": SOURCE,
        "event_path": "event",
        "id_path": "id",
        "phone_path": "phone",
        "transaction_path": "order",
        **{f"outcome.{event}": outcome for event, outcome in outcomes.items()},
        **{f"event.{outcome}": event for event, outcome in outcomes.items()},
    }


def notice(number: int, event: str) -> dict[str, Any]:
    """A notice of it, of a purchase of its own each time."""
    return {"event": event, "id": f"path-{number}", "phone": LEAD, "order": f"path-{number}"}
