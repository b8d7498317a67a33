"""The built-in phone: a page on which anybody plays the lead, through the same pipeline as every channel."""

import json
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound
from engine.core.flow import Millis
from engine.core.inbound import Person
from engine.runtime import Runtime
from engine.services import channels, receive
from engine.services.receive import Answer
from engine.store import contacts, views
from engine.store.connection import Tx

KIND = "phone"
LATEST = 100


@dataclass(frozen=True, slots=True)
class Bubble:
    """One bubble on the phone's screen. `mine` is the lead's own; `buttons` are (id, title)."""

    mine: bool
    text: str
    at: Millis
    buttons: tuple[tuple[str, str], ...] = ()


async def bubbles(runtime: Runtime, token: str, phone: str) -> list[Bubble]:
    """What a lead with this number sees. Raises NotFound when the address is no phone channel."""
    record = await runtime.store.read(lambda tx: channels.by_token(tx, runtime.vault, token))
    if record is None or record.config.kind != KIND:
        raise NotFound("phone page", "of this address")

    def unit(tx: Tx) -> list[Bubble]:
        contact_id = contacts.known(tx, Person(phone=phone))
        if contact_id is None:
            return []
        seen: list[Bubble] = []
        for conversation_id in views.of_contact(tx, contact_id):
            seen += [
                Bubble(True, row["text"] or "", row["at"])
                for row in views.arrived(tx, conversation_id, LATEST)
                if row["deleted_at"] is None
            ]
            seen += [
                Bubble(False, str(payload.get("text") or ""), row["sent_at"], _buttons(payload))
                for row in views.left(tx, conversation_id, LATEST)
                if row["status"] == "sent"
                for payload in [json.loads(row["payload"])]
            ]
        return sorted(seen, key=lambda bubble: (bubble.at, not bubble.mine))[-LATEST:]

    return await runtime.store.read(unit)


async def say(
    runtime: Runtime, token: str, phone: str, text: str, *, name: str = "", form: str = "", button: str = ""
) -> Answer:
    """The lead writes, or taps a button; `form` makes a double click the same message."""
    body: dict[str, Any] = {"id": form or runtime.ids.hex(8), "contact": phone, "text": text, "at": runtime.clock.now()}
    if name:
        body["name"] = name
    if button:
        body["button_id"] = button
    return await receive.webhook(runtime, token, {}, json.dumps(body).encode())


def _buttons(payload: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    menu = payload.get("menu") or {}
    return tuple((row["id"], row["title"]) for row in (*payload.get("buttons", ()), *menu.get("rows", ())))
