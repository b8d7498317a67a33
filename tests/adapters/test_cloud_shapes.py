"""The Cloud API's optional, mixed and odd shapes, from the log of real failures."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.channels.cloud_api import CloudApi
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.inbound import ChannelNews, Consent, Ignored, Item, Message, NumberChange, Reaction, Status, Unknown
from tests.fakes.whatsapp import FakeWhatsApp
from tests.payload_files import ARRIVAL, load

FAKE = FakeWhatsApp()
MESSAGE = {"from": "5541900000001", "id": "wamid.1", "timestamp": "1785589200", "type": "text", "text": {"body": "oi"}}


def read(body: dict[str, Any], **settings: str) -> list[Item]:
    config = ChannelConfig(1, "whatsapp_cloud", "canal", {"phone_number_id": "100000000000001", **settings})
    return list(CloudApi().parse(config, body, ARRIVAL).items)


def one(body: dict[str, Any], **settings: str) -> Item:
    (item,) = read(body, **settings)
    return item


def changed(field: str | None, value: object) -> dict[str, Any]:
    return {
        "object": "whatsapp_business_account",
        "entry": [{"id": "1", "changes": [{"field": field, "value": value}]}],
    }


@pytest.mark.parametrize(
    ("contacts", "name"),
    [
        ([], None),
        (None, None),
        ([{"wa_id": "5541900000001"}], None),
        ([{"profile": {}, "wa_id": "5541900000001"}], None),
        ([{"profile": {"name": "Lead\x00 Um "}, "wa_id": "5541900000001"}], "Lead Um"),
        ([{"profile": {"name": "Outra"}, "wa_id": "5541900000099"}], None),
        ([{"profile": {"name": "x" * 500}, "wa_id": "5541900000001"}], "x" * 200),
        ("nonsense", None),
    ],
)
def test_only_the_id_of_a_message_is_certain(contacts: object, name: str | None) -> None:
    """Case 082: a missing profile must not make the platform repeat for days."""
    item = one(FAKE.webhook(contacts=contacts, messages=[MESSAGE]))
    assert isinstance(item, Message)
    assert item.person.name == name
    assert item.person.phone == "5541900000001"


def test_each_message_gets_its_own_contact_by_phone_or_by_business_scoped_id() -> None:
    contacts = [{"profile": {"name": "Um"}, "user_id": "BR.1"}, {"profile": {"name": "Dois"}, "wa_id": "5541900000002"}]
    bsuid_only = {key: value for key, value in MESSAGE.items() if key != "from"}
    messages = [{**bsuid_only, "from_user_id": "BR.1"}, {**MESSAGE, "id": "wamid.2", "from": "5541900000002"}]
    people = [
        item.person for item in read(FAKE.webhook(contacts=contacts, messages=messages)) if isinstance(item, Message)
    ]
    assert [(p.name, p.phone, p.bsuid) for p in people] == [("Um", None, "BR.1"), ("Dois", "5541900000002", None)]


def test_a_contacts_list_is_no_proof_of_a_message() -> None:
    """Case 034: statuses carry a contacts list too."""
    item = one(load("whatsapp_cloud/in/status_read.json"))
    assert isinstance(item, Status)


def test_messages_statuses_and_errors_of_one_value_all_count() -> None:
    value = FAKE.webhook(
        messages=[MESSAGE],
        statuses=[{"id": "wamid.S", "status": "read", "timestamp": "1785589200"}],
        errors=[{"code": 130429}],
    )
    assert [type(item) for item in read(value)] == [Message, Status, ChannelNews]


def test_what_is_addressed_to_another_number_is_not_read_as_ours() -> None:
    items = read(load("whatsapp_cloud/in/two_entries_two_numbers.json"))
    assert isinstance(items[0], Message)
    assert items[1] == Unknown(reason="other_number", name="100000000000002")


def test_without_a_configured_number_every_number_is_ours() -> None:
    config = ChannelConfig(1, "whatsapp_cloud", "canal")
    items = CloudApi().parse(config, load("whatsapp_cloud/in/two_entries_two_numbers.json"), ARRIVAL).items
    assert [type(item) for item in items] == [Message, Message]


@pytest.mark.parametrize(
    ("sender", "settings"), [("554130000000", {}), ("554130000009", {"number": "+55 41 3000-0009"})]
)
def test_a_message_from_our_own_number_is_a_note_to_oneself(sender: str, settings: dict[str, str]) -> None:
    item = one(FAKE.webhook(messages=[{**MESSAGE, "from": sender}]), **settings)
    assert isinstance(item, Ignored)
    assert item.reason == "self_chat"


def test_a_forwarded_message_answers_nothing() -> None:
    item = one(load("whatsapp_cloud/in/text_forwarded.json"))
    assert isinstance(item, Message)
    assert item.reply_to is None


@pytest.mark.parametrize("emoji", [{}, {"emoji": ""}, {"emoji": None}])
def test_a_reaction_without_an_emoji_was_taken_away(emoji: dict[str, object]) -> None:
    item = one(FAKE.webhook(messages=[{**MESSAGE, "type": "reaction", "reaction": {"message_id": "wamid.O", **emoji}}]))
    assert isinstance(item, Reaction)
    assert item.emoji is None


def test_the_old_names_of_a_number_change_are_read_too() -> None:
    system = {"type": "customer_changed_number", "new_wa_id": "5541900000050"}
    item = one(FAKE.webhook(messages=[{**MESSAGE, "type": "system", "system": system}]))
    assert isinstance(item, NumberChange)
    assert (item.person.phone, item.new.phone) == ("5541900000001", "5541900000050")


def test_a_number_change_to_nowhere_and_an_unknown_system_message_stay_visible() -> None:
    for system in ({"type": "user_changed_number"}, {"type": "user_became_a_bird"}):
        assert isinstance(one(FAKE.webhook(messages=[{**MESSAGE, "type": "system", "system": system}])), Unknown)


@pytest.mark.parametrize(("wish", "stop"), [("stop", True), ("resume", False)])
def test_the_platforms_own_stop_button_is_consent_news_with_a_stable_id(wish: str, stop: bool) -> None:
    """R75; the notice has no id, so a second delivery must make the same one."""
    body = load(f"whatsapp_cloud/in/user_preferences_{wish}.json")
    first, second = one(body), one(body)
    assert isinstance(first, Consent)
    assert first.stop is stop
    assert first == second


@pytest.mark.parametrize(
    ("field", "value", "reason", "state"),
    [
        ("account_update", {"event": "DISABLED_UPDATE"}, "account", "DISABLED_UPDATE"),
        ("phone_number_quality_update", {"event": "FLAGGED", "current_limit": "TIER_1K"}, "quality", "FLAGGED"),
        ("message_template_status_update", {"event": "REJECTED"}, "template", "REJECTED"),
        ("message_template_quality_update", {"new_quality_score": "RED"}, "template", "RED"),
    ],
)
def test_news_of_the_account_are_news(field: str, value: object, reason: str, state: str) -> None:
    item = one(changed(field, value))
    assert isinstance(item, ChannelNews)
    assert (item.reason, item.state) == (reason, state)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (changed("flows", {"event": "x"}), "unknown_event"),
        (changed("messages", {}), "unreadable_shape"),
        (changed(None, None), "unreadable_shape"),
        ({"object": "page", "entry": []}, "unreadable_shape"),
        ({"object": "page"}, "unknown_event"),
    ],
)
def test_the_rest_stays_visible(body: dict[str, Any], reason: str) -> None:
    """R20: readable and of no known kind."""
    item = one(body)
    assert isinstance(item, Unknown)
    assert item.reason == reason


def test_an_unknown_status_stays_visible() -> None:
    item = one(FAKE.webhook(statuses=[{"id": "wamid.S", "status": "warning"}]))
    assert item == Unknown(reason="unknown_status", name="warning")


def test_a_message_without_a_readable_time_gets_the_time_of_its_arrival() -> None:
    item = one(FAKE.webhook(messages=[{**MESSAGE, "timestamp": "agora"}]))
    assert isinstance(item, Message)
    assert item.at == ARRIVAL


BAD = [None, 7, "x", [], {}, {"id": 1}, {"id": "wamid.B", "type": "text"}, {"type": "text", "from": "5541900000001"},
       {"id": "wamid.B", "type": "reaction", "from": "5541900000001"}, {"id": "wamid.B", "type": "system"},
       {"id": "wamid.B", "type": "edit", "from": "5541900000001", "edit": "x"}]  # fmt: skip


@given(st.lists(st.sampled_from([MESSAGE, *BAD]), max_size=12), st.integers(1, 3))
def test_a_bad_item_costs_no_other(messages: list[object], copies: int) -> None:
    """Case 094: in any place, in any number, in several entries; every good message is there, in its order."""
    good = [{**m, "id": f"wamid.{n}"} if m is MESSAGE else m for n, m in enumerate(messages)]
    body: dict[str, Any] = FAKE.webhook(messages=good, statuses=[{"id": "wamid.S", "status": "sent"}, *BAD])
    body["entry"] = body["entry"] * copies
    items = read(body)
    wanted = [f"wamid.{n}" for n, m in enumerate(messages) if m is MESSAGE]
    assert [item.provider_id for item in items if isinstance(item, Message)] == wanted * copies
    assert sum(isinstance(item, Status) for item in items) == copies
    assert len(items) == copies * (len(good) + len(BAD) + 1)


def test_a_form_is_read_as_its_fields() -> None:
    """The platform's own text of every answered form is "Sent", which means nothing."""
    for response in ({"flow_token": "t", "nome": "Ana", "idade": 30, "aceita": True}, "nonsense", None, [1]):
        reply = {"body": "Sent", "response_json": json.dumps(response) if isinstance(response, dict) else response}
        message = {**MESSAGE, "type": "interactive", "interactive": {"type": "nfm_reply", "nfm_reply": reply}}
        item = one(FAKE.webhook(messages=[message]))
        assert isinstance(item, Message)
        assert item.text == ("nome: Ana\nidade: 30" if isinstance(response, dict) else None)


