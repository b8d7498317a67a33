"""A shop that is paid through any platform: a source of each, notices as their senders post them, and a fake to ask."""

import json
from typing import Any

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.adapters.http_client import Http
from engine.adapters.payments.protocol import Notice
from engine.adapters.payments.registry import PLATFORMS
from engine.services import receive, sources
from engine.services.scenarios.notices import posted
from engine.services.sources import SourceRecord
from engine.store import contacts, due
from tests.fakes.payments import FakePayments
from tests.services.shop import ACTOR, ANA, Provider, Shop

APPROVED = {"id": 77, "status": "approved", "external_reference": "conv-1"}


class Asking(Provider):
    """Sends stay within the process, questions go over real sockets; `before` runs in front of each of these."""

    def __init__(self) -> None:
        super().__init__()
        self.http = Http()
        self.questions: list[str] = []
        self.before: Any = None

    async def request(self, request: HttpRequest) -> HttpAnswer:
        if request.method != "GET":
            return await super().request(request)
        self.questions.append(request.url)
        if self.before is not None:
            await self.before()
        return await self.http.request(request)

    async def close(self) -> None:
        await self.http.close()


class Counter:
    """What the tests of payments do in a shop."""

    def __init__(self, shop: Shop, fake: FakePayments) -> None:
        self.shop, self.fake = shop, fake
        self.sources: dict[str, SourceRecord] = {}

    async def opens(self, platform: str, **values: str) -> SourceRecord:
        """A source of a platform, with a secret for each of its keys and the fake as its API."""
        declared = PLATFORMS[platform]
        given = {key: f"segredo-{key}" for key in declared.secrets}
        if declared.fetch is not None:
            given |= {"base_url": self.fake.base_url, "access_token": "ficha", "api_key": "chave"}
        taken = {key.name for key in declared.keys if not key.prefix}
        given = {key: value for key, value in given.items() if key in taken} | values
        name = f"{platform}-{len(self.sources)}"
        made = await sources.add(self.shop.runtime, platform, name, self.shop.flow, ACTOR, values=given)
        self.sources[platform] = made
        return made

    async def hears(self, platform: str, payload: Any) -> int:
        """A notice, proved; the status that its sender saw."""
        source = self.sources[platform]
        sent: Notice = posted(source, payload, None, self.shop.clock.now())
        told = await receive.payment(self.shop.runtime, source.token, sent.headers, sent.query, sent.raw)
        return told.status

    async def paid(self, payment: str = "77", named: int = 1) -> int:
        """Mercado Pago says that something happened to a payment."""
        query = {"data.id": payment, "type": "payment"}
        return await self.hears("mercadopago", {"query": query, "body": {"id": named, "data": {"id": "wrong"}}})

    async def settles(self, hours: int) -> None:
        """Time goes on from one thing that is due to the next."""
        end = self.shop.clock.now() + hours * 3_600_000
        while True:
            await self.shop.works()
            now = self.shop.clock.now()
            moment = await self.shop.runtime.store.read(lambda tx, at=now: due.next_due(tx, at))
            if moment is None or moment > end:
                return
            self.shop.clock.move_to(moment)

    async def deliveries(self) -> int:
        """How many times access was given."""
        rows = await self.shop.rows("SELECT DISTINCT event_id FROM outbox WHERE action = 'entregar_acesso'")
        return len(rows)

    async def told(self, reason: str) -> list[dict[str, Any]]:
        """The facts of the log's rows with a reason."""
        rows = await self.shop.rows("SELECT facts FROM log WHERE reason = :reason ORDER BY id", reason=reason)
        return [json.loads(row["facts"]) for row in rows]


async def talked(counter, platform="mercadopago", **values):
    """Ana has the code that the payment link carries, and the platform has her payment."""
    await counter.shop.talks(ANA, "oi", "quero comprar")
    person = await counter.shop.person()

    def unit(tx):
        contacts.track(tx, person["id"], "conv-1", counter.shop.clock.now())

    await counter.shop.runtime.store.write("setup", unit)
    counter.fake.payments["77"] = APPROVED
    return await counter.opens(platform, **values)
