"""Cloud API sends against a strict Graph API on loopback, and what every answer means."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from engine.adapters.channels.cloud_api import CloudApi
from engine.adapters.channels.protocol import (
    ChannelConfig,
    Outgoing,
    OutgoingButton,
    OutgoingMedia,
    OutgoingMenu,
    OutgoingRow,
    OutgoingTemplate,
    OutgoingTemplateButton,
    Recipient,
    SendResult,
)
from engine.adapters.http import HttpRequest
from engine.adapters.http_client import Http
from tests.fakes.impatient import Impatient
from tests.fakes.whatsapp import FakeWhatsApp
from tests.payload_files import load

CLOUD = CloudApi()
LEAD = Recipient(phone="5541900000001")
TEXT = Outgoing(outbox_id=42, to=LEAD, text="Olá! Como posso ajudar?")


@pytest.fixture
async def fake() -> AsyncIterator[FakeWhatsApp]:
    async with FakeWhatsApp(templates={("retomar_oferta", "pt_BR"): 1, ("sem_valor", "pt_BR"): 0}) as server:
        yield server


@pytest.fixture
async def http(fake: FakeWhatsApp) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


def config(fake: FakeWhatsApp, **settings: str) -> ChannelConfig:
    places = {"base_url": fake.base_url, "phone_number_id": fake.phone_number_id, **settings}
    return ChannelConfig(1, "whatsapp_cloud", "canal", places, {"access_token": fake.access_token})


GOOD = {
    "text": TEXT,
    "answer to a message": replace(TEXT, reply_to="wamid.TEST000001"),
    "username": replace(TEXT, to=Recipient(bsuid="BR.9000000000000001")),
    "template": replace(TEXT, template=OutgoingTemplate("retomar_oferta", "pt_BR", ("Lead\n\tUm      aqui",))),
    "template without values": replace(TEXT, text=None, template=OutgoingTemplate("sem_valor", "pt_BR")),
    "buttons": replace(TEXT, buttons=(OutgoingButton("btn_pix", "Pix"), OutgoingButton("btn_cartao", "Cartão"))),
    "menu": replace(TEXT, menu=OutgoingMenu("Ver opções", (OutgoingRow("row_combo", "Combo", "3 meses"),))),
    "image": replace(TEXT, media=OutgoingMedia("image", "https://img.exemplo.test/a.jpg", "veja")),
    "image with the text as caption": replace(TEXT, media=OutgoingMedia("image", "https://img.exemplo.test/a.jpg")),
    "a file that the platform has": replace(TEXT, text=None, media=OutgoingMedia("video", "400000000000001")),
    "document": replace(TEXT, text=None, media=OutgoingMedia("document", "https://x.test/a/Guia%20%C3%BAtil.pdf?v=1")),
    "template with everything": replace(
        TEXT,
        template=OutgoingTemplate(
            "retomar_oferta",
            "pt_BR",
            ("Lead",),
            OutgoingMedia("image", "https://x.test/a.jpg"),
            (OutgoingTemplateButton(payload="QUERO_PIX"), OutgoingTemplateButton(), OutgoingTemplateButton(url="a b")),
        ),
    ),
    "template with a headline": replace(
        TEXT, template=OutgoingTemplate("sem_valor", "pt_BR", header="Combo\nde agosto")
    ),
    "audio": replace(TEXT, text=None, media=OutgoingMedia("audio", "https://img.exemplo.test/a.ogg", "ignorada")),
}


@pytest.mark.parametrize("outgoing", GOOD.values(), ids=GOOD)
async def test_every_form_is_taken_by_the_platform(fake: FakeWhatsApp, http: Impatient, outgoing: Outgoing) -> None:
    result = await CLOUD.send(http, config(fake), outgoing)
    assert result == SendResult(outcome="accepted", provider_id=fake.sent[0].id)
    assert fake.sent[0].callback_data == "outbox:42"


async def test_a_text_is_exactly_the_recorded_request(fake: FakeWhatsApp, http: Impatient) -> None:
    await CLOUD.send(http, config(fake), TEXT)
    assert fake.sent[0].body == load("whatsapp_cloud/out/send_text.json")["request"]["body"]


@pytest.mark.parametrize(
    "name",
    ["send_text_to_bsuid", "send_image_link", "send_interactive_buttons", "send_interactive_list", "send_template"],
)
async def test_recorded_requests_pass_the_fake(fake: FakeWhatsApp, name: str) -> None:
    """The fake is no stricter than what was recorded."""
    async with Http() as client:
        url = f"{fake.base_url}/v23.0/{fake.phone_number_id}/messages"
        headers = {"Authorization": f"Bearer {fake.access_token}"}
        body = load(f"whatsapp_cloud/out/{name}.json")["request"]["body"]
        answer = await client.request(HttpRequest(method="POST", url=url, headers=headers, json=body, trusted=True))
    assert answer.status == 200


async def test_a_template_is_exactly_the_recorded_request(fake: FakeWhatsApp, http: Impatient) -> None:
    button = OutgoingTemplateButton(payload="QUERO_PIX")
    template = OutgoingTemplate("retomar_oferta", "pt_BR", ("Lead",), buttons=(button,))
    await CLOUD.send(http, config(fake), replace(TEXT, text=None, template=template))
    recorded = load("whatsapp_cloud/out/send_template.json")["request"]["body"]
    assert fake.sent[0].body["template"] == recorded["template"]


async def test_each_value_goes_to_its_own_place_in_a_template(fake: FakeWhatsApp, http: Impatient) -> None:
    await CLOUD.send(http, config(fake), GOOD["template with everything"])
    components = fake.sent[0].body["template"]["components"]
    assert [(c["type"], c.get("sub_type"), c.get("index")) for c in components] == [
        ("header", None, None), ("body", None, None), ("button", "quick_reply", "0"), ("button", "url", "2"),
    ]  # fmt: skip
    assert components[0]["parameters"] == [{"type": "image", "image": {"link": "https://x.test/a.jpg"}}]


async def test_a_document_has_its_name_and_a_file_of_the_platform_its_number(
    fake: FakeWhatsApp, http: Impatient
) -> None:
    await CLOUD.send(http, config(fake), GOOD["document"])
    await CLOUD.send(http, config(fake), GOOD["a file that the platform has"])
    assert fake.sent[0].body["document"]["filename"] == "Guia útil.pdf"
    assert fake.sent[1].body["video"] == {"id": "400000000000001"}


async def test_a_person_without_a_phone_is_named_in_recipient_and_never_in_to(
    fake: FakeWhatsApp, http: Impatient
) -> None:
    """Case 019: a business-scoped id in `to` is dropped in silence."""
    await CLOUD.send(http, config(fake), GOOD["username"])
    assert fake.sent[0].body["recipient"] == "BR.9000000000000001"
    assert "to" not in fake.sent[0].body


async def test_a_base_address_may_name_its_own_version(fake: FakeWhatsApp, http: Impatient) -> None:
    result = await CLOUD.send(http, config(fake, base_url=f"{fake.base_url}/v19.0/"), TEXT)
    assert result.outcome == "accepted"


BAD = {
    "text over 4096": replace(TEXT, text="x" * 4097),
    "button title over 20": replace(TEXT, buttons=(OutgoingButton("b", "x" * 21),)),
    "interactive body over 1024": replace(TEXT, text="x" * 1025, buttons=(OutgoingButton("b", "x"),)),
    "row title over 24": replace(TEXT, menu=OutgoingMenu("Ver", (OutgoingRow("r", "x" * 25),))),
    "caption over 1024": replace(TEXT, media=OutgoingMedia("image", "https://img.exemplo.test/a.jpg", "x" * 1025)),
}


@pytest.mark.parametrize("outgoing", BAD.values(), ids=BAD)
async def test_what_is_too_long_is_refused_and_known_to_be_refused(
    fake: FakeWhatsApp, http: Impatient, outgoing: Outgoing
) -> None:
    result = await CLOUD.send(http, config(fake), outgoing)
    assert (result.outcome, result.error_class, result.code) == ("refused", "content", 100)
    assert fake.sent == []


async def test_account_and_template_mistakes_name_who_must_act(fake: FakeWhatsApp, http: Impatient) -> None:
    wrong_token = replace(config(fake), secrets={"access_token": "outro"})
    assert (await CLOUD.send(http, wrong_token, TEXT)).error_class == "account"
    missing = replace(TEXT, template=OutgoingTemplate("nenhum", "pt_BR"))
    assert (await CLOUD.send(http, config(fake), missing)).error_class == "template_off"
    one_missing = replace(TEXT, template=OutgoingTemplate("retomar_oferta", "pt_BR"))
    result = await CLOUD.send(http, config(fake), one_missing)
    assert (result.outcome, result.error_class, result.code) == ("refused", "template", 132000)


@pytest.mark.parametrize(
    ("outgoing", "error"),
    [
        (Outgoing(outbox_id=1, to=LEAD), "content"),
        (Outgoing(outbox_id=1, to=LEAD, text=""), "content"),
        (Outgoing(outbox_id=1, to=LEAD, media=OutgoingMedia("image", "")), "content"),
        (Outgoing(outbox_id=1, to=LEAD, media=OutgoingMedia("image", "ftp://x.test/a.jpg")), "content"),
        (Outgoing(outbox_id=1, to=LEAD, media=OutgoingMedia("image", "https:///a.jpg")), "content"),
        (Outgoing(outbox_id=1, to=Recipient(lid="900000000000001@lid"), text="oi"), "contact"),
    ],
)
async def test_what_cannot_be_sent_never_leaves(
    fake: FakeWhatsApp, http: Impatient, outgoing: Outgoing, error: str
) -> None:
    result = await CLOUD.send(http, config(fake), outgoing)
    assert (result.outcome, result.error_class) == ("refused", error)
    assert fake.calls == []


async def test_the_fake_keeps_the_window_and_the_pair_rate(http: Impatient) -> None:
    now = 1_785_589_200_000
    async with FakeWhatsApp(clock=lambda: now, pair_interval_ms=6_000) as fake:
        assert (await CLOUD.send(http, config(fake), TEXT)).error_class == "window"
        template = replace(TEXT, template=OutgoingTemplate("retomar_oferta", "pt_BR"))
        assert (await CLOUD.send(http, config(fake), template)).outcome == "accepted"
        fake.heard_from("5541900000001", now)
        assert (await CLOUD.send(http, config(fake), TEXT)).code == 131056
        now += 6_000
        assert (await CLOUD.send(http, config(fake), TEXT)).outcome == "accepted"


async def test_what_the_fake_posts_is_proved_and_read(fake: FakeWhatsApp, http: Impatient) -> None:
    """A send, its status and a lead's message, through the same doors as the real ones."""
    await CLOUD.send(http, config(fake), TEXT)
    channel = replace(config(fake), secrets={"app_secret": fake.app_secret})
    for body in (
        fake.status_of(fake.sent[0], "failed", 1_785_589_203_000, code=131047),
        fake.text_from("5541900000001", "oi", "wamid.L1", 1_785_589_200_000),
    ):
        raw, headers = fake.signed(body)
        CLOUD.verify(channel, headers, raw)
    (status,) = CLOUD.parse(channel, fake.status_of(fake.sent[0], "failed", 1_785_589_203_000, 131047), 0).items
    assert getattr(status, "correlation", None) == "outbox:42"
    assert getattr(status, "code", None) == 131047
