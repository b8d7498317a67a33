"""The program around the commands: help, one line a mistake, JSON errors, what is read and what is made."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import COMMANDS, main
from tests.command_line import Trilho

ROOT = Path(__file__).parent.parent
START = "import sys; from engine.cli import main; sys.exit(main())"


@pytest.fixture
def trilho(tmp_path: Path) -> Trilho:
    return Trilho(tmp_path / "data")


def real(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("TRILHO_")}
    return subprocess.run(
        [sys.executable, "-c", START, *words],
        env={**others, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def every_command(group=main, words=()):
    context = main.make_context("trilho", ["check"])
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*words, name)
        if hasattr(command, "list_commands"):
            yield from every_command(command, (*words, name))


def test_the_commands_of_this_version_are_there() -> None:
    assert {" ".join(words) for words in every_command()} == {
        "run", "web", "worker", "migrate", "check", "diagram", "diff", "scenario", "replay", "doctor",
        "channel", "channel add", "channel list", "channel set", "channel remove", "channel pair", "channel state",
        "source", "source add", "source list", "source set", "source remove",
        "source unanswered", "source ask-again",
        "flow", "flow publish", "flow list", "flow show", "user", "user add", "user list", "user link",
        "user role", "user disable", "user enable", "user drop-second-factor", "audit", "audit verify", "contacts", "contacts import", "contacts export", "contacts erase",
        "sending", "sending stop", "sending resume", "sending status",
        "media", "media set", "media show", "transcription", "transcription set", "transcription show", "transcription remove",
    }  # fmt: skip


def test_every_command_explains_itself_and_makes_nothing(trilho: Trilho) -> None:
    for words in [(), *every_command()]:
        told = trilho(*words, "--help")

        assert told.code == 0
        assert told.out.startswith("Usage: trilho")
        assert len(told.out.splitlines()) > 5
    assert not trilho.data.exists()


def test_without_a_command_it_shows_the_help_and_refuses(trilho: Trilho) -> None:
    told = trilho()

    assert told.code == 2
    assert all(name in told.err for name in COMMANDS)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["bogus"], "No such command 'bogus'. See `trilho --help`."),
        (["check"], "Missing argument 'FLOW'. See `trilho check --help`."),
        (["check", "venda", "--bad"], "No such option '--bad'. See `trilho check --help`."),
        (
            ["run", "--port", "0"],
            "Invalid value for '--port': 0 is not in the range 1<=x<=65535. See `trilho run --help`.",
        ),
        (["channel", "add", "--name", "x", "--kind", "sms"], "Invalid value for '--kind'"),
        (["channel", "set"], "Say one NAME. See `trilho channel set --help`."),
        (["channel", "set", "a", "--name", "b"], "Say one NAME"),
        (["channel", "add", "--kind", "phone", "--name", "x", "--set", "number"], "write it as key=value"),
        (["user", "add", "a@b.c", "--role", "owner"], "Invalid value for '--role'"),
        (["flow", "show", "venda@x"], "the version is a number"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(trilho: Trilho, words: list[str], line: str) -> None:
    [told] = trilho(*words).mistakes

    assert line in told


def test_a_value_that_may_be_a_secret_is_not_repeated(trilho: Trilho) -> None:
    told = trilho("channel", "add", "--kind", "phone", "--name", "x", "--set", "segredo-sem-chave")

    assert "segredo" not in told.err + told.out


def test_with_json_wrong_use_is_a_document_too(trilho: Trilho) -> None:
    assert trilho("check", "--json").errors == ["Missing argument 'FLOW'. See `trilho check --help`."]
    assert trilho("flow", "list", "--json").errors == [
        f"There is no database at {trilho.data}/trilho.db yet: run `trilho migrate` first."
    ]


def test_each_wrong_setting_is_a_line(tmp_path: Path) -> None:
    trilho = Trilho(tmp_path, TRILHO_BASE_URLS="x", TRILHO_LOG="loud")

    for command in ("migrate", "doctor", "worker", "web", "run"):
        mistakes = trilho(command).mistakes
        assert len(mistakes) == 2
        assert mistakes[0] == "TRILHO_BASE_URLS is not a setting, did you mean TRILHO_BASE_URL?"


@pytest.mark.parametrize(
    "words",
    [
        ["flow", "list"], ["flow", "show", "venda"], ["channel", "list"], ["source", "list"], ["doctor"], ["audit", "verify"],
        ["channel", "add", "--kind", "phone", "--name", "x"], ["user", "add", "a@b.c", "--role", "admin"], ["worker"], ["web"],
        ["source", "add", "--platform", "hotmart", "--name", "x", "--flow", "venda"],
    ],
)  # fmt: skip
def test_without_a_database_commands_say_what_to_run_and_make_nothing(trilho: Trilho, words: list[str]) -> None:
    [told] = trilho(*words).mistakes

    assert told.endswith("run `trilho migrate` first.")
    assert not trilho.data.exists()


def test_an_empty_database_is_no_schema_and_a_newer_one_is_refused(trilho: Trilho) -> None:
    import sqlite3
    from contextlib import closing

    trilho.data.mkdir()
    (trilho.data / "trilho.db").touch()
    assert trilho("doctor").mistakes == ["The database has no tables yet: run `trilho migrate` first."]

    assert trilho("migrate").code == 0
    for version, words in (("0001", "run `trilho migrate` first"), ("9999", "newer than this version of Trilho")):
        with closing(sqlite3.connect(trilho.data / "trilho.db")) as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [version])
            connection.commit()
        [told] = trilho("doctor").mistakes
        assert f"at schema {version}" in told
        assert words in told


def test_a_database_that_is_away_is_a_sentence(tmp_path: Path) -> None:
    away = Trilho(tmp_path, TRILHO_DATABASE_URL="postgresql+psycopg://nobody:pass@127.0.0.1:1/none")

    [told] = away("doctor").mistakes

    assert told.startswith("The database cannot be used now: ")
    assert "pass" not in told
    assert away("migrate", "--json").errors


def test_a_mistake_of_the_program_is_a_sentence_too(trilho: Trilho, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.core.checks import run

    def broken(_flow: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(run, "check", broken)

    [told] = trilho("check", "venda").mistakes
    assert told.startswith("This is a mistake in Trilho itself: KeyError at ")


def test_in_a_process_of_its_own_the_sample_is_checked_without_making_anything(tmp_path: Path) -> None:
    told = real("check", "venda", "--json", TRILHO_DATA_DIR=str(tmp_path / "data"))

    assert (told.returncode, told.stderr) == (0, "")
    assert json.loads(told.stdout)["flow"] == "venda"
    assert list(tmp_path.iterdir()) == []


def test_in_a_process_of_its_own_a_refusal_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    told = real("flow", "list", TRILHO_DATA_DIR=str(tmp_path / "data"))

    assert (told.returncode, told.stdout) == (2, "")
    assert len(told.stderr.splitlines()) == 1


def test_the_supervisor_stays_small() -> None:
    code = (
        "import sys, engine.embedded; from engine.cli import main\n"
        "engine.embedded.run = lambda *given: print(sorted(n for n in sys.modules if n.startswith(('engine.services', 'web',"
        " 'sqlalchemy', 'sqlmodel', 'litestar', 'engine.store', 'engine.runtime'))))\n"
        "main(['run'])"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert told.stdout == "[]\n"
