"""The built-in phone: a page on which anybody plays the lead, through the same pipeline as every channel."""

import json
from dataclasses import dataclass
from typing import Any

from engine.core.errors import NotFound, Refused
from engine.core.flow import Millis
from engine.core.inbound import Person
from engine.runtime import Runtime
from engine.services import channels, receive
from engine.services.receive import Answer
from engine.store import contacts, views
from engine.store.connection import Tx

KIND = "phone"
LATEST = 100
LONGEST = 4_096


@dataclass(frozen=True, slots=True)
class Bubble:
    """One bubble on the phone's screen. `mine` is the lead's own; `buttons` are (id, title); `medium` is a file's kind, `own` the number of one that a person of the team sent."""

    mine: bool
    text: str
    at: Millis
    buttons: tuple[tuple[str, str], ...] = ()
    medium: str | None = None
    own: int | None = None


@dataclass(frozen=True, slots=True)
class Phone:
    """The built-in phone behind an address."""

    channel_id: int
    name: str
    flow: str


async def phone(runtime: Runtime, token: str) -> Phone:
    """The phone channel with this address. Raises NotFound when the address is no phone channel's."""
    record = await runtime.store.read(lambda tx: channels.by_token(tx, runtime.vault, token))
    if record is None or record.config.kind != KIND:
        raise NotFound("phone page", "of this address")
    return Phone(record.id, record.config.name, record.flow)


async def bubbles(runtime: Runtime, there: Phone, number: str) -> list[Bubble]:
    """What a lead with this number sees here. Whoever is known from another channel is nobody's to look at."""

    def unit(tx: Tx) -> list[Bubble]:
        contact_id = contacts.known(tx, Person(phone=number))
        if contact_id is None or views.other_channels(tx, contact_id, there.channel_id):
            return []
        seen: list[Bubble] = []
        for conversation_id in views.of_contact(tx, contact_id):
            seen += [
                Bubble(True, row["text"] or "", row["at"], medium=None if row["text"] else row["kind"])
                for row in views.arrived(tx, conversation_id, LATEST)
                if row["deleted_at"] is None
            ]
            seen += [
                _theirs(json.loads(row["payload"]), row["sent_at"])
                for row in views.left(tx, conversation_id, LATEST)
                if row["status"] == "sent"
            ]
        return sorted(seen, key=lambda bubble: (bubble.at, not bubble.mine))[-LATEST:]

    return await runtime.store.read(unit)


async def say(
    runtime: Runtime, token: str, number: str, text: str, *, name: str = "", form: str = "", button: str = ""
) -> Answer:
    """The lead writes, or taps a button; `form` makes a double click the same message.

    Raises NotFound, and Refused: empty_message, message_too_long, number_in_use when the number belongs to somebody
    who is known from a real channel, so that the test phone cannot speak for them.
    """
    there, words = await phone(runtime, token), text.strip()
    if not words:
        raise Refused("empty_message")
    if len(words) > LONGEST:
        raise Refused("message_too_long", limit=LONGEST, length=len(words))
    if await runtime.store.read(lambda tx: _taken(tx, there, number)):
        raise Refused("number_in_use")
    ident = f"page-{form}" if form else runtime.ids.hex(8)
    body: dict[str, Any] = {"id": ident, "contact": number, "text": words, "at": runtime.clock.now()}
    if name:
        body["name"] = name
    if button:
        body["button_id"] = button
    return await receive.webhook(runtime, token, {}, json.dumps(body).encode())


def _taken(tx: Tx, there: Phone, number: str) -> bool:
    contact_id = contacts.known(tx, Person(phone=number))
    return contact_id is not None and views.other_channels(tx, contact_id, there.channel_id)


def _theirs(payload: dict[str, Any], at: Millis) -> Bubble:
    media = payload.get("media") or {}
    words = payload.get("text") or media.get("caption") or ""
    return Bubble(False, str(words), at, _buttons(payload), media.get("kind"), media.get("file"))


def _buttons(payload: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    menu = payload.get("menu") or {}
    return tuple((row["id"], row["title"]) for row in (*payload.get("buttons", ()), *menu.get("rows", ())))
