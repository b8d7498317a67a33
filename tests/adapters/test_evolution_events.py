"""Edits, deletions, reactions, statuses and news of the gateway, from the log of real failures."""

import pytest

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.errors import BadSignature
from engine.core.inbound import ChannelNews, Deletion, Edit, Ignored, Reaction, Status, Unknown
from tests.gateway_reading import FAKE, LEAD, T0, read, upsert
from tests.payload_files import ARRIVAL


@pytest.mark.parametrize(
    ("kind", "expected"), [("REVOKE", Deletion), (0, Deletion), ("MESSAGE_EDIT", Edit), (14, Edit)]
)
def test_edits_and_deletions_inside_messages_are_what_they_are(kind: object, expected: type) -> None:
    """Case 068: a deletion is not an edit to nothing, and neither is a message."""
    protocol = {"key": {"id": "3A0"}, "type": kind, "editedMessage": {"conversation": "dois"}}
    item = upsert({"protocolMessage": protocol})
    assert isinstance(item, expected)
    assert getattr(item, "target_id", None) == "3A0"
    wrapped = upsert({"editedMessage": {"message": {"protocolMessage": protocol}}})
    assert type(wrapped) is expected


@pytest.mark.parametrize("kind", ["EPHEMERAL_SETTING", 3, None, "APP_STATE_SYNC_KEY_SHARE"])
def test_other_protocol_messages_are_ignored(kind: object) -> None:
    data = {"key": {"remoteJid": LEAD, "fromMe": True, "id": "3A0"}, "type": kind}
    assert isinstance(read("messages.edited", data), Ignored)
    assert isinstance(upsert({"protocolMessage": {"type": kind}}), Ignored)


def test_an_edit_inside_a_wrapper_is_read_and_its_time_is_the_edits() -> None:
    data = {
        "key": {"remoteJid": "554130000000@s.whatsapp.net", "fromMe": True, "id": "3A0"},
        "type": "MESSAGE_EDIT",
        "editedMessage": {"ephemeralMessage": {"message": {"extendedTextMessage": {"text": "quero 2"}}}},
        "timestampMs": {"low": -1_118_390_013, "high": 415, "unsigned": False},
    }
    assert read("messages.edited", data) == Edit(target_id="3A0", at=1_785_588_005_123, text="quero 2")


def test_a_reaction_taken_away_has_no_emoji_and_our_own_is_ignored() -> None:
    gone = upsert({"reactionMessage": {"key": {"id": "3EB0"}, "text": ""}})
    assert isinstance(gone, Reaction)
    assert gone.emoji is None
    ours = upsert({"reactionMessage": {"key": {"id": "3A0"}, "text": "👍"}}, key={"fromMe": True})
    assert isinstance(ours, Ignored)


@pytest.mark.parametrize(
    ("status", "expected"),
    [("ERROR", "failed"), ("PENDING", "pending"), ("SERVER_ACK", "sent"), ("DELIVERY_ACK", "delivered"),
     ("READ", "read"), ("PLAYED", "played"), (3, "delivered"), ("FAILED", "failed")],
)  # fmt: skip
def test_every_status_has_one_name(status: object, expected: str) -> None:
    item = read("messages.update", {"keyId": "3EB0", "remoteJid": LEAD, "fromMe": True, "status": status})
    assert isinstance(item, Status)
    assert (item.status, item.ours) == (expected, True)


@pytest.mark.parametrize("status", ["DELETED", None, "NEW_STATUS", 99, {}])
def test_a_status_that_says_nothing_is_ignored(status: object) -> None:
    assert isinstance(read("messages.update", {"keyId": "3EB0", "remoteJid": LEAD, "status": status}), Ignored)


def test_a_status_of_a_leads_own_message_is_not_ours() -> None:
    """Case 107: the only trace of a message that the gateway swallowed."""
    item = read("messages.update", {"keyId": "3A9", "remoteJid": LEAD, "fromMe": False, "status": "READ"})
    assert isinstance(item, Status)
    assert item.ours is False


