"""One entry of a Cloud API `messages` list into one item, by its type."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.adapters.bodies import storable
from engine.adapters.reading import digits, mapping, name, number, objects, word, words
from engine.core.flow import Millis
from engine.core.inbound import Deletion, Edit, Ignored, Item, Message, NumberChange, Person, Reaction, Unknown

_MEDIA = frozenset({"audio", "image", "video", "document", "sticker"})
_NUMBER_CHANGES = frozenset({"user_changed_number", "customer_changed_number", "user_changed_user_id"})


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says, whoever sent it; the fields are those of Message."""

    kind: str
    text: str | None = None
    button_id: str | None = None
    media: Mapping[str, object] = field(default_factory=dict)
    marks: Mapping[str, object] = field(default_factory=dict)


def message_item(item: Mapping[str, object], value: Mapping[str, object], at: Millis) -> Item:
    """The item of one message; `value` is what it came in, with the contacts.

    Only `id` is certain. Name, profile, phone, business-scoped id and the contacts list can each be missing.
    """
    provider_id, kind = word(item.get("id")), word(item.get("type"))
    if provider_id is None or kind is None:
        return Unknown(reason="unreadable_shape", name=kind)
    if kind == "system":
        return _system(item, provider_id, at)
    if kind == "request_welcome":
        return Ignored(reason=kind, provider_id=provider_id, at=at)
    person = _person(item, value)
    if person is None:
        return Unknown(reason="unreadable_shape", name=kind)
    inside = mapping(item.get(kind))
    target = word(inside.get("original_message_id")) or word(inside.get("message_id"))
    if kind in {"edit", "revoke", "reaction"}:
        if target is None:
            return Unknown(reason="unreadable_shape", name=kind)
        if kind == "edit":
            return Edit(target_id=target, at=at, text=content(mapping(inside.get("message"))).text, person=person)
        if kind == "revoke":
            return Deletion(target_id=target, at=at, person=person)
        return Reaction(
            provider_id=provider_id, target_id=target, person=person, at=at, emoji=name(inside.get("emoji"))
        )
    said = content(item)
    return Message(
        provider_id=provider_id,
        person=person,
        at=at,
        kind=said.kind,
        text=said.text,
        button_id=said.button_id,
        reply_to=word(mapping(item.get("context")).get("id")),
        media=storable(said.media)[0],
        marks={**said.marks, **_advert(item)},
    )


def content(item: Mapping[str, object]) -> Content:
    """What a message, an echo or the new version of an edited message says."""
    kind = word(item.get("type")) or "unknown"
    inside = mapping(item.get(kind))
    if kind == "text":
        text, marks = words(inside.get("body"))
        return Content("text", text, marks=marks)
    if kind in _MEDIA:
        caption, marks = words(inside.get("caption"))
        kept = {key: inside[key] for key in ("id", "mime_type", "filename", "voice", "url") if key in inside}
        return Content(kind, caption or None, media=kept, marks=marks)
    if kind == "location":
        return Content(kind, media={key: inside.get(key) for key in ("latitude", "longitude", "name", "address")})
    if kind == "contacts":
        return Content(kind, media={"contacts": list(objects(item.get("contacts")))})
    if kind == "button":
        text, marks = words(inside.get("text"))
        return Content("button", text, word(inside.get("payload")), marks=marks)
    if kind == "interactive":
        return _interactive(inside)
    if kind == "order":
        text, marks = words(inside.get("text"))
        kept = {"catalog_id": word(inside.get("catalog_id")), "items": list(objects(inside.get("product_items")))}
        return Content(kind, text or None, media=kept, marks=marks)
    if kind in {"unsupported", "unknown"}:
        code = number(mapping(next(iter(objects(item.get("errors"))), None)).get("code"))
        return Content("unavailable", media={"code": code, "type": word(inside.get("type"))})
    return Content("unknown", media={"type": kind})


def _interactive(inside: Mapping[str, object]) -> Content:
    """A tapped button, a chosen row or a filled form; the object itself may be missing, then only the tap is known."""
    for key, kind in (("button_reply", "button"), ("list_reply", "list")):
        if key in inside:
            reply = mapping(inside[key])
            text, marks = words(reply.get("title"))
            return Content(kind, text, word(reply.get("id")), marks=marks)
    if "nfm_reply" in inside:
        response = mapping(inside["nfm_reply"]).get("response_json")
        text, marks = words("\n".join(_filled_in(response)))
        return Content("button", text or None, media={"type": "form", "response": response}, marks=marks)
    return Content("unavailable", media={"type": "interactive"})


def _filled_in(response: object) -> Iterator[str]:
    """The fields of a form as people read them; the platform's own words for an answered form say only "Sent"."""
    try:
        fields = json.loads(response) if isinstance(response, str) else response
    except (ValueError, RecursionError):
        return
    for field_name, value in mapping(fields).items():
        if field_name != "flow_token" and isinstance(value, str | int | float) and not isinstance(value, bool):
            yield f"{field_name}: {value}"


def _system(item: Mapping[str, object], provider_id: str, at: Millis) -> Item:
    system = mapping(item.get("system"))
    kind = word(system.get("type"))
    if kind not in _NUMBER_CHANGES:
        changed = kind == "customer_identity_changed"
        return (
            Ignored(reason="identity_changed", provider_id=provider_id, at=at)
            if changed
            else Unknown(reason="unknown_type", name=kind or "system")
        )
    old = Person(
        phone=digits(item.get("from")),
        bsuid=word(system.get("previous_user_id")) or word(item.get("from_user_id")),
    )
    new = Person(phone=digits(system.get("wa_id") or system.get("new_wa_id")), bsuid=word(system.get("user_id")))
    if not (old.phone or old.bsuid) or not (new.phone or new.bsuid):
        return Unknown(reason="unreadable_shape", name=kind)
    return NumberChange(provider_id=provider_id, person=old, new=new, at=at)


def _person(item: Mapping[str, object], value: Mapping[str, object]) -> Person | None:
    phone, bsuid = digits(item.get("from")), word(item.get("from_user_id"))
    contacts = [mapping(contact) for contact in objects(value.get("contacts"))]
    mine = next((c for c in contacts if phone and digits(c.get("wa_id")) == phone), None)
    mine = mine or next((c for c in contacts if bsuid and word(c.get("user_id")) == bsuid), None)
    if mine is None and len(contacts) == 1 and not phone and not bsuid:
        mine = contacts[0]
    contact = mapping(mine)
    phone, bsuid = phone or digits(contact.get("wa_id")), bsuid or word(contact.get("user_id"))
    if phone is None and bsuid is None:
        return None
    return Person(phone=phone, bsuid=bsuid, name=name(mapping(contact.get("profile")).get("name")))


def _advert(item: Mapping[str, object]) -> Mapping[str, object]:
    """Which advert the person came from: worth a line in the log, and a newcomer's flow may depend on it."""
    referral = mapping(item.get("referral"))
    about = {key: text for key in ("source_type", "source_id", "ctwa_clid") if (text := word(referral.get(key)))}
    headline = name(referral.get("headline"))
    return {"referral": about | ({"headline": headline} if headline else {})} if about or headline else {}
