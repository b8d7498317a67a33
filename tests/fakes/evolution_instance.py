"""The part of the fake gateway that is about the instance itself: its key, its connection, its QR code, its webhook."""

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.fakes.faults import FakeServer


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _squares(size: int) -> bytes:
    """A grey PNG of squares; nobody can read anything from it."""
    rows = b"".join(b"\0" + bytes(255 * ((x // 4 + y // 4) % 2) for x in range(size)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


PNG = _squares(64)
KNOWN_EVENTS = {
    "QRCODE_UPDATED", "MESSAGES_UPSERT", "MESSAGES_EDITED", "MESSAGES_UPDATE", "MESSAGES_DELETE", "SEND_MESSAGE",
    "CONNECTION_UPDATE", "PRESENCE_UPDATE", "CALL",
}  # fmt: skip
"""Of the names that the gateway's schema takes; any other makes it refuse the whole setting."""


class InstanceRoutes(FakeServer):
    """`state` is the connection; None: there is no such instance yet. `scan` is what a telephone does.

    `forgets_headers`: as some versions do, the webhook's headers are only kept from the second setting on.
    """

    def __init__(self, api_key: str, instance: str) -> None:
        super().__init__()
        self.api_key, self.instance = api_key, instance
        self.state: str | None = "open"
        self.webhook_setting: Mapping[str, Any] | None = None
        self.questions: list[Mapping[str, Any]] = []
        self.created: list[Mapping[str, Any]] = []
        self.codes = 0
        self.forgets_headers = False
        self.pairing_number: str | None = None

    def scan(self) -> None:
        """Somebody reads the code."""
        self.state = "open"

    def _routes(self) -> list[web.RouteDef]:
        return [
            web.get("/instance/connectionState/{instance}", self._state),
            web.get("/instance/connect/{instance}", self._connect),
            web.post("/instance/create", self._create),
            web.post("/webhook/set/{instance}", self._set_webhook),
        ]

    @staticmethod
    def error(status: int, message: object) -> dict[str, object]:
        """An error in the gateway's own form."""
        names = {400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 500: "Internal Server Error"}
        return {"status": status, "error": names.get(status, "Error"), "response": {"message": message}}

    def _refusal(self, request: web.Request) -> web.Response | None:
        if request.headers.get("apikey") != self.api_key:
            return web.json_response(self.error(401, "Unauthorized"), status=401)
        name = request.match_info.get("instance", self.instance)
        if name != self.instance or (self.state is None and "instance" in request.match_info):
            return web.json_response(self.error(404, [f'The "{name}" instance does not exist']), status=404)
        return None

    async def _state(self, request: web.Request) -> web.StreamResponse:
        if (refusal := self._refusal(request)) is not None:
            return refusal
        answer = {"instance": {"instanceName": self.instance, "state": self.state}}
        return await self._answered(request, self._next_fault(), 200, answer)

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if self.state == "open":
            return web.json_response({"instance": {"instanceName": self.instance, "state": "open"}})
        if self.state == "close":
            self.state, self.codes = "connecting", self.codes + 1
            self.pairing_number = request.query.get("number")
        image = "data:image/png;base64," + base64.b64encode(PNG).decode()
        pairing = "ABCD1234" if self.pairing_number else None
        answer = {"pairingCode": pairing, "code": "2@INVENTADO", "base64": image, "count": self.codes}
        return await self._answered(request, self._next_fault(), 200, answer)

    async def _create(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if self.state is not None:
            return web.json_response(
                self.error(403, [f'This name "{body["instanceName"]}" is already in use.']), status=403
            )
        self.created.append(body)
        self.state, self.webhook_setting = "close", body.get("webhook")
        made = {"instanceName": body["instanceName"], "integration": body["integration"], "status": "created"}
        return web.json_response({"instance": made, "hash": "FICHA-INVENTADA"}, status=201)

    async def _set_webhook(self, request: web.Request) -> web.StreamResponse:
        given = json.loads(await request.read()).get("webhook", {})
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if not given.get("url") or not set(given.get("events", ())) <= KNOWN_EVENTS:
            return web.json_response(self.error(400, [['requires property "url"']]), status=400)
        kept = dict(given)
        if self.forgets_headers:
            self.forgets_headers = False
            kept.pop("headers", None)
        self.webhook_setting = kept
        return web.json_response({"id": "cl1", "enabled": True, **kept}, status=201)
