"""Evolution API v2 webhooks into items, by the name of the event."""

from collections.abc import Callable, Mapping

from engine.adapters.channels.evolution_chat import upsert
from engine.adapters.channels.evolution_content import content
from engine.adapters.channels.evolution_jids import is_person, person_of, phone_of, reason_to_ignore
from engine.adapters.reading import mapping, name, number, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import ChannelNews, Deletion, Edit, Ignored, Item, Status, Unknown

STATUSES = {
    "ERROR": "failed", "FAILED": "failed", "PENDING": "pending", "SERVER_ACK": "sent", "DELIVERY_ACK": "delivered",
    "READ": "read", "PLAYED": "played",
    # the same as numbers, as objects that the gateway passes on untouched have them
    "0": "failed", "1": "pending", "2": "sent", "3": "delivered", "4": "read", "5": "played",
}  # fmt: skip
_LOGGED_OUT = 401
_NOT_FOR_US = {
    "messages.set": "history",
    "presence.update": "presence",
    "call": "call",
    "application.startup": "startup",
    "instance.create": "startup",
    "group.participants.update": "group",
    "group.update": "group",
}
_NOT_FOR_US_FAMILIES = {
    "chats": "chats",
    "contacts": "contacts",
    "groups": "group",
    "labels": "labels",
    "typebot": "typebot",
}


def items(
    body: Mapping[str, object],
    instance: str | None,
    own_number: str | None,
    marks: Mapping[str, object],
    received_at: Millis,
) -> list[Item]:
    """Every item of a body. `date_time` is never read: it is local time with a false Z.

    A body of another instance is Unknown("other_instance"). `marks` go onto every message.
    """
    event = _event_name(body.get("event"))
    named = word(body.get("instance"))
    if instance and named and named != instance:
        return [Unknown(reason="other_instance", name=named)]
    if event is None:
        return [Unknown(reason="unknown_event")]
    if (reason := _NOT_FOR_US.get(event) or _NOT_FOR_US_FAMILIES.get(event.partition(".")[0])) is not None:
        return [Ignored(reason=reason)]
    own = {found for found in (own_number, phone_of(body.get("sender"))) if found}
    if event in {"messages.upsert", "send.message"}:
        always_ours = event == "send.message"
        read: _Reader = lambda data, at: upsert(data, own, marks, at, always_ours=always_ours)  # noqa: E731 - one of a table
    elif (found := _READERS.get(event)) is not None:
        read = found
    else:
        return [Unknown(reason="unknown_event", name=event)]
    parts = objects(body.get("data"))
    return [_guarded(read, mapping(part), received_at, event) for part in parts] or [
        Unknown(reason="unreadable_shape", name=event)
    ]


_Reader = Callable[[Mapping[str, object], Millis], Item]


def _event_name(value: object) -> str | None:
    """`messages.upsert`, also from the spelling that the gateway's configuration uses."""
    event = word(value)
    return event.lower().replace("_", ".") if event is not None else None


def _guarded(read: _Reader, data: Mapping[str, object], received_at: Millis, event: str) -> Item:
    """One bad item must not take the others with it, whatever is wrong with it."""
    try:
        return read(data, received_at)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        return Unknown(reason="unreadable_shape", name=event)


def _update(data: Mapping[str, object], at: Millis) -> Item:
    key = mapping(data.get("key"))
    provider_id = word(data.get("keyId")) or word(key.get("id"))
    jid = data.get("remoteJid") or key.get("remoteJid")
    if provider_id is None:
        return Unknown(reason="unreadable_shape", name="messages.update")
    if isinstance(jid, str) and not is_person(jid):
        return Ignored(reason=reason_to_ignore(jid), provider_id=provider_id, at=at)
    status = STATUSES.get(str(data.get("status")))
    if status is None:
        # DELETED is also what the gateway writes for a status that it does not know
        return Ignored(reason="other_status", provider_id=provider_id, at=at)
    from_me = data.get("fromMe", key.get("fromMe"))
    # Where the gateway stands before the Cloud API, fromMe is always false and says nothing
    says_nothing = not isinstance(from_me, bool) or (provider_id.startswith("wamid.") and not from_me)
    return Status(
        provider_id=provider_id,
        status=status,
        at=at,
        person=person_of({"remoteJid": jid}),
        ours=None if says_nothing else bool(from_me),
    )


def _edited(data: Mapping[str, object], at: Millis) -> Item:
    """An edit or a deletion; the key inside is seen from the sender's side, so only its id can be relied on."""
    key = mapping(data.get("key"))
    target, kind = word(key.get("id")), str(data.get("type"))
    jid = key.get("remoteJid")
    if target is None:
        return Unknown(reason="unreadable_shape", name="messages.edited")
    if isinstance(jid, str) and not is_person(jid):
        return Ignored(reason=reason_to_ignore(jid), provider_id=target, at=at)
    if kind in {"REVOKE", "0"}:
        return Deletion(target_id=target, at=at)
    if kind in {"MESSAGE_EDIT", "14"}:
        said = content(data.get("editedMessage"))
        return Edit(target_id=target, at=to_millis(data.get("timestampMs")) or at, text=said.text)
    return Ignored(reason="protocol", provider_id=target, at=at)


def _deleted(data: Mapping[str, object], at: Millis) -> Item:
    key = mapping(data.get("key")) or data
    target, jid = word(key.get("id")), key.get("remoteJid")
    if target is None:
        return Unknown(reason="unreadable_shape", name="messages.delete")
    if isinstance(jid, str) and not is_person(jid):
        return Ignored(reason=reason_to_ignore(jid), provider_id=target, at=at)
    return Deletion(target_id=target, at=at, person=person_of(key))


def _connection(data: Mapping[str, object], at: Millis) -> Item:
    state = word(data.get("state")) or word(data.get("status"))
    code = data.get("statusReason", data.get("disconnectionReasonCode"))
    return ChannelNews(reason="connection", at=at, state=state, code=number(code))


def _logged_out(_data: Mapping[str, object], at: Millis) -> Item:
    return ChannelNews(reason="connection", at=at, state="close", code=_LOGGED_OUT)


def _removed(_data: Mapping[str, object], at: Millis) -> Item:
    return ChannelNews(reason="connection", at=at, state="missing")


def _qr(data: Mapping[str, object], at: Millis) -> Item:
    """There is a code to scan, or nobody scanned one in time and there are no more."""
    return ChannelNews(reason="qr", at=at, state="qr" if mapping(data.get("qrcode")) else "refused")


def _gateway_error(data: Mapping[str, object], at: Millis) -> Item:
    detail = name(data.get("error")) or name(data.get("message"))
    return ChannelNews(reason="channel_error", at=at, code=number(data.get("status")), detail=detail)


_READERS: Mapping[str, _Reader] = {
    "messages.update": _update,
    "send.message.update": _update,
    "messages.edited": _edited,
    "messages.delete": _deleted,
    "connection.update": _connection,
    "status.instance": _connection,
    "logout.instance": _logged_out,
    "remove.instance": _removed,
    "qrcode.updated": _qr,
    "error": _gateway_error,
}