def test_several_updates_in_one_body_are_several_items() -> None:
    data = [{"keyId": f"3A{n}", "remoteJid": LEAD, "fromMe": True, "status": "READ"} for n in range(3)]
    config = ChannelConfig(1, "evolution", "canal")
    items = Evolution().parse(config, FAKE.webhook("MESSAGES_UPDATE", data), ARRIVAL).items
    assert [item.provider_id for item in items if isinstance(item, Status)] == ["3A0", "3A1", "3A2"]


@pytest.mark.parametrize(
    ("event", "data", "state"),
    [
        ("connection.update", {"state": "close", "statusReason": 401}, "close"),
        ("status.instance", {"status": "closed"}, "closed"),
        ("logout.instance", {}, "close"),
    ],
)
def test_news_of_the_connection_are_news(event: str, data: object, state: str) -> None:
    item = read(event, data)
    assert isinstance(item, ChannelNews)
    assert (item.reason, item.state) == ("connection", state)


def test_a_body_of_another_instance_is_not_read_as_ours() -> None:
    config = ChannelConfig(1, "evolution", "canal", {"instance": "loja-outra"})
    result = Evolution().parse(config, FAKE.text_from("5541900000001", "oi", "3A1", T0), ARRIVAL)
    assert result.items == (Unknown(reason="other_instance", name="loja-teste"),)
    assert FAKE.api_key not in str(result.kept)


@pytest.mark.parametrize(
    ("event", "data", "state", "code"),
    [
        ("qrcode.updated", {"qrcode": {"code": "2@X"}}, "qr", None),
        (
            "qrcode.updated",
            {"message": "QR code limit reached, please login again", "statusCode": 500},
            "refused",
            None,
        ),
        ("connection.update", {"state": "refused", "statusReason": 428}, "refused", 428),
        ("status.instance", {"status": "closed", "disconnectionReasonCode": 403}, "closed", 403),
        ("logout.instance", {}, "close", 401),
        ("remove.instance", {}, "missing", None),
    ],
)
def test_every_way_to_lose_the_telephone_has_its_state(event: str, data: object, state: str, code: int | None) -> None:
    item = read(event, data)
    assert isinstance(item, ChannelNews)
    assert (item.state, item.code) == (state, code)


def test_of_a_qr_code_nothing_is_kept_that_links_a_telephone() -> None:
    """S2; elsewhere the same words are what a person wrote."""
    config = ChannelConfig(1, "evolution", "canal", {"instance": "loja-teste"})
    code = {"instance": "loja-teste", "pairingCode": "PAIR", "code": "2@X", "base64": "data:image/png;base64,AAAA"}
    for event in ("qrcode.updated", "QRCODE_UPDATED"):
        kept = Evolution().parse(config, FAKE.webhook(event, {"qrcode": code}), ARRIVAL).kept
        assert kept["data"] == {"qrcode": {"instance": "loja-teste"}}
    other = Evolution().parse(config, FAKE.webhook("contacts.update", {"code": "x"}), ARRIVAL).kept
    assert other["data"] == {"code": "x"}


@pytest.mark.parametrize(
    ("configured", "given", "good"),
    [
        ("", {}, True), ("", {"x-trilho-secret": "qualquer"}, True), ("s3gr3do", {"x-trilho-secret": "s3gr3do"}, True),
        ("s3gr3do", {"X-Trilho-Secret": "s3gr3do"}, True), ("novo,s3gr3do", {"x-trilho-secret": "s3gr3do"}, True),
        ("s3gr3do", {}, False), ("s3gr3do", {"x-trilho-secret": ""}, False), ("s3gr3do", {"x-trilho-secret": "S3GR3DO"}, False),
        ("s3gr3do", {"x-trilho-secret": "s3gr3dó"}, False),
    ],
)  # fmt: skip
def test_a_configured_secret_has_to_be_proved(configured: str, given: dict[str, str], good: bool) -> None:
    """S1, S2."""
    config = ChannelConfig(1, "evolution", "canal", secrets={"webhook_secret": configured} if configured else {})
    if good:
        Evolution().verify(config, given, b"{}")
        return
    with pytest.raises(BadSignature):
        Evolution().verify(config, given, b"{}")
