"""`transcription` and `media`: what an installation does with customers' files."""

from pathlib import Path

import pytest

from tests.command_line import Trilho, on_its_database

SERVICE = ("transcription", "set", "--base-url", "https://fala.example/v1", "--key", "sk-CANARIO")


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


def test_a_service_is_set_shown_changed_and_removed(trilho: Trilho) -> None:
    assert trilho("transcription", "show").out.splitlines()[0].startswith("No service is set up")
    assert trilho(*SERVICE).out == "Audios are transcribed by gpt-transcribe at https://fala.example/v1.\n"

    changed = trilho("transcription", "set", "--model", "whisper-1", "--language", "", "--timeout", "60", "--json").json
    assert changed == {
        "base_url": "https://fala.example/v1", "model": "whisper-1", "language": None, "timeout": 60, "has_key": True
    }  # fmt: skip
    shown = trilho("transcription", "show", "--json")
    assert shown.json == {"service": changed, "audios": {}, "transcribed_seconds": 0}

    assert trilho("transcription", "remove").out == "Audios are not transcribed any more.\n"
    assert trilho("transcription", "remove").mistakes == ["There is no transcription service to remove."]


def test_the_key_is_never_printed(trilho: Trilho) -> None:
    told = [trilho(*SERVICE), trilho("transcription", "show"), trilho("transcription", "show", "--json")]

    assert not any("CANARIO" in answer.out + answer.err for answer in told)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("transcription", "set"), "Say what to set. See `trilho transcription set --help`."),
        (("transcription", "set", "--model", "m"), "Say where the service is: --base-url."),
        (
            ("transcription", "set", "--base-url", "x"),
            "base_url must be an address such as https://graph.facebook.com.",
        ),
        ((*SERVICE, "--timeout", "500"), "One try may take 1 to 120 seconds."),
        ((*SERVICE, "--model", ""), "The model must be 1 to 400 printable characters without quotation marks."),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(trilho: Trilho, words: tuple[str, ...], line: str) -> None:
    told = trilho(*words)

    assert told.mistakes == [line]


def test_the_limit_of_a_file_is_16_mb_until_it_is_set(trilho: Trilho) -> None:
    assert trilho("media", "show", "--json").json == {"limit_mb": 16, "files": {}, "bytes": 0}

    assert trilho("media", "set", "--limit", "25").out == "Files of up to 25 MB are kept.\n"

    assert trilho("media", "show").out.splitlines()[0] == "Files of up to 25 MB are kept; they have 0.0 MB in all."
    assert trilho("media", "set", "--limit", "0").code == 2
