"""A lead's file out of the gateway: sent along or asked for, within limits, or refused and why (SEC-S20)."""

import base64
from collections.abc import AsyncIterator

import pytest

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.evolution_media import from_base64
from engine.adapters.channels.phone import BuiltInPhone
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http_client import Http
from engine.adapters.media import FileOf, Media, MediaRefused
from engine.core.inbound import Message
from tests.fakes.evolution import FakeEvolution, File
from tests.fakes.impatient import Impatient
from tests.gateway_reading import FAKE, T0
from tests.payload_files import ARRIVAL

LIMIT = 1_000_000
VOICE = b"OggS" + bytes(2_000)
CHANNEL = ChannelConfig(1, "evolution", "canal", {"instance": "loja-teste"})


@pytest.fixture
async def fake() -> AsyncIterator[FakeEvolution]:
    async with FakeEvolution() as server:
        server.files["3A1"] = File(VOICE)
        yield server


@pytest.fixture
async def http(fake: FakeEvolution) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


def config(fake: FakeEvolution, key: str | None = None) -> ChannelConfig:
    return ChannelConfig(
        1,
        "evolution",
        "canal",
        {"base_url": fake.base_url, "instance": fake.instance},
        {"api_key": key or fake.api_key},
    )


async def fetched(
    http: Impatient, channel: ChannelConfig, limit: int = LIMIT, ident: str = "3A1", **media: object
) -> Media:
    return await Evolution().download(http, channel, FileOf(ident, media), limit)


async def refusal(http: Impatient, channel: ChannelConfig, **more: object) -> tuple[str, bool]:
    with pytest.raises(MediaRefused) as caught:
        await fetched(http, channel, **more)  # type: ignore[arg-type] # a test's shorthand
    return caught.value.reason, caught.value.lasting


async def test_a_voice_message_is_asked_for_by_the_id_of_its_message(fake: FakeEvolution, http: Impatient) -> None:
    assert await fetched(http, config(fake), mime_type="audio/ogg; codecs=opus") == Media(VOICE, "audio/ogg")
    assert fake.calls == [{"message": {"key": {"id": "3A1"}}}]


async def test_a_message_that_the_gateway_forgot_is_gone(fake: FakeEvolution, http: Impatient) -> None:
    assert await refusal(http, config(fake), ident="3A9") == ("gone", True)


async def test_a_wrong_key_can_be_mended(fake: FakeEvolution, http: Impatient) -> None:
    assert await refusal(http, config(fake, "outra")) == ("auth", False)


@pytest.mark.parametrize("kind", ["hang_before", "html", "error", "cut_after", "empty_after"])
async def test_a_gateway_in_trouble_may_be_asked_again(fake: FakeEvolution, http: Impatient, kind: str) -> None:
    fake.fail_next(kind)  # type: ignore[arg-type] # the names of the faults
    assert await refusal(http, config(fake)) == ("unavailable", False)


@pytest.mark.parametrize("encoded", ["", "not base64!", 5, None, ["AAAA"], "AA=A", "ção"])
async def test_what_is_not_base64_is_no_file(fake: FakeEvolution, http: Impatient, encoded: object) -> None:
    fake.files["3A1"] = File(b"", encoded=encoded)
    assert await refusal(http, config(fake)) == ("unavailable", False)


@pytest.mark.parametrize("mime", ["text/html", "image/svg+xml", "application/x-msdownload"])
async def test_a_type_that_a_browser_would_run_is_refused_by_what_is_said_and_by_what_is_served(
    fake: FakeEvolution, http: Impatient, mime: str
) -> None:
    assert await refusal(http, config(fake), mime_type=mime) == ("type", True)
    assert fake.calls == []
    fake.files["3A1"] = File(VOICE, mime=mime)
    assert await refusal(http, config(fake)) == ("type", True)


async def test_a_file_over_the_limit_is_not_taken_however_it_is_packed(fake: FakeEvolution, http: Impatient) -> None:
    assert await refusal(http, config(fake), limit=2_003) == ("too_large", True)
    assert len((await fetched(http, config(fake), 2_004)).content) == 2_004
    fake.files["3A1"] = File(b"", encoded="A" * 200_000)
    assert await refusal(http, config(fake), limit=2_000) == ("too_large", True)


def along(encoded: str | None) -> Message:
    (item,) = Evolution().parse(CHANNEL, FAKE.audio_from("5541900000001", "3A1", T0, encoded), ARRIVAL).items
    assert isinstance(item, Message)
    return item


@pytest.mark.parametrize("prefix", ["", "data:audio/ogg;base64,"])
def test_a_file_that_comes_along_is_the_messages_file(prefix: str) -> None:
    item = along(prefix + base64.b64encode(VOICE).decode())
    assert (item.kind, item.file) == ("audio", VOICE)
    assert "OggS" not in repr(item)


@pytest.mark.parametrize("encoded", [None, "", "%%%"])
def test_what_cannot_be_read_of_it_is_asked_for_later(encoded: str | None) -> None:
    assert along(encoded).file is None


def test_the_body_is_kept_without_the_file_and_without_a_word_about_it() -> None:
    body = FAKE.audio_from("5541900000001", "3A1", T0, base64.b64encode(VOICE).decode())
    result = Evolution().parse(CHANNEL, body, ARRIVAL)
    assert "base64" not in str(result.kept)
    assert "audioMessage" in str(result.kept)
    assert [item.marks for item in result.items if isinstance(item, Message)] == [{"redacted": ["apikey"]}]


def test_only_texts_are_base64() -> None:
    assert from_base64("T2dnUw==") == b"OggS"
    assert [from_base64(value) for value in (None, 1, b"T2dn", [], "T2dnUw")] == [None] * 5


async def test_the_built_in_phone_has_no_files(http: Impatient) -> None:
    with pytest.raises(MediaRefused, match="no_file"):
        await BuiltInPhone().download(http, CHANNEL, FileOf("1", {}), LIMIT)
