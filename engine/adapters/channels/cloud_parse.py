"""WhatsApp Cloud API webhooks into items: the envelope, statuses, echoes, preferences and news of the account."""

from collections.abc import Callable, Iterator, Mapping

from engine.adapters.channels.cloud_messages import content, message_item
from engine.adapters.reading import digits, mapping, name, number, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import ChannelNews, Consent, Deletion, Echo, Edit, Ignored, Item, Person, Status, Unknown

_STATUSES = frozenset({"sent", "delivered", "read", "played", "failed", "pending"})
_THROTTLED = frozenset({4, 80007, 130429})
_NEWS = {
    "account_update": "account",
    "account_alerts": "account",
    "account_review_update": "account",
    "phone_number_quality_update": "quality",
    "phone_number_name_update": "account",
    "business_capability_update": "account",
    "message_template_status_update": "template",
    "message_template_quality_update": "template",
    "template_category_update": "template",
}
_FOR_OTHERS = frozenset({"history", "smb_app_state_sync"})
"""What the phone app of a coexistence number tells when it is linked: old chats and its address book, nothing new."""


def items(body: Mapping[str, object], own_id: str | None, own_number: str | None, received_at: Millis) -> list[Item]:
    """Every item of a body in its order: all entries, all changes, all messages (R20).

    `own_id` and `own_number` are the channel's phone_number_id and digits where they are known: what is addressed
    to another number of the same account becomes Unknown("other_number").
    """
    found = [
        item
        for entry in objects(body.get("entry"))
        for change in objects(mapping(entry).get("changes"))
        for item in _change(mapping(change), own_id, own_number, received_at)
    ]
    if found:
        return found
    return [Unknown(reason="unreadable_shape" if "entry" in body else "unknown_event", name=word(body.get("object")))]


def _change(
    change: Mapping[str, object], own_id: str | None, own_number: str | None, received_at: Millis
) -> Iterator[Item]:
    value, field = mapping(change.get("value")), word(change.get("field"))
    metadata = mapping(value.get("metadata"))
    addressed = word(metadata.get("phone_number_id"))
    if own_id and addressed and addressed != own_id:
        yield Unknown(reason="other_number", name=addressed)
        return
    own = {found for found in (own_number, digits(metadata.get("display_phone_number"))) if found}
    known = False
    for key, read in _READERS.items():
        for position in objects(value.get(key)):
            known = True
            yield _guarded(read, mapping(position), value, own, received_at)
    for error in objects(value.get("errors")):
        known = True
        if (notice := _account_error(mapping(error), value, received_at)) is not None:
            yield notice
    if not known:
        yield _news(field, value, received_at)


_Reader = Callable[[Mapping[str, object], Mapping[str, object], "set[str]", Millis], Item]


def _guarded(
    read: _Reader, item: Mapping[str, object], value: Mapping[str, object], own: set[str], received_at: Millis
) -> Item:
    """One bad item must not take the others with it, whatever is wrong with it."""
    try:
        return read(item, value, own, received_at)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        return Unknown(reason="unreadable_shape", name=word(item.get("type")))


def _message(item: Mapping[str, object], value: Mapping[str, object], own: set[str], received_at: Millis) -> Item:
    at = to_millis(item.get("timestamp")) or received_at
    if item.get("group_id"):
        return Ignored(reason="group", provider_id=word(item.get("id")), at=at)
    if digits(item.get("from")) in own:
        return Ignored(reason="self_chat", provider_id=word(item.get("id")), at=at)
    return message_item(item, value, at)


