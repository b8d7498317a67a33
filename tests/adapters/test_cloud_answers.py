"""What every answer of the Cloud API, and every kind of silence, means for a send."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from engine.adapters.channels.cloud_api import CloudApi
from engine.adapters.channels.cloud_errors import meaning
from engine.adapters.channels.protocol import ChannelConfig, Outgoing, Recipient
from engine.adapters.http_client import Http
from tests.fakes.impatient import Impatient
from tests.fakes.whatsapp import FakeWhatsApp
from tests.payload_files import load, names

CLOUD = CloudApi()
TEXT = Outgoing(outbox_id=42, to=Recipient(phone="5541900000001"), text="Olá! Como posso ajudar?")


@pytest.fixture
async def fake() -> AsyncIterator[FakeWhatsApp]:
    async with FakeWhatsApp() as server:
        yield server


@pytest.fixture
async def http(fake: FakeWhatsApp) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


def config(fake: FakeWhatsApp, **settings: str) -> ChannelConfig:
    places = {"base_url": fake.base_url, "phone_number_id": fake.phone_number_id, **settings}
    return ChannelConfig(1, "whatsapp_cloud", "canal", places, {"access_token": fake.access_token})


@pytest.mark.parametrize("kind", ["hang_after", "reset_after", "cut_after", "empty_after"])
async def test_an_accepted_message_whose_answer_is_lost_is_unknown(
    fake: FakeWhatsApp, http: Impatient, kind: Any
) -> None:
    """Reliability: neither sent nor failed, so that it is neither lost nor repeated."""
    fake.fail_next(kind)
    assert (await CLOUD.send(http, config(fake), TEXT)).outcome == "unknown"
    assert len(fake.sent) == 1


@pytest.mark.parametrize("kind", ["hang_before", "reset_before", "html"])
async def test_a_lost_request_looks_the_same_and_is_unknown_too(fake: FakeWhatsApp, http: Impatient, kind: Any) -> None:
    fake.fail_next(kind)
    assert (await CLOUD.send(http, config(fake), TEXT)).outcome == "unknown"
    assert fake.sent == []


async def test_a_refused_connection_is_certainly_not_sent(fake: FakeWhatsApp, http: Impatient) -> None:
    nobody = config(fake, base_url="http://127.0.0.1:1")
    result = await CLOUD.send(http, nobody, TEXT)
    assert (result.outcome, result.error_class) == ("retry", "server")
    assert result.delay_ms


async def test_a_slow_answer_within_the_limit_is_an_answer(fake: FakeWhatsApp, http: Impatient) -> None:
    fake.fail_next("slow", delay_ms=20)
    assert (await CLOUD.send(http, config(fake), TEXT)).outcome == "accepted"


@pytest.mark.parametrize("status", [500, 502, 503, 504, 301, 404, 400])
async def test_a_failure_without_the_platforms_own_error_is_unknown(
    fake: FakeWhatsApp, http: Impatient, status: int
) -> None:
    fake.fail_next("error", status=status)
    assert (await CLOUD.send(http, config(fake), TEXT)).outcome == "unknown"


@pytest.mark.parametrize(
    ("code", "status", "outcome", "error"),
    [
        (131047, 400, "refused", "window"),
        (131049, 400, "refused", "marketing_limit"),
        (131050, 400, "refused", "stop_marketing"),
        (130472, 400, "refused", "marketing_limit"),
        (131026, 400, "refused", "contact"),
        (131021, 400, "refused", "contact"),
        (131062, 400, "refused", "contact"),
        (132015, 400, "refused", "template_off"),
        (132016, 400, "refused", "template_off"),
        (132001, 404, "refused", "template_off"),
        (132000, 400, "refused", "template"),
        (132012, 400, "refused", "template"),
        (190, 401, "refused", "account"),
        (368, 403, "refused", "account"),
        (200, 403, "refused", "account"),
        (299, 403, "refused", "account"),
        (131031, 400, "refused", "account"),
        (131048, 400, "refused", "account"),
        (100, 400, "refused", "content"),
        (131053, 400, "refused", "content"),
        (999_999, 400, "refused", "content"),
        (999_999, 403, "refused", "account"),
        (999_999, 500, "unknown", None),
        (130429, 429, "retry", "rate"),
        (131056, 429, "retry", "pair_rate"),
        (131056, 400, "retry", "pair_rate"),
        (80007, 400, "retry", "rate"),
        (4, 400, "retry", "rate"),
        (131016, 503, "retry", "server"),
        (131057, 503, "retry", "server"),
        (131000, 400, "retry", "server"),
        (131000, 500, "unknown", None),
        (135000, 500, "unknown", None),
        (1, 500, "unknown", None),
        (2, 503, "unknown", None),
        (999_999, 429, "retry", "rate"),
    ],
)
async def test_each_code_says_who_acts_and_whether_to_repeat(
    fake: FakeWhatsApp, http: Impatient, code: int, status: int, outcome: str, error: str | None
) -> None:
    fake.fail_with_code(code, status)
    result = await CLOUD.send(http, config(fake), TEXT)
    assert (result.outcome, result.error_class, result.code) == (outcome, error, code)
    assert bool(result.delay_ms) == (outcome == "retry")


def test_writing_too_often_to_one_person_waits_powers_of_four() -> None:
    result = CLOUD.answer(429, {"error": {"code": 131056}}, None)
    assert (result.delay_ms, result.growth) == (4_000, 4)


@pytest.mark.parametrize("name", [n for n in names("whatsapp_cloud/out") if "/error_" in n])
def test_a_recorded_error_is_never_unknown(name: str) -> None:
    response = load(name)["response"]
    result = CLOUD.answer(response["status"], response["body"], None)
    assert result.outcome in {"refused", "retry"}
    assert result.error_class is not None
    known = meaning(result.code)
    assert known is not None
    assert known.kind == result.error_class


@pytest.mark.parametrize("body", [None, {}, {"messages": []}, {"messages": [{}]}, {"messages": "x"}, {"error": 7}])
def test_a_success_without_an_id_is_unknown(body: Any) -> None:
    assert CLOUD.answer(200, body, None).outcome == "unknown"
