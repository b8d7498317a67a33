"""What holds for every channel, whoever adds one (the suite runs over the registry)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from engine.adapters.channels.protocol import (
    Channel,
    ChannelConfig,
    Outgoing,
    OutgoingButton,
    OutgoingTemplate,
    Recipient,
    SendResult,
)
from engine.adapters.channels.registry import CHANNELS, channel
from engine.adapters.http import HttpAnswer, HttpRequest
from engine.core.errors import AnswerLost, BadSignature, NotFound, NotSent
from engine.core.inbound import Item, Message, Unknown
from tests.fakes.evolution import FakeEvolution
from tests.fakes.whatsapp import FakeWhatsApp
from tests.payload_files import ARRIVAL

T0 = 1_785_589_200_000
LEAD = "5541900000001"
TEXT = Outgoing(outbox_id=9, to=Recipient(phone=LEAD), text="Olá")


def config(kind: str) -> ChannelConfig:
    settings = {"base_url": "http://gateway.test", "instance": "loja-teste", "phone_number_id": "100000000000001"}
    secrets = {
        "app_secret": "CANARIO-1",
        "verify_token": "CANARIO-2",
        "access_token": "CANARIO-3",
        "api_key": "CANARIO-4",
    }
    return ChannelConfig(1, kind, "canal", settings, secrets)


def text_body(kind: str, text: str, message_id: str) -> Mapping[str, object]:
    """A lead's text as this channel delivers it."""
    if kind == "whatsapp_cloud":
        return FakeWhatsApp().text_from(LEAD, text, message_id, T0)
    if kind == "evolution":
        return FakeEvolution().text_from(LEAD, text, message_id, T0)
    return {"id": message_id, "contact": LEAD, "name": "Lead Um", "text": text, "at": T0}


@dataclass
class Scripted:
    """A transport that answers as told and remembers what was asked."""

    answer: HttpAnswer | Exception
    asked: list[HttpRequest]

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture(params=sorted(CHANNELS))
def each(request: pytest.FixtureRequest) -> Channel:
    return channel(request.param)


def read(each: Channel, body: Mapping[str, object]) -> tuple[Item, ...]:
    return each.parse(config(each.kind), body, ARRIVAL).items


def test_a_kind_that_nobody_knows_is_not_found() -> None:
    with pytest.raises(NotFound):
        channel("pombo-correio")


def test_it_is_registered_under_its_own_kind(each: Channel) -> None:
    assert CHANNELS[each.kind] is each


def test_a_leads_text_is_one_message_with_id_person_time_and_words(each: Channel) -> None:
    (item,) = read(each, text_body(each.kind, "quero o combo", "id-1"))
    assert isinstance(item, Message)
    assert (item.provider_id, item.kind, item.text, item.at) == ("id-1", "text", "quero o combo", T0)
    assert (item.person.phone, item.person.name) == (LEAD, "Lead Um")


@pytest.mark.parametrize(
    "text", ["", " \u200b\u2060", "👩🏽‍💻 ção @ /", 'aspas " e \\ e\nlinha', "{{segredo}}", "x" * 4096]
)
def test_words_arrive_as_they_were_written(each: Channel, text: str) -> None:
    (item,) = read(each, text_body(each.kind, text, "id-1"))
    assert isinstance(item, Message)
    assert item.text == text


def test_parsing_twice_gives_the_same_items(each: Channel) -> None:
    body = text_body(each.kind, "oi", "id-1")
    assert read(each, body) == read(each, json.loads(json.dumps(body)))


@pytest.mark.parametrize("body", [{}, {"entry": 1}, {"event": {}}, {"id": [], "contact": {}}, {"a": {"b": [None]}}])
def test_what_cannot_be_read_is_unknown_and_kept_whole(each: Channel, body: dict[str, Any]) -> None:
    result = each.parse(config(each.kind), body, ARRIVAL)
    assert result.items
    assert all(isinstance(item, Unknown) for item in result.items)
    assert result.kept == body


def test_a_body_is_only_read_never_changed(each: Channel) -> None:
    body = text_body(each.kind, "oi", "id-1")
    before = json.dumps(body)
    read(each, body)
    assert json.dumps(body) == before


