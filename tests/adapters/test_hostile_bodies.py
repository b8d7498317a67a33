"""Bodies that mean harm: every one is refused in a known way or becomes items, nothing else is ever raised (R35).

SEC-S5.
"""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adapters.bodies import decode
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.channels.registry import CHANNELS
from engine.core.errors import BadSignature, BodyTooLarge, UnreadableBody
from engine.core.inbound import Ignored, Message, Unknown
from tests.adapters.mutations import WRONG, places, replaced, without
from tests.payload_files import ARRIVAL, load, names

LIMIT = 1024 * 1024


def swallow(raw: bytes) -> list[object]:
    """The body through every door; the items of all of them."""
    found: list[object] = []
    for channel in CHANNELS.values():
        config = ChannelConfig(1, channel.kind, "canal", {"instance": "loja-teste", "number": "554130000000"}, {})
        with suppress(BadSignature):
            channel.verify(config, {"X-Hub-Signature-256": "sha256=0"}, raw)
        try:
            body = decode(raw, LIMIT)
        except (UnreadableBody, BodyTooLarge):
            return []
        result = channel.parse(config, body, ARRIVAL)
        assert result.items, "something must stay visible (R29)"
        json.dumps(result.kept).encode()
        assert "\\u0000" not in json.dumps(result.kept)
        found += result.items
    for item in found:
        assert "\x00" not in json.dumps(repr(item))
    return found


BASES = [
    "whatsapp_cloud/in/text_reply_context.json",
    "whatsapp_cloud/in/interactive_button_reply.json",
    "whatsapp_cloud/in/image_with_caption_and_url.json",
    "whatsapp_cloud/in/status_failed_131047.json",
    "whatsapp_cloud/in/system_user_changed_number.json",
    "whatsapp_cloud/in/edit_coexistence.json",
    "whatsapp_cloud/in/echo_smb_edit.json",
    "whatsapp_cloud/in/user_preferences_stop.json",
    "whatsapp_cloud/in/text_referral_ctwa.json",
    "evolution/in/upsert_text_with_quote.json",
    "evolution/in/upsert_ephemeral_wrapper.json",
    "evolution/in/upsert_audio_transcribed.json",
    "evolution/in/upsert_list_response.json",
    "evolution/in/upsert_reaction.json",
    "evolution/in/upsert_secret_encrypted_edit.json",
    "evolution/in/messages_edited_by_customer.json",
    "evolution/in/messages_update_read.json",
    "evolution/in/connection_update_close_401.json",
]


@pytest.mark.parametrize("name", BASES)
def test_any_value_may_stand_anywhere(name: str) -> None:
    """Every place of every shape gets every wrong type, one at a time: thousands of bodies, no exception."""
    body = load(name)
    for number, place in enumerate(places(body)):
        for value in WRONG[number % 3 :: 3]:
            swallow(json.dumps(replaced(body, place, value)).encode())


@pytest.mark.parametrize("name", BASES)
def test_any_key_may_be_missing(name: str) -> None:
    body = load(name)
    for less in without(body):
        swallow(json.dumps(less).encode())


@pytest.mark.parametrize("name", names("evolution/in")[:6] + names("whatsapp_cloud/in")[:6])
def test_a_cut_body_is_unreadable_at_every_length(name: str) -> None:
    whole = json.dumps(load(name)).encode()
    for length in range(0, len(whole), 7):
        with pytest.raises(UnreadableBody):
            decode(whole[:length], LIMIT)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
EVENTS = st.sampled_from(["messages.upsert", "MESSAGES_UPDATE", "messages.edited", "send.message", "error", None, 7])
FIELDS = st.sampled_from(["messages", "statuses", "message_echoes", "user_preferences", "errors", "contacts"])


@settings(max_examples=150, deadline=None)
@given(EVENTS, JSON)
def test_no_gateway_event_raises(event: object, data: object) -> None:
    swallow(json.dumps({"event": event, "instance": "loja-teste", "data": data}).encode())


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(FIELDS, JSON), JSON)
def test_no_cloud_change_raises(value: object, extra: object) -> None:
    changes = [{"field": "messages", "value": value}, extra]
    swallow(json.dumps({"object": "whatsapp_business_account", "entry": [{"changes": changes}, extra]}).encode())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise(raw: bytes) -> None:
    swallow(raw)


def test_a_nul_in_a_text_is_removed_and_marked() -> None:
    """Case 083: the message counts, and the log says what was taken out of it."""
    body = load("whatsapp_cloud/in/text.json")
    body["entry"][0]["changes"][0]["value"]["messages"][0]["text"]["body"] = "lead\x00exemplo\x07"
    (item,) = CHANNELS["whatsapp_cloud"].parse(ChannelConfig(1, "whatsapp_cloud", "c"), body, ARRIVAL).items
    assert isinstance(item, Message)
    assert item.text is not None
    assert "\x00" not in item.text
    assert item.marks["sanitised"] == ["U+0000", "U+0007"]


def test_ids_that_no_index_takes_are_unreadable_and_their_neighbours_stay() -> None:
    """Case 094: one bad item does not take the others with it."""
    body = load("whatsapp_cloud/in/two_messages_same_contact_one_value.json")
    messages = body["entry"][0]["changes"][0]["value"]["messages"]
    messages.insert(1, {**messages[0], "id": "x" * 5_000})
    messages.insert(1, "not a message")
    messages.append({"id": "wamid.X", "type": None, "from": "5541900000001"})
    items = CHANNELS["whatsapp_cloud"].parse(ChannelConfig(1, "whatsapp_cloud", "c"), body, ARRIVAL).items
    assert [type(item) for item in items] == [Message, Unknown, Unknown, Message, Unknown]


def test_a_thousand_messages_in_one_body_are_a_thousand_items() -> None:
    body = load("whatsapp_cloud/in/text.json")
    value = body["entry"][0]["changes"][0]["value"]
    value["messages"] = [{**value["messages"][0], "id": f"wamid.{n}"} for n in range(1_000)]
    items = CHANNELS["whatsapp_cloud"].parse(ChannelConfig(1, "whatsapp_cloud", "c"), body, ARRIVAL).items
    assert len({item.provider_id for item in items if isinstance(item, Message)}) == 1_000


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"event":null,"data":null}', "unknown_event"),
        (b'{"event":"messages.upsert","data":[]}', "unreadable_shape"),
        (b'{"event":"messages.upsert","data":null}', "unreadable_shape"),
        (b'{"event":"hologram.upsert","data":{}}', "unknown_event"),
        (b"{}", "unknown_event"),
    ],
)
def test_readable_bodies_of_no_known_kind_are_kept_for_an_operator(raw: bytes, reason: str) -> None:
    """R20: answered 2xx and listed, never lost."""
    (item,) = CHANNELS["evolution"].parse(ChannelConfig(1, "evolution", "c"), decode(raw, LIMIT), ARRIVAL).items
    assert isinstance(item, Unknown)
    assert item.reason == reason
    assert not isinstance(item, Ignored)
