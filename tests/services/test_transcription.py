"""The transcription service of an installation: set, changed, sealed, counted, taken away (R23, SEC-S21)."""

import json

import pytest

from engine.adapters.secrets import Vault
from engine.core.errors import BadSettings, NotFound, Refused
from engine.services import transcription
from engine.services.transcription import remove, service_within, set_service, show
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR

HERE = {"base_url": "https://fala.example/v1", "key": "sk-CANARIO"}


async def _stored(runtime):
    return await runtime.store.read(lambda tx: tx.value("SELECT value FROM setting WHERE name = 'transcription'"))


async def test_a_service_begins_with_what_most_want(runtime):
    made = await set_service(runtime, ACTOR, HERE)

    assert (made.base_url, made.model, made.language, made.timeout) == (
        "https://fala.example/v1", "gpt-transcribe", "pt", 30_000
    )  # fmt: skip
    assert made.key == "sk-CANARIO"


async def test_what_is_not_given_stays_and_what_is_empty_goes(runtime):
    await set_service(runtime, ACTOR, HERE)

    made = await set_service(runtime, ACTOR, {"model": "whisper-1", "language": "", "timeout": "90"})
    assert (made.model, made.language, made.timeout, made.key) == ("whisper-1", None, 90_000, "sk-CANARIO")
    assert (await set_service(runtime, ACTOR, {"key": ""})).key is None


async def test_sec_s21_the_key_is_sealed_and_neither_audited_nor_shown(runtime):
    made = await set_service(runtime, ACTOR, HERE)

    assert "CANARIO" not in await _stored(runtime)
    assert "CANARIO" not in repr(made) + repr(await show(runtime))
    (row,) = await runtime.store.read(lambda tx: tx.rows("SELECT what, facts FROM audit"))
    assert (row["what"], json.loads(row["facts"])) == ("transcription.changed", {"keys": ["base_url", "key"]})


async def test_with_another_key_of_the_installation_the_service_cannot_be_opened(runtime, database_url):
    await set_service(runtime, ACTOR, HERE)
    other = a_runtime(database_url, vault=Vault(b"\1" * 32))

    with pytest.raises(BadSettings):
        await other.store.read(lambda tx: service_within(tx, other.vault))
    await other.close()


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"model": "m"}, "base_url_missing"),
        ({"base_url": ""}, "base_url_unreadable"),
        ({"base_url": "ftp://fala.example"}, "base_url_unreadable"),
        ({"base_url": "fala.example"}, "base_url_unreadable"),
        ({**HERE, "model": " "}, "transcription_unusable"),
        ({**HERE, "model": 'a"\r\nX: y'}, "transcription_unusable"),
        ({**HERE, "key": "a\nb"}, "transcription_unusable"),
        ({**HERE, "timeout": "0"}, "transcription_timeout"),
        ({**HERE, "timeout": "121"}, "transcription_timeout"),
        ({**HERE, "timeout": "x"}, "transcription_timeout"),
        ({**HERE, "url": "x"}, "key_unknown"),
    ],
)
async def test_what_cannot_be_used_is_refused_and_nothing_is_stored(runtime, values, code):
    with pytest.raises(Refused) as caught:
        await set_service(runtime, ACTOR, values)

    assert caught.value.code == code
    assert await _stored(runtime) is None


async def test_a_service_is_taken_away_once(runtime):
    await set_service(runtime, ACTOR, HERE)
    await remove(runtime, ACTOR)

    assert (await show(runtime)).service is None
    assert not await runtime.store.read(transcription.is_there)
    with pytest.raises(NotFound):
        await remove(runtime, ACTOR)


async def test_audios_are_counted_by_what_became_of_them(voices):
    await voices.open()
    await voices.audio("A1")
    await voices.audio("A2", b"OggS\x00\x02two", words="")
    await voices.works()

    report = await show(voices.runtime)

    assert (report.audios, report.duration) == ({"failed": 1, "ready": 1}, 3_200)
