"""The small shop on an Evolution gateway: a fake one that speaks the real protocol over loopback."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.runtime import Runtime
from engine.services import channels, receive
from engine.store import contacts, conversations, outbox
from engine.store.outbox import Letter
from tests.fakes.evolution import FakeEvolution
from tests.services import shop
from tests.services.shop import ACTOR, ANA
from tests.services.work import settle

TOKEN = "canal-evolution-um-dois"


class Patient:
    """Real HTTP that gives up after a time that a test can wait for, and counts what was asked."""

    def __init__(self, http: Http) -> None:
        self.http, self.asked = http, list[str]()

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.asked.append(request.url.rpartition("/")[0].rpartition("/")[2])
        return await self.http.request(replace(request, timeout=2_000))

    async def close(self) -> None:
        await self.http.close()


class GatewayShop:
    """What a test of the gateway does."""

    def __init__(self, runtime: Runtime, fake: FakeEvolution, channel_id: int, flow: str) -> None:
        self.runtime, self.fake, self.channel_id, self.flow = runtime, fake, channel_id, flow
        self.clock = runtime.clock
        self._count = 0

    async def posts(self, body: object, headers: dict[str, str] | None = None) -> int:
        """A webhook of the gateway; the status that it saw."""
        return (await receive.webhook(self.runtime, TOKEN, headers or {}, json.dumps(body).encode())).status

    async def writes(self, words: str, person: str = ANA, **more: Any) -> None:
        self._count += 1
        body = self.fake.text_from(person, words, f"3A{self._count}", self.clock.now(), **more)
        assert await self.posts(body) == 200

    async def hears(self, event: str, data: object) -> None:
        assert await self.posts(self.fake.webhook(event, data)) == 200

    async def connection(self, state: str, code: int | None = None) -> None:
        """The gateway tells how its connection is, and is so."""
        self.fake.state = "close" if state == "refused" else state
        await self.hears("connection.update", {"instance": self.fake.instance, "state": state, "statusReason": code})

    async def works(self) -> None:
        """Everything that is due now is done."""
        await settle(self.runtime)

    async def after(self, duration: int) -> None:
        self.clock.advance(duration)
        await self.works()

    async def talks(self, *texts: str, person: str = ANA) -> None:
        """A person writes one text after the other, each answered before the next."""
        for text in texts:
            await self.writes(text, person)
            await self.after(5_000)
            self.clock.advance(60_000)

    async def queued(self, *texts: str, phone: str = ANA, **more: Any) -> list[int]:
        """Letters to a person; their numbers."""

        def unit(tx):
            contact_id = contacts.find(tx, phone)
            standing = conversations.newest(tx, contact_id, self.flow)
            made = []
            for text in texts:
                given = {"action": "a", "cause": "message", "payload": {"text": text}, "event_id": f"e-{text}", **more}
                letter = Letter(state=standing.snapshot.state, **given)
                made.append(outbox.put(tx, letter, standing.id, contact_id, self.channel_id, self.clock.now()))
            return made

        return await self.runtime.store.write("x", unit)

    async def rows(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        return await self.runtime.store.read(lambda tx: tx.rows(sql, **params))

    async def letters(self) -> list[outbox.Row]:
        return await self.runtime.store.read(lambda tx: outbox.select(tx, "action <> 'phone' ORDER BY id"))

    async def statuses(self) -> list[str]:
        return [letter.status for letter in await self.letters()]

    async def outcomes(self) -> list[tuple[str, str | None]]:
        rows = await self.rows("SELECT outcome, reason FROM log WHERE reason IS NULL OR reason <> 'opened' ORDER BY id")
        return [(row["outcome"], row["reason"]) for row in rows]

    async def paused(self, phone: str = ANA) -> bool:
        person = await self.runtime.store.read(lambda tx: contacts.row(tx, contacts.find(tx, phone)))
        return person["paused_until"] is not None

    @property
    def texts(self) -> list[str]:
        """What people got."""
        return [sent.text for sent in self.fake.sent]


@asynccontextmanager
async def gateway_shop(runtime: Runtime, **settings: str) -> AsyncIterator[GatewayShop]:
    """The flow `venda` behind a paired instance; the numbers of these tests are not spared unless told so."""
    async with FakeEvolution(clock=runtime.clock.now) as fake:
        opened = await shop.published(runtime)
        values = {"instance": fake.instance, "base_url": fake.base_url, "api_key": fake.api_key, "pacing": "off"}
        made = await channels.add(
            runtime, "evolution", "zap", ACTOR, token=TOKEN, flow=opened, values={**values, **settings}
        )
        yield GatewayShop(runtime, fake, made.id, opened)
