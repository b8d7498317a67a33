"""A lead's file out of the Cloud API: through its id, within limits, from public addresses, or refused and why.

SEC-S19, SEC-S20.
"""

from collections.abc import AsyncIterator

import pytest

from engine.adapters.channels.cloud_media import download
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.adapters.media import Media, MediaRefused
from tests.fakes.impatient import Impatient
from tests.fakes.whatsapp import FakeWhatsApp, File

LIMIT = 16 * 1024 * 1024
VOICE = b"OggS" + bytes(2_000)


@pytest.fixture
async def fake() -> AsyncIterator[FakeWhatsApp]:
    async with FakeWhatsApp() as server:
        server.files["1234"] = File(VOICE)
        yield server


@pytest.fixture
async def http(fake: FakeWhatsApp) -> AsyncIterator[Impatient]:
    async with Http() as client:
        yield Impatient(client, fake)


class Recorder:
    """Takes every call down and answers each with the same small picture."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.requests.append(request)
        return HttpAnswer(200, {"content-type": "image/jpeg"}, b"\xff\xd8")


def config(fake: FakeWhatsApp, token: str | None = None) -> ChannelConfig:
    places = {"base_url": fake.base_url, "phone_number_id": fake.phone_number_id}
    return ChannelConfig(1, "whatsapp_cloud", "canal", places, {"access_token": token or fake.access_token})


PLATFORM = ChannelConfig(1, "whatsapp_cloud", "canal", {"phone_number_id": "1"}, {"access_token": "TOKEN"})


async def refusal(
    http: Impatient | Recorder, channel: ChannelConfig, media: dict[str, object], limit: int = LIMIT
) -> tuple[str, bool]:
    with pytest.raises(MediaRefused) as caught:
        await download(http, channel, media, limit)
    return caught.value.reason, caught.value.lasting


async def test_a_voice_message_comes_with_its_plain_type(fake: FakeWhatsApp, http: Impatient) -> None:
    got = await download(
        http, config(fake), {"id": "1234", "mime_type": "audio/ogg; codecs=opus", "url": "ftp://x"}, LIMIT
    )
    assert got == Media(VOICE, "audio/ogg")
    assert "OggS" not in repr(got)


async def test_an_address_alone_is_enough(fake: FakeWhatsApp, http: Impatient) -> None:
    got = await download(http, config(fake), {"url": f"{fake.base_url}/files/1234"}, LIMIT)
    assert got == Media(VOICE, "audio/ogg")


@pytest.mark.parametrize(
    "media",
    [
        {},
        {"id": None},
        {"id": "../secret"},
        {"id": "1/2"},
        {"url": ""},
        {"url": 5},
        {"url": "https://x.test/" + "a" * 3_000},
    ],
)
async def test_a_message_that_names_no_file_is_refused_without_a_call(media: dict[str, object]) -> None:
    recorder = Recorder()
    assert await refusal(recorder, PLATFORM, media) == ("no_reference", True)
    assert recorder.requests == []


async def test_a_file_that_the_platform_forgot_is_gone(fake: FakeWhatsApp, http: Impatient) -> None:
    assert await refusal(http, config(fake), {"id": "9999"}) == ("gone", True)


async def test_a_wrong_token_can_be_mended(fake: FakeWhatsApp, http: Impatient) -> None:
    assert await refusal(http, config(fake, "outro"), {"id": "1234"}) == ("auth", False)


@pytest.mark.parametrize("kind", ["hang_before", "html", "error", "cut_after"])
async def test_a_platform_in_trouble_may_be_asked_again(fake: FakeWhatsApp, http: Impatient, kind: str) -> None:
    fake.fail_next(kind)  # type: ignore[arg-type] # the names of the faults
    assert await refusal(http, config(fake), {"id": "1234"}) == ("unavailable", False)


async def test_what_is_said_to_be_too_large_is_not_fetched(fake: FakeWhatsApp, http: Impatient) -> None:
    fake.files["1234"] = File(VOICE, size=LIMIT + 1, url="https://lookaside.fbsbx.com/never")
    assert await refusal(http, config(fake), {"id": "1234"}) == ("too_large", True)


async def test_what_is_larger_than_it_says_is_cut_off(fake: FakeWhatsApp, http: Impatient) -> None:
    fake.files["1234"] = File(VOICE, size=10)
    assert await refusal(http, config(fake), {"id": "1234"}, 1_000) == ("too_large", True)


async def test_a_file_that_never_ends_is_cut_off_at_the_limit(fake: FakeWhatsApp, http: Impatient) -> None:
    fake.files["1234"] = File(bytes(64 * 1024), size=10, endless=True)
    assert await refusal(http, config(fake), {"id": "1234"}, 1_000_000) == ("too_large", True)


@pytest.mark.parametrize(
    "moved", ["http://169.254.169.254/latest/meta-data", "http://127.0.0.1:1/", "file:///etc/passwd"]
)
async def test_an_address_that_sends_us_elsewhere_is_not_followed(
    fake: FakeWhatsApp, http: Impatient, moved: str
) -> None:
    fake.files["1234"] = File(VOICE, moved=moved)
    assert await refusal(http, config(fake), {"id": "1234"}) == ("unavailable", False)


@pytest.mark.parametrize("mime", ["text/html", "image/svg+xml", "application/x-msdownload", "application/javascript"])
async def test_a_type_that_a_browser_would_run_is_refused_by_what_is_said_and_by_what_is_served(
    fake: FakeWhatsApp, http: Impatient, mime: str
) -> None:
    recorder = Recorder()
    assert await refusal(recorder, PLATFORM, {"id": "1234", "mime_type": mime}) == ("type", True)
    assert recorder.requests == []
    fake.files["1234"] = File(VOICE, mime=mime)
    assert await refusal(http, config(fake), {"url": f"{fake.base_url}/files/1234"}) == ("type", True)
    assert await refusal(http, config(fake), {"id": "1234", "mime_type": "audio/ogg"}) == ("type", True)


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/latest", "https://127.0.0.1/a", "https://10.0.0.1/a", "https://[::1]/a", "file:///etc/passwd",
     "https://user@exemplo.test/a", "https://exemplo.test:8443/a", "https://[::ffff:10.0.0.1]/a", "http://exemplo.test/a"],
)  # fmt: skip
async def test_an_address_that_leads_inside_is_never_called(fake: FakeWhatsApp, http: Impatient, url: str) -> None:
    recorder = Recorder()
    assert await refusal(recorder, PLATFORM, {"url": url}) == ("address", True)
    assert recorder.requests == []
    fake.files["1234"] = File(VOICE, url=url)
    assert await refusal(http, config(fake), {"id": "1234"}) == ("address", True)


@pytest.mark.parametrize(
    "url",
    ["https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1", "https://mmg.whatsapp.net/a",
     "https://graph.facebook.com/a"],
)  # fmt: skip
async def test_the_platform_is_shown_the_token(url: str) -> None:
    recorder = Recorder()
    await download(recorder, PLATFORM, {"url": url}, LIMIT)
    assert [request.headers for request in recorder.requests] == [{"Authorization": "Bearer TOKEN"}]


@pytest.mark.parametrize(
    "url", ["https://exemplo.test/a", "https://fbsbx.com.exemplo.test/a", "https://notfbsbx.com/a"]
)
async def test_nobody_else_is_shown_the_token(url: str) -> None:
    recorder = Recorder()
    await download(recorder, PLATFORM, {"url": url}, LIMIT)
    assert [request.headers for request in recorder.requests] == [{}]
