"""A small shop on a real database: a published flow, a WhatsApp number, a payment source, a provider that answers."""

import contextlib
import hashlib
import hmac
import json
import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.adapters.http import HttpAnswer, HttpRequest
from engine.core.canonical import canonical
from engine.core.document import read
from engine.core.flow import MINUTE, SECOND
from engine.core.permissions import Actor
from engine.runtime import Flows, ManualClock, Runtime
from engine.services import advance, channels, receive, sources
from engine.services.scenarios.reference import document
from engine.store import contacts, conversations, flows, outbox
from tests.payload_files import load
from tests.services.work import settle

ACTOR = Actor("ana@loja.example")
ANA, BIA = "5541900000001", "5541900000002"
SECRET = "segredo"
TOKEN, PAYMENTS = "canal-de-teste-um-dois", "fonte-de-teste-um-dois"


class Provider:
    """Answers sends; `plan` holds what the next ones get: an answer's (status, body), or an exception."""

    def __init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []
        self.plan: list[Any] = []
        self._count = 0

    async def request(self, request: HttpRequest) -> HttpAnswer:
        self.calls.append(dict(request.json or {}))
        self._count += 1
        planned = self.plan.pop(0) if self.plan else None
        if isinstance(planned, Exception):
            raise planned
        status, body = planned or (200, {"messages": [{"id": f"wamid.OUT{self._count}"}]})
        return HttpAnswer(status=status, headers={}, body=json.dumps(body).encode())

    async def close(self) -> None:
        return

    @property
    def texts(self) -> list[str]:
        """What people read, template names in brackets."""
        return [
            f"[{call['template']['name']}]" if "template" in call else call.get("text", {}).get("body", "")
            for call in self.calls
        ]


class Shop:
    """Everything that a test of the event path does."""

    def __init__(self, runtime: Runtime, flow: str) -> None:
        self.runtime, self.flow = runtime, flow
        self.channel_id = 0
        assert isinstance(runtime.clock, ManualClock)
        assert isinstance(runtime.http, Provider)
        self.clock, self.provider = runtime.clock, runtime.http
        self._count = 0

    async def posts(self, body: object, *, secret: str = SECRET) -> int:
        """A signed webhook of the platform; the status that it saw."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        proof = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": f"sha256={proof}"}
        return (await receive.webhook(self.runtime, TOKEN, headers, raw)).status

    async def writes(self, phone: str, words: str, *, named: str | None = None, ago: int = 0, **more: Any) -> str:
        """A lead writes, `ago` milliseconds ago by the platform's clock; the message's id."""
        self._count += 1
        message_id = named or f"wamid.IN{self._count}"
        assert await self.posts(self.body(phone, words, message_id, ago, **more)) == 200
        return message_id

    def body(self, phone: str, words: str, message_id: str, ago: int = 0, **more: Any) -> dict[str, Any]:
        message = {
            "from": phone, "id": message_id, "timestamp": str((self.clock.now() - ago) // 1000),
            "type": "text", "text": {"body": words}, **more,
        }  # fmt: skip
        return enveloped({"contacts": [{"wa_id": phone, "profile": {"name": "Ana Lima"}}], "messages": [message]})

    async def hears(self, provider_id: str, status: str, **more: Any) -> int:
        """A status of one of our sends."""
        told = {"id": provider_id, "status": status, "timestamp": str(self.clock.now() // 1000), "recipient_id": ANA}
        return await self.posts(enveloped({"statuses": [{**told, **more}]}))

    async def pays(self, phone: str, *, event: str = "PURCHASE_APPROVED", tx: str = "HP1", named: str = "evt-1") -> int:
        """A notice of the payment platform."""
        body = load("hotmart/purchase_approved_card.json")
        body |= {"id": named, "event": event, "creation_date": self.clock.now()}
        body["data"]["buyer"] |= {"checkout_phone": phone}
        body["data"]["buyer"].pop("checkout_phone_code", None)
        purchase = body["data"]["purchase"]
        purchase["transaction"] = tx
        for name in ("sckPaymentLink", "tracking"):
            purchase.pop(name, None)
        return await self.notices(body)

    async def notices(self, body: Mapping[str, Any]) -> int:
        """A body of the payment platform; the status that it saw."""
        headers = {"x-hotmart-hottok": "hottok"}
        return (await receive.payment(self.runtime, PAYMENTS, headers, {}, json.dumps(body).encode())).status

    async def works(self) -> None:
        """Everything that is due now is done."""
        await settle(self.runtime)

    async def after(self, duration: int) -> None:
        """Time passes in one step, then what is due is done."""
        self.clock.advance(duration)
        await self.works()

    async def decides(self, phone: str = ANA) -> int:
        """Only the deciding half, for one person's conversation; how many events were applied."""
        conversation = await self.conversation(phone)
        return await self.runtime.store.write(
            f"conversation:{conversation.id}",
            lambda tx: advance.advance(tx, self.runtime, conversation.id),
        )

    async def talks(self, phone: str, *texts: str) -> None:
        """A person writes one text after the other, each answered before the next."""
        for text in texts:
            await self.writes(phone, text)
            await self.after(5 * SECOND)
            self.clock.advance(MINUTE)

    async def conversation(self, phone: str = ANA) -> conversations.Conversation:
        def unit(tx):
            contact_id = contacts.find(tx, phone)
            assert contact_id is not None
            found = conversations.newest(tx, contact_id, self.flow)
            assert found is not None
            return found

        return await self.runtime.store.write("look", unit)

    async def state(self, phone: str = ANA) -> str:
        return (await self.conversation(phone)).snapshot.state

    async def rows(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        return await self.runtime.store.read(lambda tx: tx.rows(sql, **params))

    async def outcomes(self) -> list[tuple[str, str | None]]:
        """(outcome, reason) of the log in order, without the openings."""
        rows = await self.rows("SELECT outcome, reason FROM log WHERE reason IS NULL OR reason <> 'opened' ORDER BY id")
        return [(row["outcome"], row["reason"]) for row in rows]

    async def letters(self) -> list[outbox.Row]:
        def unit(tx):
            return [outbox.get(tx, row["id"]) for row in tx.rows("SELECT id FROM outbox ORDER BY id")]

        return await self.runtime.store.read(unit)

    async def person(self, phone: str = ANA) -> Mapping[str, Any]:
        return await self.runtime.store.read(lambda tx: contacts.row(tx, contacts.find(tx, phone)))


def enveloped(value: Mapping[str, Any]) -> dict[str, Any]:
    """What the platform puts around its news."""
    metadata = {"display_phone_number": "554130000000", "phone_number_id": "100000000000001"}
    change = {"field": "messages", "value": {"messaging_product": "whatsapp", "metadata": metadata, **value}}
    return {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]}


