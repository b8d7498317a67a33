"""A runtime for tests: a real database, time that stands still, ids that repeat, no queue and no network."""

from pathlib import Path

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.passwords import Passwords
from engine.adapters.secrets import Vault
from engine.core.errors import NotSent
from engine.runtime import ManualClock, Runtime, SeededIds
from engine.settings import Settings
from engine.store.lanes import Store

START = 1_764_500_000_000


class NoNetwork:
    """Every request fails before it is written."""

    async def request(self, request: HttpRequest) -> HttpAnswer:
        raise NotSent("no network in tests")

    async def close(self) -> None:
        return


class NoQueue:
    """A queue that is away; what was asked of it is in `hints`."""

    def __init__(self) -> None:
        self.hints: list[tuple[str, tuple[object, ...]]] = []

    async def enqueue(self, job: str, *args: object) -> bool:
        self.hints.append((job, args))
        return False

    async def ping(self) -> bool:
        return False

    async def close(self) -> None:
        return


def a_runtime(url: str, **parts: object) -> Runtime:
    """A runtime on a migrated database. Passwords are cheap here; `parts` replaces any part by name."""
    settings = Settings(data_dir=Path("unused"), database_url=url, redis_url="redis://unused")
    made: dict[str, object] = {
        "settings": settings,
        "store": Store(url),
        "queue": NoQueue(),
        "http": NoNetwork(),
        "vault": Vault(bytes(32)),
        "clock": ManualClock(START),
        "ids": SeededIds(),
        "passwords": Passwords(memory_kib=8, rounds=1),
    }
    return Runtime(**{**made, **parts})
