"""One entry of Evolution's `messages.upsert` or `send.message` into one item."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.adapters.channels.evolution_content import content, unwrap
from engine.adapters.channels.evolution_jids import is_person, person_of, reason_to_ignore
from engine.adapters.channels.evolution_media import along
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import Deletion, Echo, Edit, Ignored, Item, Message, Person, Reaction, Unknown

_UNDECRYPTED = {"2", "CIPHERTEXT"}


def upsert(
    data: Mapping[str, object], own: Collection[str], marks: Mapping[str, object], at: Millis, *, always_ours: bool
) -> Item:
    """The item of one message. `own` are the digits of the connected number; `at` is used if it carries no time."""
    key = mapping(data.get("key"))
    provider_id, jid = word(key.get("id")), word(key.get("remoteJid"))
    at = to_millis(data.get("messageTimestamp")) or at
    if provider_id is None or jid is None:
        return Unknown(reason="unreadable_shape", name="messages.upsert")
    if not is_person(jid):
        return Ignored(reason=reason_to_ignore(jid), provider_id=provider_id, at=at)
    ours = always_ours or key.get("fromMe") is True
    person = person_of(key, sender_fields=not ours)
    if person is None:
        return Unknown(reason="unreadable_shape", name="messages.upsert")
    if person.phone in own:
        return Ignored(reason="self_chat", provider_id=provider_id, at=at)
    message = unwrap(data.get("message"))
    if (about := _about_another(message, provider_id, person, at, ours=ours)) is not None:
        return about
    if not message and "messageStubType" in data:
        if ours or str(data["messageStubType"]) not in _UNDECRYPTED:
            return Ignored(reason="notice", provider_id=provider_id, at=at)
        return _message(data, provider_id, person, at, marks, kind="unavailable")
    if ours:
        said = content(data.get("message"), data.get("contextInfo"))
        return Echo(provider_id=provider_id, person=person, at=at, text=said.text, kind=said.kind)
    return _message(data, provider_id, person, at, marks)


def _message(
    data: Mapping[str, object],
    provider_id: str,
    person: Person,
    at: Millis,
    marks: Mapping[str, object],
    *,
    kind: str | None = None,
) -> Message:
    said = content(data.get("message"), data.get("contextInfo"))
    return Message(
        provider_id=provider_id,
        person=replace(person, name=name(data.get("pushName"))),
        at=at,
        kind=kind or said.kind,
        text=said.text if kind is None else None,
        button_id=said.button_id,
        reply_to=said.reply_to,
        media=said.media,
        file=along(mapping(data.get("message"))),
        marks={**said.marks, **marks, **_advert(mapping(data.get("contextInfo")))},
    )


def _about_another(
    message: Mapping[str, object], provider_id: str, person: Person, at: Millis, *, ours: bool
) -> Item | None:
    """Reactions, edits and deletions travel as messages too."""
    if "reactionMessage" in message:
        reaction = mapping(message["reactionMessage"])
        target = word(mapping(reaction.get("key")).get("id"))
        if ours or target is None:
            return (
                Ignored(reason="own_reaction", provider_id=provider_id, at=at)
                if ours
                else Unknown(reason="unreadable_shape", name="reaction")
            )
        return Reaction(
            provider_id=provider_id, target_id=target, person=person, at=at, emoji=name(reaction.get("text"))
        )
    if "secretEncryptedMessage" in message:
        target = word(mapping(mapping(message["secretEncryptedMessage"]).get("targetMessageKey")).get("id"))
        if target is None:
            return Unknown(reason="unreadable_shape", name="secretEncryptedMessage")
        return Edit(target_id=target, at=at, text=None, person=person)
    if "protocolMessage" in message:
        return _protocol(mapping(message["protocolMessage"]), provider_id, person, at)
    return None


def _protocol(protocol: Mapping[str, object], provider_id: str, person: Person, at: Millis) -> Item:
    target, kind = word(mapping(protocol.get("key")).get("id")), str(protocol.get("type"))
    if target is not None and kind in {"0", "REVOKE"}:
        return Deletion(target_id=target, at=at, person=person)
    if target is not None and kind in {"14", "MESSAGE_EDIT"}:
        return Edit(target_id=target, at=at, text=content(protocol.get("editedMessage")).text, person=person)
    return Ignored(reason="protocol", provider_id=provider_id, at=at)


def _advert(context: Mapping[str, object]) -> Mapping[str, object]:
    """Which advert the person came from, under the names that the Cloud API uses."""
    advert = mapping(context.get("externalAdReply"))
    names = {"source_type": "sourceType", "source_id": "sourceId", "ctwa_clid": "ctwaClid"}
    about = {ours: text for ours, theirs in names.items() if (text := word(advert.get(theirs)))}
    return {"referral": about} if about else {}
