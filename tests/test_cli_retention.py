"""`trilho retention`: what is older than it may be kept, shown and taken."""

from pathlib import Path

import pytest

from tests.command_line import Trilho, on_its_database


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


def test_it_shows_the_days_and_what_is_older_and_takes_only_what_it_is_told(trilho: Trilho) -> None:
    looked = trilho("retention")
    done = trilho("retention", "--apply", "--json")

    assert looked.out.splitlines() == [
        "messages: 180 days; 0 older",
        "files: 30 days; 0 older",
        "webhooks: 14 days; 0 older",
    ]
    assert done.json == {
        "days": {"messages": 180, "files": 30, "webhooks": 14},
        "due": {"messages": 0, "files": 0, "webhooks": 0},
        "removed": {"messages": 0, "files": 0, "webhooks": 0},
        "applied": True,
    }