def _status(item: Mapping[str, object], _value: Mapping[str, object], _own: set[str], received_at: Millis) -> Item:
    provider_id, status = word(item.get("id")), word(item.get("status"))
    at = to_millis(item.get("timestamp")) or received_at
    if provider_id is None or status is None:
        return Unknown(reason="unreadable_shape", name="status")
    if item.get("recipient_type") == "group":
        return Ignored(reason="group", provider_id=provider_id, at=at)
    if status not in _STATUSES:
        return Unknown(reason="unknown_status", name=status)
    error = mapping(next(iter(objects(item.get("errors"))), None))
    return Status(
        provider_id=provider_id,
        status=status,
        at=at,
        correlation=word(item.get("biz_opaque_callback_data")),
        code=number(error.get("code")),
        detail=_detail(error),
        person=Person(phone=digits(item.get("recipient_id")), bsuid=word(item.get("recipient_user_id"))),
        ours=True,
    )


def _echo(item: Mapping[str, object], _value: Mapping[str, object], _own: set[str], received_at: Millis) -> Item:
    """What the owner typed in the phone app of a coexistence number (R21)."""
    provider_id = word(item.get("id"))
    at = to_millis(item.get("timestamp")) or received_at
    person = Person(phone=digits(item.get("to")), bsuid=word(item.get("to_user_id")))
    if provider_id is None or (person.phone is None and person.bsuid is None):
        return Unknown(reason="unreadable_shape", name="message_echo")
    target = word(mapping(item.get(str(item.get("type")))).get("original_message_id"))
    if item.get("type") == "edit" and target:
        return Edit(
            target_id=target, at=at, text=content(mapping(mapping(item["edit"]).get("message"))).text, person=person
        )
    if item.get("type") == "revoke" and target:
        return Deletion(target_id=target, at=at, person=person)
    said = content(item)
    return Echo(provider_id=provider_id, person=person, at=at, text=said.text, kind=said.kind)


def _preference(item: Mapping[str, object], _value: Mapping[str, object], _own: set[str], received_at: Millis) -> Item:
    """The platform's own stop and resume buttons; they have no id, so one is made of what they say (R75)."""
    person = Person(phone=digits(item.get("wa_id")), bsuid=word(item.get("user_id")))
    who = person.bsuid or person.phone
    at = to_millis(item.get("timestamp")) or received_at
    wish = item.get("value")
    if who is None or item.get("category") != "marketing_messages" or wish not in {"stop", "resume"}:
        return Unknown(reason="unknown_preference", name=word(item.get("category")))
    return Consent(provider_id=f"preference:{who}:{at}:{wish}", person=person, at=at, stop=wish == "stop")


_READERS: Mapping[str, _Reader] = {
    "messages": _message,
    "statuses": _status,
    "message_echoes": _echo,
    "user_preferences": _preference,
}


def _account_error(error: Mapping[str, object], value: Mapping[str, object], received_at: Millis) -> ChannelNews | None:
    """A notice about the number itself; one that explains a message of the same body goes with that message."""
    code = number(error.get("code"))
    throttled = code in _THROTTLED
    if not throttled and value.get("messages"):
        return None
    reason = "channel_throttled" if throttled else "channel_error"
    return ChannelNews(reason=reason, at=received_at, code=code, detail=_detail(error))


def _news(field: str | None, value: Mapping[str, object], received_at: Millis) -> Item:
    if field in _FOR_OTHERS:
        return Ignored(reason=field, at=received_at)
    if field not in _NEWS:
        return Unknown(reason="unreadable_shape" if field in {None, "messages"} else "unknown_event", name=field)
    named = (value.get(key) for key in ("event", "decision", "new_quality_score", "new_category"))
    state = next((told for text in named if (told := word(text))), None)
    restricted = mapping(next(iter(objects(value.get("restriction_info"))), None)).get("restriction_type")
    about = (value.get("reason"), value.get("current_limit"), mapping(value.get("ban_info")).get("waba_ban_state"))
    return ChannelNews(
        reason=_NEWS[field],
        at=received_at,
        state=state,
        detail=" ".join(text for part in (*about, restricted) if (text := word(part))) or None,
        template=word(value.get("message_template_name")),
        language=word(value.get("message_template_language")),
    )


def _detail(error: Mapping[str, object]) -> str | None:
    return (
        name(mapping(error.get("error_data")).get("details")) or name(error.get("message")) or name(error.get("title"))
    )
