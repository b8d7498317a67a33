"""Audios into words: what is asked, what an answer means, and which failures are worth another try."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.adapters.media import Media
from engine.adapters.transcription import MAX_AUDIO, Heard, Service, TranscriptionFailed, transcribe
from tests.fakes.transcription import FakeTranscription

VOICE = Media(b"OggS" + bytes(range(256)) + b"\r\n--trilho--\r\n", "audio/ogg")


@pytest.fixture
async def fake() -> AsyncIterator[FakeTranscription]:
    async with FakeTranscription() as server:
        yield server


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    async with Http() as client:
        yield client


def service(fake: FakeTranscription, **more: object) -> Service:
    return replace(Service(fake.url, "gpt-transcribe", "pt", 500 if fake.will_hang else 30_000, fake.key), **more)


async def failure(http: Http, where: Service, audio: Media = VOICE) -> tuple[str, bool]:
    with pytest.raises(TranscriptionFailed) as caught:
        await transcribe(http, where, audio)
    return caught.value.reason, caught.value.lasting


async def test_a_service_gets_the_file_whole_with_model_and_language(fake: FakeTranscription, http: Http) -> None:
    fake.words[VOICE.content] = " quero comprar \n"

    assert await transcribe(http, service(fake), VOICE) == Heard("quero comprar", 3_200)

    (asked,) = fake.asked
    assert asked.fields == {"model": "gpt-transcribe", "language": "pt", "response_format": "json"}
    assert (asked.name, asked.mime, asked.content) == ("audio.ogg", "audio/ogg", VOICE.content)


async def test_a_service_without_a_language_finds_out_itself(fake: FakeTranscription, http: Http) -> None:
    await transcribe(http, service(fake, language=None), replace(VOICE, mime="audio/mp4"))

    assert "language" not in fake.asked[0].fields
    assert fake.asked[0].name == "audio.m4a"


async def test_words_are_made_safe_to_keep_and_have_an_end(fake: FakeTranscription, http: Http) -> None:
    fake.words[VOICE.content] = "a\x00b" + "x" * 50_000

    heard = await transcribe(http, service(fake), VOICE)

    assert heard.words.startswith("abx")
    assert len(heard.words) == 20_000
    assert "abx" not in repr(heard)


@pytest.mark.parametrize("seconds", [None, "3", -1, True, 10**12])
async def test_a_length_that_makes_no_sense_is_no_length(fake: FakeTranscription, http: Http, seconds: object) -> None:
    fake.seconds = seconds

    assert (await transcribe(http, service(fake), VOICE)).duration in (None, 1_000 if seconds is True else None)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", None, 5, {"text": "a"}])
async def test_silence_is_no_transcript(fake: FakeTranscription, http: Http, text: object) -> None:
    fake.words[VOICE.content] = text

    reason = "no_words" if isinstance(text, str) else "unreadable"
    assert await failure(http, service(fake), VOICE) == (reason, reason == "no_words")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, ("refused", True)),
        (413, ("refused", True)),
        (422, ("refused", True)),
        (401, ("auth", False)),
        (403, ("auth", False)),
        (429, ("busy", False)),
        (500, ("unavailable", False)),
        (503, ("unavailable", False)),
        (302, ("unavailable", False)),
    ],
)
async def test_each_refusal_says_whether_another_try_helps(
    fake: FakeTranscription, http: Http, status: int, expected: tuple[str, bool]
) -> None:
    fake.fail_next("error", status=status)

    assert await failure(http, service(fake)) == expected


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("hang_before", "unavailable"), ("reset_after", "unavailable"), ("html", "unreadable"), ("cut_after", "unreadable"),
     ("empty_after", "unreadable")],
)  # fmt: skip
async def test_a_service_in_trouble_may_be_asked_again(
    fake: FakeTranscription, http: Http, kind: str, reason: str
) -> None:
    fake.fail_next(kind)  # type: ignore[arg-type] # the names of the faults

    assert await failure(http, service(fake)) == (reason, False)


async def test_a_slow_answer_within_the_limit_counts(fake: FakeTranscription, http: Http) -> None:
    fake.fail_next("slow", delay_ms=100)

    assert (await transcribe(http, service(fake), VOICE)).words == "oi"


async def test_a_wrong_key_can_be_mended(fake: FakeTranscription, http: Http) -> None:
    assert await failure(http, service(fake, key="outra")) == ("auth", False)


async def test_a_format_that_the_service_does_not_know_is_not_asked_again(fake: FakeTranscription, http: Http) -> None:
    assert await failure(http, service(fake), replace(VOICE, mime="audio/amr")) == ("refused", True)


class Recorder:
    """Takes calls down and answers none."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.requests.append(request)
        return HttpAnswer(200, {}, b'{"text": "oi"}')


async def test_what_no_service_takes_is_not_sent() -> None:
    recorder, where = Recorder(), Service("https://fala.example/v1/", "m", None, 1_000)
    with pytest.raises(TranscriptionFailed, match="too_large"):
        await transcribe(recorder, where, Media(bytes(MAX_AUDIO + 1), "audio/ogg"))
    assert recorder.requests == []


async def test_the_key_is_sent_and_never_shown() -> None:
    recorder, where = Recorder(), Service("https://fala.example/v1/", "m", None, 1_000, "sk-CANARIO")
    await transcribe(recorder, where, VOICE)
    (request,) = recorder.requests
    assert request.url == "https://fala.example/v1/audio/transcriptions"
    assert request.headers["Authorization"] == "Bearer sk-CANARIO"
    assert "CANARIO" not in repr(request) + repr(where)
