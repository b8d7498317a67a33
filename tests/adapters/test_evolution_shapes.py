"""The many shapes of one message of the gateway, from the log of real failures."""

import pytest

from engine.core.inbound import Echo, Ignored, Item, Message
from tests.gateway_reading import LEAD, T0, read, upsert
from tests.payload_files import ARRIVAL


def text_of(item: Item) -> str | None:
    assert isinstance(item, Message)
    return item.text


@pytest.mark.parametrize(
    "message",
    [
        {"conversation": "oi"},
        {"extendedTextMessage": {"text": "oi"}},
        {"messageContextInfo": {}, "conversation": "oi"},
        {"ephemeralMessage": {"message": {"conversation": "oi"}}},
        {"viewOnceMessage": {"message": {"extendedTextMessage": {"text": "oi"}}}},
        {"viewOnceMessageV2Extension": {"message": {"conversation": "oi"}}},
        {"deviceSentMessage": {"message": {"ephemeralMessage": {"message": {"conversation": "oi"}}}}},
        {"senderKeyDistributionMessage": {}, "conversation": "oi"},
    ],
)
def test_wrappers_are_taken_off(message: object) -> None:
    assert text_of(upsert(message)) == "oi"


@pytest.mark.parametrize(
    "message", [{"conversation": None}, {"conversation": ""}, {}, None, {"messageContextInfo": {}}]
)
def test_an_empty_message_stays_an_empty_text(message: object) -> None:
    """Case 089: it opens the window and is answered by nobody."""
    item = upsert(message)
    assert isinstance(item, Message)
    assert (item.kind, item.text) == ("text", "")


def test_a_kind_that_nobody_knows_is_a_message_all_the_same() -> None:
    item = upsert({"pollCreationMessageV3": {"name": "?"}})
    assert isinstance(item, Message)
    assert (item.kind, item.media) == ("unknown", {"type": "pollCreationMessageV3"})


def test_what_could_not_be_decrypted_is_unavailable() -> None:
    item = upsert(None, messageStubType=2)
    assert isinstance(item, Message)
    assert (item.kind, item.text) == ("unavailable", None)
    assert upsert(None, messageStubType=27) == Ignored(reason="notice", provider_id="3A1", at=T0)


@pytest.mark.parametrize(
    "data",
    [
        {"contextInfo": {"stanzaId": "3EB0"}},
        {"message": {"conversation": "oi", "contextInfo": {"stanzaId": "3EB0"}}},
        {"message": {"extendedTextMessage": {"text": "oi", "contextInfo": {"stanzaId": "3EB0"}}}},
        {"message": {"ephemeralMessage": {"message": {"extendedTextMessage": {"contextInfo": {"stanzaId": "3EB0"}}}}}},
        {"message": {"imageMessage": {"contextInfo": {"stanzaId": "3EB0"}}}},
    ],
)
def test_the_quoted_message_is_found_wherever_it_stands(data: dict[str, object]) -> None:
    """Case 014: a quoted id of ours says who a person known only by LID is."""
    item = upsert(data.get("message", {"conversation": "oi"}), **{k: v for k, v in data.items() if k != "message"})
    assert isinstance(item, Message)
    assert item.reply_to == "3EB0"


def test_what_is_quoted_inside_a_quotation_is_not_the_quotation() -> None:
    quoted = {"extendedTextMessage": {"contextInfo": {"stanzaId": "OLD"}}}
    item = upsert({"extendedTextMessage": {"text": "oi", "contextInfo": {"quotedMessage": quoted}}})
    assert isinstance(item, Message)
    assert item.reply_to is None


