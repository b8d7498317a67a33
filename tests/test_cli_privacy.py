"""`trilho contacts export` and `trilho contacts erase`: a person's data as a file, and gone."""

import zipfile
from pathlib import Path

import pytest

from tests.command_line import Trilho, on_its_database
from tests.test_cli_publishing import inside, with_person


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


@pytest.fixture
def number(trilho: Trilho) -> int:
    inside(trilho, with_person)
    return int(inside(trilho, _only))


async def _only(runtime):
    return await runtime.store.read(lambda tx: tx.value("SELECT id FROM contact"))


def test_a_person_is_written_into_one_file(trilho: Trilho, number: int, tmp_path) -> None:
    target = tmp_path / "ana.zip"

    told = trilho("contacts", "export", str(number), "--to", str(target))

    assert told.code == 0
    assert {"dados.json", "dados.html"} <= {*zipfile.ZipFile(target).namelist()}


def test_a_person_is_erased_only_when_it_is_meant(trilho: Trilho, number: int) -> None:
    looked = trilho("contacts", "erase", str(number))
    done = trilho("contacts", "erase", str(number), "--yes", "--json")
    again = trilho("contacts", "erase", str(number), "--yes")

    assert looked.out.splitlines()[-1] == f"Nothing is erased yet: --yes erases person {number} for good."
    assert done.json["erased"] is True
    assert done.json["rows"]["conversation"] == 1
    assert again.code == 2
    assert trilho("audit", "verify").code == 0


def test_an_id_of_nobody_is_told(trilho: Trilho, number: int, tmp_path) -> None:
    told = trilho("contacts", "export", "999", "--to", str(tmp_path / "x.zip"))

    assert told.code == 2
    assert "999" in told.err
    assert not (tmp_path / "x.zip").exists()