def test_an_advert_is_remembered_even_where_the_content_is_not_available() -> None:
    referral = {"source_id": "9", "headline": "Combo", "ctwa_clid": "C", "source_url": "https://x.test", "body": "y"}
    for kind in ({}, {"type": "unsupported", "errors": [{"code": 131060}]}):
        item = one(FAKE.webhook(messages=[{**MESSAGE, **kind, "referral": referral}]))
        assert isinstance(item, Message)
        assert item.marks == {"referral": {"source_id": "9", "headline": "Combo", "ctwa_clid": "C"}}


def test_a_button_may_have_the_longest_id_that_there_is() -> None:
    reply = {"id": "b" * 256, "title": "Sim"}
    message = {**MESSAGE, "type": "interactive", "interactive": {"type": "button_reply", "button_reply": reply}}
    item = one(FAKE.webhook(messages=[message]))
    assert isinstance(item, Message)
    assert item.button_id == "b" * 256


@pytest.mark.parametrize("field", ["history", "smb_app_state_sync"])
def test_what_the_phone_app_tells_of_old_days_is_nothing_new(field: str) -> None:
    old = {"threads": [{"id": "5541900000001", "messages": [MESSAGE]}]}
    item = one(changed(field, {"history": [old], "state_sync": [{"type": "contact"}]}))
    assert isinstance(item, Ignored)
    assert item.reason == field


def test_news_of_a_template_name_it_and_news_of_a_ban_say_how_grave_it_is() -> None:
    named = {"message_template_name": "oferta", "message_template_language": "pt_BR", "reason": "NONE"}
    item = one(changed("message_template_status_update", {"event": "PAUSED", **named}))
    assert isinstance(item, ChannelNews)
    assert (item.template, item.language, item.state) == ("oferta", "pt_BR", "PAUSED")
    ban = one(changed("account_update", {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}}))
    assert isinstance(ban, ChannelNews)
    assert ban.detail == "DISABLE"