VENDA = Flows()
"""For runtimes whose only flow is the unchanged sample: it takes longer to read than most tests."""


def _written(tree: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(tree["slug"]), canonical(tree), read(tree).sha256


@lru_cache(maxsize=1)
def _sample() -> tuple[str, str, str]:
    return _written(document("venda", {}))


async def published(runtime: Runtime, changes: Mapping[str, object] | None = None, flow: object = "venda") -> str:
    """Publish a flow; its name."""
    slug, text, sha256 = _sample() if flow == "venda" and not changes else _written(document(flow, changes or {}))

    def publish(tx):
        flows.add(tx, slug=slug, title=slug, text=text, now=runtime.clock.now(), who="")
        flows.publish(tx, slug=slug, text=text, sha256=sha256, note="", author="", now=runtime.clock.now())

    await runtime.store.write("setup", publish)
    return slug


async def opened(runtime: Runtime, changes: Mapping[str, object] | None = None, flow: object = "venda") -> Shop:
    """Publish the flow and set up the number and the payment source."""
    slug = await published(runtime, changes, flow)
    values = {
        "app_secret": SECRET, "access_token": "t", "verify_token": "v", "phone_number_id": "100000000000001",
        "base_url": "https://provider.example",
    }  # fmt: skip
    shop = Shop(runtime, slug)
    made = await channels.add(runtime, "whatsapp_cloud", "loja", ACTOR, token=TOKEN, flow=slug, values=values)
    shop.channel_id = made.id
    await sources.add(runtime, "hotmart", "hotmart", slug, ACTOR, token=PAYMENTS, values={"hottok": "hottok"})
    return shop


async def published_beside(runtime: Runtime, tree: Mapping[str, Any]) -> str:
    """Another flow that is live; its slug."""
    slug, text, sha256 = _written(tree)

    def publish(tx):
        flows.add(tx, slug=slug, title=slug, text=text, now=runtime.clock.now(), who="")
        flows.publish(tx, slug=slug, text=text, sha256=sha256, note="", author="", now=runtime.clock.now())

    await runtime.store.write("setup", publish)
    return slug


def both_first(monkeypatch, module, name, *, after=False):
    """Whoever calls the function first waits, a moment at most, until somebody else calls it too; with `after` both
    have its answer before they go on.
    """
    real, meeting, seen = getattr(module, name), threading.Barrier(2), set()

    def waiting(*given, **named):
        answer = real(*given, **named) if after else None
        if threading.get_ident() not in seen:
            seen.add(threading.get_ident())
            with contextlib.suppress(threading.BrokenBarrierError):
                meeting.wait(1)
        return answer if after else real(*given, **named)

    monkeypatch.setattr(module, name, waiting)