@pytest.mark.parametrize(
    ("key", "phone", "lid"),
    [
        ({"remoteJid": "5541900000001@c.us"}, "5541900000001", None),
        ({"remoteJid": "5541900000001:12@s.whatsapp.net"}, "5541900000001", None),
        ({"remoteJid": "900000000000001:3@lid"}, None, "900000000000001@lid"),
        ({"remoteJid": "900000000000001@lid", "senderPn": LEAD}, "5541900000001", "900000000000001@lid"),
        ({"remoteJid": "900000000000001@lid", "remoteJidAlt": LEAD}, "5541900000001", "900000000000001@lid"),
        ({"senderLid": "900000000000001@lid"}, "5541900000001", "900000000000001@lid"),
        ({"remoteJid": "900000000000001@lid", "participantAlt": LEAD}, "5541900000001", "900000000000001@lid"),
        ({"remoteJidAlt": "120363000000000001@g.us"}, "5541900000001", None),
    ],
)
def test_a_person_is_found_in_whichever_field_the_version_fills(
    key: dict[str, str], phone: str | None, lid: str | None
) -> None:
    """Cases 011 and 013; the digits of a LID are never a phone."""
    item = upsert({"conversation": "oi"}, key=key)
    assert isinstance(item, Message)
    assert (item.person.phone, item.person.lid) == (phone, lid)


def test_an_own_message_to_a_lid_names_the_other_side_not_ourselves() -> None:
    key = {"remoteJid": "900000000000001@lid", "fromMe": True, "senderPn": "554130000000@s.whatsapp.net"}
    item = upsert({"conversation": "oi"}, key=key)
    assert isinstance(item, Echo)
    assert (item.person.phone, item.person.lid) == (None, "900000000000001@lid")


@pytest.mark.parametrize("from_me", [True, False])
@pytest.mark.parametrize("settings", [{}, {"number": "+55 41 3000-0000"}])
def test_a_note_to_oneself_is_nobodys_message(from_me: bool, settings: dict[str, str]) -> None:
    """Case 032: otherwise the robot answers itself without end."""
    data = {"key": {"remoteJid": "554130000000@s.whatsapp.net", "fromMe": from_me, "id": "3A1"}}
    item = read("messages.upsert", {**data, "message": {"conversation": "leite"}}, **settings)
    assert isinstance(item, Ignored)
    assert item.reason == "self_chat"


@pytest.mark.parametrize(
    ("jid", "reason"),
    [
        ("120363000000000001@g.us", "group"),
        ("status@broadcast", "broadcast"),
        ("1785589200@broadcast", "broadcast"),
        ("120363000000000002@newsletter", "broadcast"),
        ("13135550002@bot", "not_a_person"),
        ("no-at-sign", "not_a_person"),
    ],
)
@pytest.mark.parametrize("event", ["messages.upsert", "messages.update", "messages.edited", "messages.delete"])
def test_only_people_are_people_in_every_event(jid: str, reason: str, event: str) -> None:
    """R21: the kinds of address that are people are listed, not the others."""
    key = {"remoteJid": jid, "fromMe": False, "id": "3A1"}
    data = {
        "key": key,
        "keyId": "3A1",
        "remoteJid": jid,
        "status": "READ",
        "type": "REVOKE",
        "message": {"conversation": "x"},
    }
    item = read(event, data)
    assert isinstance(item, Ignored)
    assert item.reason == reason


def test_the_local_clock_that_calls_itself_utc_is_never_used() -> None:
    """Case 113: date_time is three hours off."""
    item = upsert({"conversation": "oi"}, messageTimestamp={"low": T0 // 1000, "high": 0, "unsigned": True})
    assert isinstance(item, Message)
    assert item.at == T0
    unknown_time = upsert({"conversation": "oi"}, messageTimestamp="ontem")
    assert isinstance(unknown_time, Message)
    assert unknown_time.at == ARRIVAL


def test_a_native_flow_button_gives_its_id() -> None:
    response = {"body": {"text": "Pix"}, "nativeFlowResponseMessage": {"paramsJson": '{"id":"btn_pix"}'}}
    item = upsert({"interactiveResponseMessage": response})
    assert isinstance(item, Message)
    assert (item.kind, item.text, item.button_id) == ("button", "Pix", "btn_pix")
