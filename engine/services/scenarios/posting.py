"""What the lead and a payment platform of an own making would post, for scenarios that are not written by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.classify import Fragment
from engine.core.errors import Refused
from engine.core.flow import Millis
from engine.services.scenarios.format import EPOCH
from engine.services.sources import EVENTS

__all__ = ["LEAD", "SOURCE", "enveloped", "file", "message", "notice", "outcomes", "source"]

LEAD = "5541900000001"
SOURCE = "json"
_NUMBER, _NUMBER_ID = "554130000000", "100000000000001"
_MIME = {"image": "image/jpeg", "audio": "audio/ogg; codecs=opus", "document": "application/pdf"}
_PATHS = {"event": "event", "id": "id", "phone": "phone", "transaction": "order"}
_MORE = {"name": "name", "email": "email", "product": "product", "amount": "amount", "at": "at"}
"""What a notice may say beside; in cents, and in milliseconds since the epoch."""


def message(number: int, at: Millis, said: Fragment, name: str | None) -> dict[str, Any]:
    """The body of a message on WhatsApp's own interface: a text, a tapped button, or a chosen row of a list."""
    told: dict[str, Any] = {"type": "text", "text": {"body": said.text}}
    if said.button_id is not None:
        kind = "list_reply" if said.kind == "list" else "button_reply"
        told = {"type": "interactive", "interactive": {"type": kind, kind: {"id": said.button_id, "title": said.text}}}
    return _from_lead(f"wamid.PATH{number}", at, told, name)


def file(number: int, at: Millis, kind: str, words: str, name: str | None) -> tuple[dict[str, Any], str]:
    """The body of a picture, an audio or a document, and its id. `words` stand under it; an audio has none there."""
    about: dict[str, object] = {"id": str(number), "mime_type": _MIME[kind], "sha256": "x"}
    if kind == "audio":
        about["voice"] = True
    elif words:
        about["caption"] = words
    if kind == "document":
        about["filename"] = "documento.pdf"
    ident = f"wamid.PATH{number}"
    return _from_lead(ident, at, {"type": kind, kind: about}, name), ident


def _from_lead(ident: str, at: Millis, told: Mapping[str, Any], name: str | None) -> dict[str, Any]:
    letter = {"from": LEAD, "id": ident, "timestamp": str((EPOCH + at) // 1_000), **told}
    person = {"wa_id": LEAD, **({} if name is None else {"profile": {"name": name}})}
    return enveloped({"contacts": [person], "messages": [letter]})


def enveloped(value: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a webhook around what it tells."""
    told = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": _NUMBER, "phone_number_id": _NUMBER_ID},
        **value,
    }
    entry = {"id": "200000000000001", "changes": [{"field": "messages", "value": told}]}
    return {"object": "whatsapp_business_account", "entry": [entry]}


def outcomes(events: Sequence[str]) -> dict[str, str]:
    """An outcome for each event: its own where it is called as usual, else any that is left. Raises Refused."""
    usual = {event: outcome for outcome, event in EVENTS.items() if event in events}
    free = [outcome for outcome in EVENTS if outcome not in usual.values()]
    others = [event for event in events if event not in usual]
    if len(others) > len(free):
        raise Refused("path_event", event=others[len(free)])
    return {**usual, **dict(zip(others, free, strict=False))}


def source(outcomes: Mapping[str, str]) -> dict[str, Any]:
    """A payment source whose notices are called by the flow's events; `outcomes` by event."""
    return {
        "platform": SOURCE,
        **{f"{name}_path": place for name, place in {**_PATHS, **_MORE}.items()},
        "amount_in": "cents",
        **{f"outcome.{event}": outcome for event, outcome in outcomes.items()},
        **{f"event.{outcome}": event for event, outcome in outcomes.items()},
    }


def notice(number: int, event: str, **more: object) -> dict[str, Any]:
    """A notice of it, of a purchase of its own each time unless `order` says which; `more` as `_MORE` names it."""
    return {"event": event, "id": f"path-{number}", "phone": LEAD, "order": f"path-{number}", **more}
