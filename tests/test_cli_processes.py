"""`run`, `web`, `worker` and `migrate`: what they hand on to the parts that they start."""

import os
from pathlib import Path

import pytest

from engine import embedded, worker
from engine.store.revision import newest
from tests.command_line import Trilho


@pytest.fixture
def trilho(tmp_path: Path) -> Trilho:
    return Trilho(tmp_path / "data")


def test_run_hands_host_port_and_data_folder_on(
    trilho: Trilho, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(embedded, "run", lambda settings, host, port: seen.append((settings, host, port)) or 0)

    assert trilho("run").code == 0
    assert trilho("run", "--host", "0.0.0.0", "--port", "9000", "--data", tmp_path / "other").code == 0

    assert [(host, port) for _, host, port in seen] == [("127.0.0.1", 8000), ("0.0.0.0", 9000)]
    assert [settings.data_dir for settings, *_ in seen] == [trilho.data, tmp_path / "other"]
    assert seen[1][0].database_url == f"sqlite:///{tmp_path / 'other' / 'trilho.db'}"


def test_the_exit_code_of_run_is_that_of_the_parts(trilho: Trilho, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "run", lambda *_: 2)

    assert trilho("run").code == 2


def test_migrate_makes_the_schema_once(trilho: Trilho) -> None:
    assert trilho("migrate").out == f"The database is now at schema {newest()}.\n"
    assert trilho("migrate").out == f"The database is at schema {newest()} already.\n"
    assert trilho("migrate", "--json").json == {"before": newest(), "after": newest()}
    assert oct(trilho.data.stat().st_mode & 0o777) == "0o700"


def test_migrate_says_what_it_cannot_open(tmp_path: Path) -> None:
    [told] = Trilho(tmp_path, TRILHO_DATABASE_URL=f"sqlite:///{tmp_path}/no/such/folder/x.db")("migrate").mistakes

    assert told == "The database cannot be used now: unable to open database file"


def test_web_prepares_the_installation_and_becomes_the_server(trilho: Trilho, monkeypatch: pytest.MonkeyPatch) -> None:
    became = []
    monkeypatch.setattr(os, "execve", lambda path, line, environment: became.append((path, line, environment)))
    trilho("migrate")

    told = trilho("web", "--port", "8123", "--workers", "3")

    [(path, line, environment)] = became
    assert told.out.startswith("One-time link of the first administrator: http://127.0.0.1:8123/setup/")
    assert path == line[0]
    assert line[line.index("--port") + 1] == "8123"
    assert line[line.index("--workers") + 1] == "3"
    assert environment["TRILHO_DATA_DIR"] == str(trilho.data)
    assert [flow["flow"] for flow in trilho("flow", "list", "--json").json["flows"]] == ["venda", "venda-literal"]


def test_worker_works_when_the_schema_is_there(trilho: Trilho, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = []

    async def work() -> None:
        worked.append(True)

    monkeypatch.setattr(worker, "main", work)
    trilho("migrate")

    assert trilho("worker").code == 0
    assert worked == [True]