async def test_a_good_answer_is_accepted_with_the_providers_id(each: Channel) -> None:
    good = {"messages": [{"id": "prov-1"}], "key": {"id": "prov-1"}}
    http = Scripted(HttpAnswer(200, {}, json.dumps(good).encode()), [])
    result = await each.send(http, config(each.kind), TEXT)
    assert result.outcome == "accepted"
    assert result.provider_id in {"prov-1", "phone-9"}
    assert len(http.asked) == (0 if each.kind == "phone" else 1)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (NotSent("dns"), "retry"),
        (AnswerLost("timeout"), "unknown"),
        (HttpAnswer(500, {}, b"<html>"), "unknown"),
        (HttpAnswer(200, {}, b"<html>"), "unknown"),
        (HttpAnswer(200, {}, b""), "unknown"),
        (HttpAnswer(302, {"location": "http://x.test"}, b""), "unknown"),
        (HttpAnswer(429, {}, b""), "retry"),
    ],
)
async def test_one_attempt_is_one_call_whatever_becomes_of_it(
    each: Channel, answer: HttpAnswer | Exception, outcome: str
) -> None:
    """Reliability: a client that repeats by itself makes duplicates."""
    http = Scripted(answer, [])
    result = await each.send(http, config(each.kind), TEXT)
    assert (result.outcome, len(http.asked)) == (("accepted", 0) if each.kind == "phone" else (outcome, 1))


async def test_nothing_to_say_is_refused_without_a_call(each: Channel) -> None:
    http = Scripted(NotSent("no"), [])
    result = await each.send(http, config(each.kind), Outgoing(outbox_id=1, to=Recipient(phone=LEAD)))
    assert (result.outcome, result.error_class) == ("refused", "content")
    assert http.asked == []


def test_a_request_goes_to_the_configured_address_only(each: Channel) -> None:
    for extra in ({}, {"buttons": (OutgoingButton("a", "Sim"),)}, {"template": OutgoingTemplate("t", "pt_BR")}):
        request = each.request(config(each.kind), Outgoing(outbox_id=1, to=Recipient(phone=LEAD), text="oi", **extra))  # type: ignore[arg-type] # one of three shapes
        if isinstance(request, HttpRequest):
            assert request.url.startswith("http://gateway.test/")
            assert request.trusted
            assert request.method == "POST"
            assert "CANARIO" not in request.url
            assert "CANARIO" not in repr(request)


def test_without_an_answer_only_what_never_left_may_be_repeated(each: Channel) -> None:
    assert each.answer(None, None, "not_sent").outcome == "retry"
    assert each.answer(None, None, "answer_lost").outcome == "unknown"
    assert each.answer(None, None, None).outcome == "unknown"


def test_results_say_what_their_outcome_needs(each: Channel) -> None:
    for status in (200, 201, 301, 400, 401, 404, 429, 500, 503):
        for body in (None, {}, {"error": {"code": 131047}}, {"messages": [{"id": "x"}], "key": {"id": "x"}}):
            result = each.answer(status, body, None)
            assert isinstance(result, SendResult)
            assert (result.provider_id is not None) == (result.outcome == "accepted")
            assert (result.delay_ms is not None) == (result.outcome == "retry")
            assert (result.error_class is not None) == (result.outcome in {"refused", "retry"})


async def test_a_channel_that_cannot_be_asked_finds_nothing(each: Channel) -> None:
    found = await each.lookup(Scripted(NotSent("no"), []), config(each.kind), TEXT, T0)
    assert found == (("phone-9",) if each.kind == "phone" else ())
    assert await each.progress(Scripted(NotSent("no"), []), config(each.kind), "X") is None


def test_no_channel_answers_a_handshake_of_a_stranger(each: Channel) -> None:
    query = {"hub.mode": "subscribe", "hub.challenge": "1", "hub.verify_token": "errado"}
    assert each.handshake(config(each.kind), query) is None


def test_where_a_signature_is_due_a_missing_one_is_refused(each: Channel) -> None:
    if each.kind == "whatsapp_cloud":
        with pytest.raises(BadSignature):
            each.verify(config(each.kind), {}, b"{}")
    else:
        each.verify(config(each.kind), {}, b"{}")
