"""An Evolution API v2 on loopback: sends, its message store, files, and webhooks as the gateway posts them."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aiohttp import web

from tests.fakes.evolution_instance import InstanceRoutes

_ALLOWED = {
    "sendText": {"number", "text", "linkPreview", "quoted", "delay"},
    "sendMedia": {"number", "mediatype", "mimetype", "media", "caption", "fileName", "quoted"},
    "sendWhatsAppAudio": {"number", "audio", "quoted"},
}


@dataclass(frozen=True)
class File:
    """A lead's file as the gateway keeps it. `encoded` is what it answers instead of the content as base64."""

    content: bytes
    mime: str = "audio/ogg; codecs=opus"
    encoded: object = None


@dataclass(frozen=True)
class Sent:
    """A message that the gateway took, whether or not its answer arrived."""

    id: str
    jid: str
    body: Mapping[str, Any]
    at: int

    @property
    def text(self) -> str | None:
        text: str | None = self.body.get("text") or self.body.get("caption")
        return text


class FakeEvolution(InstanceRoutes):
    """`async with FakeEvolution() as fake:` as the other one. `not_on_whatsapp` holds numbers that are refused,
    `progress` what became of a message by its id, in the gateway's words, for whoever asks its store.
    """

    def __init__(
        self,
        api_key: str = "CHAVE-INVENTADA",
        instance: str = "loja-teste",
        number: str = "554130000000",
        clock: Callable[[], int] = lambda: 1_785_589_200_000,
    ) -> None:
        super().__init__(api_key, instance)
        self.number, self.clock = number, clock
        self.sent: list[Sent] = []
        self._count = 0
        self.progress: dict[str, list[str]] = {}
        self.not_on_whatsapp: set[str] = set()
        self.files: dict[str, File] = {}

    def _routes(self) -> list[web.RouteDef]:
        return [
            *super()._routes(),
            web.post("/message/{method}/{instance}", self._send),
            web.post("/chat/findMessages/{instance}", self._find),
            web.post("/chat/getBase64FromMediaMessage/{instance}", self._file),
        ]

    async def _send(self, request: web.Request) -> web.StreamResponse:
        body, fault, method = json.loads(await request.read()), self._next_fault(), request.match_info["method"]
        self.calls.append(body)
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if fault is not None and not fault.accepts:
            return await self._answered(request, fault, 201, {})
        if self.state != "open":
            return web.json_response(self.error(400, ["Error: Connection Closed"]), status=400)
        unknown = set(body) - _ALLOWED.get(method, set())
        content = body.get("text") or body.get("media") or body.get("audio")
        if unknown or not isinstance(body.get("number"), str) or not content:
            return web.json_response(self.error(400, [f"{method} {sorted(unknown)}"]), status=400)
        number = body["number"]
        jid = number if "@" in number else f"{number}@s.whatsapp.net"
        if number in self.not_on_whatsapp:
            missing = [{"jid": jid, "exists": False, "number": number}]
            return web.json_response(self.error(400, missing), status=400)
        self._count += 1
        sent = Sent(f"3EB0FAKE{self._count:04d}", jid, body, self.clock())
        self.sent.append(sent)
        return await self._answered(request, fault, 201, {**self._record(sent), "status": "PENDING"})

    async def _find(self, request: web.Request) -> web.StreamResponse:
        asked, fault = json.loads(await request.read()), self._next_fault()
        self.questions.append(asked)
        if (refusal := self._refusal(request)) is not None:
            return refusal
        records = [self._record(sent) for sent in reversed(self.sent) if _fits(sent, asked.get("where", {}))]
        answer = {"messages": {"total": len(records), "pages": 1, "currentPage": 1, "records": records}}
        return await self._answered(request, fault, 200, answer)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        body, fault = json.loads(await request.read()), self._next_fault()
        self.calls.append(body)
        if (refusal := self._refusal(request)) is not None:
            return refusal
        file = self.files.get(body["message"]["key"]["id"])
        if file is None:
            return web.json_response(self.error(400, ["Message not found"]), status=400)
        encoded = base64.b64encode(file.content).decode() if file.encoded is None else file.encoded
        about = {"mediaType": "audioMessage", "fileName": "x.oga", "mimetype": file.mime, "buffer": None}
        return await self._answered(request, fault, 201, {**about, "base64": encoded})

    def audio_from(self, person: str, message_id: str, at: int, encoded: str | None = None) -> dict[str, object]:
        """A lead's voice message; `encoded` is the file where the gateway sends it along."""
        message: dict[str, object] = {"audioMessage": {"seconds": 3, "ptt": True, "mimetype": "audio/ogg; codecs=opus"}}
        data = {
            "key": {"remoteJid": f"{person}@s.whatsapp.net", "fromMe": False, "id": message_id},
            "pushName": "Lead Um",
            "message": message if encoded is None else {**message, "base64": encoded},
            "messageType": "audioMessage",
            "messageTimestamp": at // 1000,
        }
        return self.webhook("messages.upsert", data)

    def _record(self, sent: Sent) -> dict[str, object]:
        key = {"remoteJid": sent.jid, "fromMe": True, "id": sent.id}
        updates = [{"status": status} for status in self.progress.get(sent.id, ())]
        return {
            "key": key,
            "message": _message(sent),
            "messageTimestamp": sent.at // 1000,
            "pushName": "Você",
            "MessageUpdate": updates,
        }

    def webhook(self, event: str, data: object) -> dict[str, object]:
        """A body as the gateway posts it, with its key and its local clock that calls itself UTC."""
        return {
            "event": event,
            "instance": self.instance,
            "data": data,
            "destination": "https://app.exemplo.test/hooks/evolution",
            "date_time": "2026-08-01T10:00:00.000Z",
            "sender": f"{self.number}@s.whatsapp.net",
            "server_url": "https://evo.exemplo.test",
            "apikey": self.api_key,
        }

    def text_from(
        self, person: str, text: str, message_id: str, at: int, *, from_me: bool = False
    ) -> dict[str, object]:
        """A lead's text, or with `from_me` one that the owner typed; `at` is in milliseconds."""
        jid = person if "@" in person else f"{person}@s.whatsapp.net"
        data = {
            "key": {"remoteJid": jid, "fromMe": from_me, "id": message_id},
            "pushName": "Lead Um",
            "message": {"conversation": text},
            "messageType": "conversation",
            "messageTimestamp": at // 1000,
        }
        return self.webhook("messages.upsert", data)

    def status_of(self, sent: Sent, status: str) -> dict[str, object]:
        """News of a sent message; `status` as the gateway says it: SERVER_ACK, DELIVERY_ACK, READ, ERROR."""
        data = {"keyId": sent.id, "remoteJid": sent.jid, "fromMe": True, "status": status}
        return self.webhook("messages.update", data)

    def sent_outside(self, sent: Sent, event: str = "send.message") -> dict[str, object]:
        """The echo of a message that the gateway took."""
        return self.webhook(event, {**self._record(sent), "status": "PENDING", "messageType": "conversation"})

    async def emit(self, url: str, body: Mapping[str, object]) -> int:
        """Post a webhook; the status of the answer."""
        return await self._post(url, json.dumps(body).encode(), {})


def _fits(sent: Sent, where: Mapping[str, Any]) -> bool:
    """Whether the gateway's store would find a message: it compares ids and chats as they are, times in seconds."""
    key, moments = where.get("key", {}), where.get("messageTimestamp", {})
    if key.get("id") not in (None, sent.id) or key.get("remoteJid") not in (None, sent.jid):
        return False
    if not (moments.get("gte") and moments.get("lte")):
        return True
    first, last = (datetime.fromisoformat(moments[name]).timestamp() for name in ("gte", "lte"))
    return int(first) <= sent.at // 1000 <= int(last)


def _message(sent: Sent) -> dict[str, object]:
    if "text" in sent.body:
        return {"conversation": sent.text}
    if "audio" in sent.body:
        return {"audioMessage": {"mimetype": "audio/ogg; codecs=opus", "ptt": True}}
    return {f"{sent.body['mediatype']}Message": {"caption": sent.text}}
