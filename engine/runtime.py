"""What a process holds: settings, store, clock, ids, queue, HTTP, vault, and the flows that it has read.

The only place where the system's clock and randomness are read: everything else gets them from here, so that tests and
the simulator can move time and repeat chance (R14).
"""

import asyncio
import heapq
import json
import secrets
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from engine.adapters.passwords import Passwords
from engine.adapters.secrets import Vault, load_or_create_key, parse_keys
from engine.core.document import read
from engine.core.errors import NotFound
from engine.core.flow import SECOND, Flow, Millis
from engine.core.rationing import Tally
from engine.late import Carrier, Hints, LateHttp, LateQueue
from engine.settings import Settings
from engine.store import flows
from engine.store.connection import Tx
from engine.store.lanes import Store

KEY_FILE = "secret.key"
FLOWS_KEPT = 64
"""Published versions never change (R60), so a read one is kept; each may hold a few hundred kB."""


class Clock(Protocol):
    """Time: milliseconds since the Unix epoch, and waiting."""

    def now(self) -> Millis: ...

    async def sleep(self, duration: Millis) -> None: ...


class SystemClock:
    """The machine's time."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000

    async def sleep(self, duration: Millis) -> None:
        await asyncio.sleep(max(duration, 0) / 1_000)


class ManualClock:
    """Time that stands still until it is moved; sleepers wake when it passes them, the earliest first."""

    def __init__(self, start: Millis = 1_700_000_000_000) -> None:
        self._now = start
        self._sleepers: list[tuple[Millis, int, asyncio.Event]] = []
        self._count = 0

    def now(self) -> Millis:
        return self._now

    async def sleep(self, duration: Millis) -> None:
        if duration <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.Event()
        self._count += 1
        heapq.heappush(self._sleepers, (self._now + duration, self._count, woken))
        await woken.wait()

    def advance(self, duration: Millis) -> None:
        """Move time on and wake whoever slept until then. Raises ValueError for a step back."""
        self.move_to(self._now + duration)

    def move_to(self, instant: Millis) -> None:
        """Move time to an instant, not before now."""
        if instant < self._now:
            raise ValueError("time does not go back")
        self._now = instant
        while self._sleepers and self._sleepers[0][0] <= instant:
            heapq.heappop(self._sleepers)[2].set()

    @property
    def next_waking(self) -> Millis | None:
        """When the earliest sleeper wants to wake, or None."""
        return self._sleepers[0][0] if self._sleepers else None


class Ids(Protocol):
    """Everything random: secrets, names and chance."""

    def token(self, size: int = 32) -> str:
        """A secret of `size` random bytes, as text that may stand in an address."""

    def hex(self, size: int = 16) -> str:
        """`size` random bytes as hexadecimal digits."""

    def uuid(self) -> str: ...

    def chance(self) -> float:
        """A number from 0 up to 1, for spreading retries; never for secrets."""


class SystemIds:
    """Randomness of the operating system."""

    def token(self, size: int = 32) -> str:
        return secrets.token_urlsafe(size)

    def hex(self, size: int = 16) -> str:
        return secrets.token_hex(size)

    def uuid(self) -> str:
        return str(uuid.uuid4())  # noqa: TID251 - this is where ids come from

    def chance(self) -> float:
        return secrets.randbelow(1 << 53) / (1 << 53)


class SeededIds:
    """The same ids in the same order for the same seed: tests and the simulator only, nothing here is secret."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)  # noqa: S311 - repeatable on purpose

    def token(self, size: int = 32) -> str:
        return self.hex(size)

    def hex(self, size: int = 16) -> str:
        return self._random.randbytes(size).hex()

    def uuid(self) -> str:
        return str(uuid.UUID(bytes=self._random.randbytes(16), version=4))

    def chance(self) -> float:
        return self._random.random()


class Flows:
    """Published versions, read once and kept; safe to use from any thread."""

    def __init__(self, kept: int = FLOWS_KEPT) -> None:
        self._kept, self._flows, self._guard = kept, OrderedDict[tuple[str, int], Flow](), threading.Lock()
        self._live: tuple[Millis, Mapping[str, int]] | None = None

    def within(self, tx: Tx, slug: str, number: int) -> Flow:
        """The version, read in the caller's transaction when it is not known yet. Raises NotFound."""
        if (known := self.known(slug, number)) is not None:
            return known
        text = flows.document(tx, slug, number)
        if text is None:
            raise NotFound("flow", f"{slug}@{number}")
        flow = read(json.loads(text))
        with self._guard:
            self._flows[slug, number] = flow
            while len(self._flows) > self._kept:
                self._flows.popitem(last=False)
        return flow

    def live_lately(self, tx: Tx, now: Millis) -> Mapping[str, int]:
        """The live version of every flow as it was less than a second ago: for a first guess, not for a decision."""
        before = self._live
        if before is None or not 0 <= now - before[0] < SECOND:
            before = self._live = (now, flows.live_numbers(tx))
        return before[1]

    def published(self) -> None:
        """Something was published here: what was live lately is looked up again."""
        self._live = None

    def known(self, slug: str, number: int) -> Flow | None:
        """The version if it is kept, without asking the database."""
        with self._guard:
            found = self._flows.get((slug, number))
            if found is not None:
                self._flows.move_to_end((slug, number))
            return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Everything that a service may use. Made once per process, passed on, never global."""

    settings: Settings
    store: Store
    queue: Hints
    http: Carrier
    vault: Vault
    clock: Clock = field(default_factory=SystemClock)
    ids: Ids = field(default_factory=SystemIds)
    flows: Flows = field(default_factory=Flows)
    passwords: Passwords = field(default_factory=Passwords)
    doors: dict[str, tuple[Millis, object]] = field(default_factory=dict)
    """Channels as they were read a moment ago, by the token of their address, and when (services/doors)."""
    refusals: dict[str, Tally] = field(default_factory=dict)
    """How often senders without proof were turned away, by door: so that a flood of them cannot fill the log."""

    async def flow(self, slug: str, number: int) -> Flow:
        """A published version. Raises NotFound."""
        known = self.flows.known(slug, number)
        return known if known is not None else await self.store.read(lambda tx: self.flows.within(tx, slug, number))

    async def close(self) -> None:
        """Finish what waits and let go of everything."""
        await self.store.close()
        await self.queue.close()
        await self.http.close()
        self.passwords.close()


async def open_runtime(settings: Settings) -> Runtime:
    """What a process of the product holds. The database is not touched yet; raises BadSettings for a wrong key.

    Without TRILHO_SECRET_KEY the key is the file `secret.key` of the data folder, made when it is not there.
    """
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    keys = (
        parse_keys(settings.secret_key)
        if settings.secret_key is not None
        else load_or_create_key(settings.data_dir / KEY_FILE)
    )
    return Runtime(
        settings=settings,
        store=Store(settings.database_url),
        queue=LateQueue(settings.redis_url),
        http=LateHttp(),
        vault=Vault(*keys),
    )
