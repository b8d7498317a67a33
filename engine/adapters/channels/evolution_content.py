"""What a message of the Evolution API says, out of all the shapes and wrappers that its `message` object takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.adapters.bodies import decode, storable
from engine.adapters.reading import mapping, number, word, words
from engine.core.errors import UnreadableBody

_WRAPPERS = (
    "ephemeralMessage",
    "viewOnceMessage",
    "viewOnceMessageV2",
    "viewOnceMessageV2Extension",
    "documentWithCaptionMessage",
    "editedMessage",
    "deviceSentMessage",
)
_MEDIA = {
    "audioMessage": "audio",
    "imageMessage": "image",
    "videoMessage": "video",
    "ptvMessage": "video",
    "documentMessage": "document",
    "stickerMessage": "sticker",
    "locationMessage": "location",
    "liveLocationMessage": "location",
    "contactMessage": "contacts",
    "contactsArrayMessage": "contacts",
}
_KEPT = {
    # theirs: ours, which is what the Cloud API says
    "mimetype": "mime_type",
    "seconds": "seconds",
    "ptt": "voice",
    "fileName": "filename",
    "directPath": "path",
    "degreesLatitude": "latitude",
    "degreesLongitude": "longitude",
    "name": "name",
    "address": "address",
    "displayName": "name",
    "vcard": "vcard",
    "contacts": "contacts",
}
_NO_CONTENT = frozenset(
    {"messageContextInfo", "senderKeyDistributionMessage", "base64", "speechToText", "contextInfo", "mediaUrl"}
)
_TRANSCRIPT_PREFIX = "[audio]"
_MAX_PARAMETERS = 16 * 1024


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says; the fields are those of Message. An empty message is a text of no characters."""

    kind: str
    text: str | None = None
    button_id: str | None = None
    reply_to: str | None = None
    media: Mapping[str, object] = field(default_factory=dict)
    marks: Mapping[str, object] = field(default_factory=dict)


def unwrap(message: object) -> Mapping[str, object]:
    """The innermost message: disappearing, view-once and captioned ones are packed in up to a few layers."""
    inner = mapping(message)
    for _ in range(8):
        outer = next((mapping(inner[key]) for key in _WRAPPERS if key in inner), None)
        if outer is None or not (outer.get("message") or outer):
            return inner
        inner = mapping(outer["message"]) if "message" in outer else outer
    return inner


def content(message: object, context: object = None) -> Content:
    """What `message` says; `context` is the contextInfo beside it, where some versions put the quotation."""
    outer, inner = mapping(message), unwrap(message)
    reply_to = _quoted(context) or _quoted(outer.get("contextInfo")) or _quoted(inner.get("contextInfo"))
    key = next((name for name in inner if name not in _NO_CONTENT), None)
    inside = mapping(inner.get(key)) if key else {}
    reply_to = reply_to or _quoted(inside.get("contextInfo"))
    if key is None:
        return Content("text", "", reply_to=reply_to)
    if key in {"conversation", "extendedTextMessage"}:
        text, marks = words(inner[key] if key == "conversation" else inside.get("text"))
        return Content("text", text, reply_to=reply_to, marks=marks)
    if key in _MEDIA:
        return _medium(_MEDIA[key], inside, outer, reply_to)
    if (tap := _tap(key, inside)) is not None:
        kind, title, chosen = tap
        text, marks = words(title)
        return Content(kind, text, word(chosen), reply_to, marks=marks)
    return Content("unknown", reply_to=reply_to, media={"type": word(key)})


def _medium(kind: str, inside: Mapping[str, object], outer: Mapping[str, object], reply_to: str | None) -> Content:
    spoken = outer.get("speechToText")
    transcript = spoken.removeprefix(_TRANSCRIPT_PREFIX).strip() if isinstance(spoken, str) else None
    text, marks = words(transcript if kind == "audio" else inside.get("caption"))
    kept = {ours: inside[theirs] for theirs, ours in _KEPT.items() if theirs in inside}
    length = _whole(inside.get("fileLength"))
    media = storable(kept | ({"bytes": length} if length is not None else {}))[0]
    return Content(kind, text or None, reply_to=reply_to, media=media, marks=marks)


def _whole(value: object) -> int | None:
    """A 64-bit number, also as the two halves that a copied object has, of which the lower one may be negative."""
    if not isinstance(value, Mapping):
        return number(value)
    low, high = number(value.get("low")), number(value.get("high"))
    return None if low is None else ((high or 0) << 32) + (low & 0xFFFF_FFFF)


def _tap(key: str, inside: Mapping[str, object]) -> tuple[str, object, object] | None:
    """Kind, title and id of a tapped button or chosen row."""
    if key == "buttonsResponseMessage":
        return "button", inside.get("selectedDisplayText"), inside.get("selectedButtonId")
    if key == "templateButtonReplyMessage":
        return "button", inside.get("selectedDisplayText"), inside.get("selectedId")
    if key == "listResponseMessage":
        return "list", inside.get("title"), mapping(inside.get("singleSelectReply")).get("selectedRowId")
    if key == "interactiveResponseMessage":
        return "button", mapping(inside.get("body")).get("text"), _native_flow_id(inside)
    return None


def _native_flow_id(inside: Mapping[str, object]) -> object:
    """The id of a native-flow button, which comes as JSON inside a text."""
    parameters = mapping(inside.get("nativeFlowResponseMessage")).get("paramsJson")
    try:
        encoded = parameters.encode("utf-8", "replace") if isinstance(parameters, str) else b""
        return decode(encoded[:_MAX_PARAMETERS], _MAX_PARAMETERS).get("id")
    except UnreadableBody:
        return None


def _quoted(context: object) -> str | None:
    return word(mapping(context).get("stanzaId"))
