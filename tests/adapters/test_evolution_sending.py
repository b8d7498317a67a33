"""Evolution API sends against the fake gateway, and what its answers mean."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.protocol import (
    CLOSED,
    ChannelConfig,
    Outgoing,
    OutgoingButton,
    OutgoingMedia,
    OutgoingMenu,
    OutgoingRow,
    OutgoingTemplate,
    Recipient,
    SendResult,
)
from engine.adapters.http_client import Http
from tests.fakes.evolution import FakeEvolution
from tests.fakes.impatient import Impatient
from tests.payload_files import load, names

GATEWAY = Evolution()
T0 = 1_785_589_200_000
TEXT = Outgoing(outbox_id=7, to=Recipient(phone="5541900000001", lid="900000000000001@lid"), text="Olá!")


@pytest.fixture
async def fake() -> AsyncIterator[FakeEvolution]:
    async with FakeEvolution(clock=lambda: T0) as server:
        yield server


@pytest.fixture
async def http(fake: FakeEvolution) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


def config(fake: FakeEvolution, **settings: str) -> ChannelConfig:
    places = {"base_url": fake.base_url + "/", "instance": fake.instance, **settings}
    return ChannelConfig(1, "evolution", "canal", places, {"api_key": fake.api_key})


async def test_a_text_goes_to_the_phone_where_there_is_one(fake: FakeEvolution, http: Impatient) -> None:
    result = await GATEWAY.send(http, config(fake), TEXT)
    assert result == SendResult(outcome="accepted", provider_id="3EB0FAKE0001")
    assert fake.calls == [{"number": "5541900000001", "text": "Olá!", "linkPreview": False}]


async def test_a_person_known_only_by_lid_is_answered_there_as_received(fake: FakeEvolution, http: Impatient) -> None:
    """Case 011: never the digits of a LID as if they were a phone."""
    await GATEWAY.send(http, config(fake), replace(TEXT, to=Recipient(lid="900000000000001@lid")))
    assert fake.sent[0].jid == "900000000000001@lid"


@pytest.mark.parametrize(
    ("outgoing", "expected"),
    [
        (replace(TEXT, reply_to="3AEV1"), {"text": "Olá!", "quoted": {"key": {"id": "3AEV1"}}}),
        (replace(TEXT, template=OutgoingTemplate("t", "pt_BR")), {"text": "Olá!"}),
        (
            replace(TEXT, buttons=(OutgoingButton("a", "Pix"), OutgoingButton("b", "Cartão"))),
            {"text": "Olá!\n\n1. Pix\n2. Cartão"},
        ),
        (replace(TEXT, menu=OutgoingMenu("Ver", (OutgoingRow("r", "Combo"),))), {"text": "Olá!\n\n1. Combo"}),
        (
            replace(TEXT, media=OutgoingMedia("image", "https://img.exemplo.test/d/a.jpg?x=1")),
            {
                "mediatype": "image",
                "media": "https://img.exemplo.test/d/a.jpg?x=1",
                "caption": "Olá!",
                "fileName": "a.jpg",
            },
        ),
        (
            replace(TEXT, media=OutgoingMedia("audio", "https://img.exemplo.test/a.ogg")),
            {"audio": "https://img.exemplo.test/a.ogg"},
        ),
    ],
)
async def test_every_form_is_taken_by_the_gateway(
    fake: FakeEvolution, http: Impatient, outgoing: Outgoing, expected: dict[str, object]
) -> None:
    assert (await GATEWAY.send(http, config(fake), outgoing)).outcome == "accepted"
    assert expected.items() <= fake.calls[0].items()
    assert "delay" not in fake.calls[0], "the gateway's own delay sends twice"


@pytest.mark.parametrize(
    ("outgoing", "error"),
    [
        (Outgoing(outbox_id=1, to=Recipient(phone="5541900000001")), "content"),
        (replace(TEXT, text=None, template=OutgoingTemplate("t", "pt_BR")), "content"),
        (replace(TEXT, to=Recipient(bsuid="BR.9000000000000001")), "contact"),
    ],
)
async def test_what_cannot_be_sent_never_leaves(
    fake: FakeEvolution, http: Impatient, outgoing: Outgoing, error: str
) -> None:
    result = await GATEWAY.send(http, config(fake), outgoing)
    assert (result.outcome, result.error_class) == ("refused", error)
    assert fake.calls == []


async def test_refusals_name_who_must_act(fake: FakeEvolution, http: Impatient) -> None:
    fake.not_on_whatsapp.add("5541900000001")
    result = await GATEWAY.send(http, config(fake), TEXT)
    assert (result.outcome, result.error_class, result.detail) == ("refused", "contact", "not_on_whatsapp")
    other = await GATEWAY.send(http, config(fake, instance="loja-outra"), TEXT)
    assert (other.outcome, other.error_class) == ("refused", "account")
    wrong_key = replace(config(fake), secrets={"api_key": "outra"})
    assert (await GATEWAY.send(http, wrong_key, TEXT)).error_class == "account"


@pytest.mark.parametrize("name", [n for n in names("evolution/out") if "/error_" in n])
def test_a_recorded_error_is_a_definite_refusal(name: str) -> None:
    response = load(name)["response"]
    assert GATEWAY.answer(response["status"], response["body"], None).outcome == "refused"


def test_a_recorded_answer_is_acceptance() -> None:
    response = load("evolution/out/send_text.json")["response"]
    assert GATEWAY.answer(response["status"], response["body"], None).provider_id == "3EB0OUT1"


@pytest.mark.parametrize(
    "kind", ["hang_after", "reset_after", "cut_after", "empty_after", "hang_before", "reset_before", "html"]
)
async def test_a_lost_answer_is_unknown_whether_or_not_the_message_left(
    fake: FakeEvolution, http: Impatient, kind: Any
) -> None:
    fake.fail_next(kind)
    assert (await GATEWAY.send(http, config(fake), TEXT)).outcome == "unknown"


async def test_a_number_without_its_connection_sends_nothing_and_says_why(fake: FakeEvolution, http: Impatient) -> None:
    fake.state = "close"
    result = await GATEWAY.send(http, config(fake), TEXT)
    assert (result.outcome, result.detail) == ("retry", CLOSED)
    assert fake.sent == []


async def test_a_refused_connection_is_certainly_not_sent(fake: FakeEvolution, http: Impatient) -> None:
    assert (await GATEWAY.send(http, config(fake, base_url="http://127.0.0.1:1"), TEXT)).outcome == "retry"


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (500, FakeEvolution.error(500, "x"), "unknown"),
        (502, None, "unknown"),
        (400, None, "unknown"),
        (404, None, "unknown"),
        (429, None, "retry"),
        (400, {"message": "bad"}, "refused"),
        (400, {"response": {"message": [["text is required"]]}}, "refused"),
        (403, {"error": "Forbidden"}, "refused"),
        (400, FakeEvolution.error(400, ["Error: Timed Out"]), "unknown"),
        (400, FakeEvolution.error(400, ["PrismaClientKnownRequestError: x"]), "unknown"),
        (400, FakeEvolution.error(400, ["Text is required"]), "refused"),
        (200, {"key": {}}, "unknown"),
        (201, {"key": {"id": 5}}, "accepted"),
    ],
)
def test_only_the_gateways_own_words_prove_a_refusal(status: int, body: Any, outcome: str) -> None:
    assert GATEWAY.answer(status, body, None).outcome == outcome


async def test_what_the_fake_posts_is_read_and_its_key_not_kept(fake: FakeEvolution, http: Impatient) -> None:
    await GATEWAY.send(http, config(fake), TEXT)
    for body in (fake.status_of(fake.sent[0], "DELIVERY_ACK"), fake.text_from("5541900000001", "oi", "3A1", T0)):
        result = GATEWAY.parse(config(fake), body, T0)
        assert type(result.items[0]).__name__ in {"Status", "Message"}
        assert fake.api_key not in repr(result)
