"""`trilho channel pair` and `state` against a gateway that speaks the real protocol."""

from pathlib import Path

import pytest

from tests.command_line import Trilho, on_its_database
from tests.fakes.evolution import FakeEvolution
from tests.fakes.evolution_instance import PNG
from tests.fakes.threaded import beside


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


@pytest.fixture
def fake(trilho: Trilho):
    with beside(FakeEvolution()) as server:
        server.state = None
        keys = {"instance": server.instance, "base_url": server.base_url, "api_key": server.api_key}
        sets = [word for name, value in keys.items() for word in ("--set", f"{name}={value}")]
        assert trilho("channel", "add", "--kind", "evolution", "--name", "zap", "--token", "abc", *sets).code == 0
        yield server


def test_a_number_is_connected_from_the_terminal(trilho: Trilho, fake: FakeEvolution, tmp_path: Path) -> None:
    file = tmp_path / "qr.png"
    told = trilho("channel", "pair", "zap", "--number", "+55 41 90000-0009", "--qr", str(file))
    assert told.code == 0
    assert told.out.splitlines() == [
        "Channel zap waits for its QR code to be read.",
        "Code to type on the telephone: ABCD1234",
        f"QR code: {file}",
    ]
    assert file.read_bytes() == PNG
    assert file.stat().st_mode & 0o077 == 0, "whoever has it for the next minute has the number"
    assert fake.webhook_setting is not None
    assert fake.webhook_setting["url"] == "http://127.0.0.1:8000/hooks/wa/abc"

    assert trilho("channel", "state", "zap").code == 1
    fake.scan()
    told = trilho("channel", "state", "zap", "--json")
    assert (told.code, told.json) == (0, {"name": "zap", "state": "open", "pairing_code": None, "qr": None})
    assert "webhook_secret" in trilho("channel", "list", "--json").json["channels"][0]["secrets"]


def test_what_cannot_be_connected_is_one_line(trilho: Trilho, fake: FakeEvolution) -> None:
    trilho("channel", "add", "--kind", "phone", "--name", "teste")
    assert trilho("channel", "pair", "teste").mistakes == ["The channel teste has no session that could be connected."]
    assert trilho("channel", "pair", "zap", "--number", "abc").mistakes == ["That is not a telephone number."]
    assert trilho("channel", "pair", "outro").mistakes == ["There is no channel outro."]
    assert "Say one NAME" in trilho("channel", "pair").mistakes[0]
    fake.api_key = "OUTRA"
    assert trilho(
        "channel", "state", "zap"
    ).out == "Channel zap cannot be asked: the gateway does not take the key.\n" + ("The gateway says: Unauthorized\n")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("pacing=maybe", "pacing must be one of on, off."),
        ("hours=sempre", "hours must be two times of the day such as 08:00-21:00."),
        ("gap_seconds=zero", "gap_seconds must be a whole number from 1."),
    ],
)
def test_how_a_number_is_spared_is_checked_when_it_is_set(
    trilho: Trilho, fake: FakeEvolution, given: str, line: str
) -> None:
    assert trilho("channel", "set", "zap", "--set", given).mistakes == [line]
    assert trilho("channel", "set", "zap", "--set", "pacing=off", "--set", "hours=09:00-18:00").code == 0
