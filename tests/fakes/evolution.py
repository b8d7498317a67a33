"""An Evolution API v2 on loopback: sends, its message store, files, and webhooks as the gateway posts them."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.faults import FakeServer

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


class FakeEvolution(FakeServer):
    """`async with FakeEvolution() as fake:` as the other one. `not_on_whatsapp` holds numbers that are refused."""

    def __init__(
        self,
        api_key: str = "CHAVE-INVENTADA",
        instance: str = "loja-teste",
        number: str = "554130000000",
        clock: Callable[[], int] = lambda: 1_785_589_200_000,
    ) -> None:
        super().__init__()
        self.api_key, self.instance, self.number, self.clock = api_key, instance, number, clock
        self.sent: list[Sent] = []
        self.not_on_whatsapp: set[str] = set()
        self.files: dict[str, File] = {}

    def _routes(self) -> list[web.RouteDef]:
        return [
            web.post("/message/{method}/{instance}", self._send),
            web.post("/chat/findMessages/{instance}", self._find),
            web.post("/chat/getBase64FromMediaMessage/{instance}", self._file),
        ]

    @staticmethod
    def error(status: int, message: object) -> dict[str, object]:
        """An error in the gateway's own form."""
        names = {400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 500: "Internal Server Error"}
        return {"status": status, "error": names.get(status, "Error"), "response": {"message": message}}

    def _refusal(self, request: web.Request) -> web.Response | None:
        if request.headers.get("apikey") != self.api_key:
            return web.json_response(self.error(401, "Unauthorized"), status=401)
        if (name := request.match_info["instance"]) != self.instance:
            return web.json_response(self.error(404, [f'The "{name}" instance does not exist']), status=404)
        return None

    async def _send(self, request: web.Request) -> web.StreamResponse:
        body, fault, method = json.loads(await request.read()), self._next_fault(), request.match_info["method"]
        self.calls.append(body)
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if fault is not None and not fault.accepts:
            return await self._answered(request, fault, 201, {})
        unknown = set(body) - _ALLOWED.get(method, set())
        content = body.get("text") or body.get("media") or body.get("audio")
        if unknown or not isinstance(body.get("number"), str) or not content:
            return web.json_response(self.error(400, [f"{method} {sorted(unknown)}"]), status=400)
        number = body["number"]
        jid = number if "@" in number else f"{number}@s.whatsapp.net"
        if number in self.not_on_whatsapp:
            missing = [{"jid": jid, "exists": False, "number": number}]
            return web.json_response(self.error(400, missing), status=400)
        sent = Sent(f"3EB0FAKE{len(self.sent) + 1:04d}", jid, body, self.clock())
        self.sent.append(sent)
        return await self._answered(request, fault, 201, {**self._record(sent), "status": "PENDING"})

    async def _find(self, request: web.Request) -> web.StreamResponse:
        where = json.loads(await request.read()).get("where", {}).get("key", {})
        if (refusal := self._refusal(request)) is not None:
            return refusal
        records = [self._record(sent) for sent in reversed(self.sent) if sent.jid == where.get("remoteJid")]
        return web.json_response(
            {"messages": {"total": len(records), "pages": 1, "currentPage": 1, "records": records}}
        )

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
        message = {"conversation": sent.text} if "text" in sent.body else {"imageMessage": {"caption": sent.text}}
        return {"key": key, "message": message, "messageTimestamp": sent.at // 1000, "pushName": "Você"}

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

    async def emit(self, url: str, body: Mapping[str, object]) -> int:
        """Post a webhook; the status of the answer."""
        return await self._post(url, json.dumps(body).encode(), {})
