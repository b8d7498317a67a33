"""A Graph API on loopback that takes sends as strictly as the real one and posts signed webhooks."""

import contextlib
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.faults import FakeServer
from tests.fakes.graph_rules import GraphError, check_send
from tests.fakes.graph_templates import Templates

DAY = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class File:
    """A lead's file as the platform keeps it. `size` is what it says of the size, `url` where it says that it lies.

    An `endless` one never stops coming; `moved` is where its address sends whoever asks.
    """

    content: bytes
    mime: str = "audio/ogg; codecs=opus"
    size: int | None = None
    url: str | None = None
    endless: bool = False
    moved: str | None = None


@dataclass(frozen=True)
class Sent:
    """A message that the platform accepted, whether or not its answer arrived."""

    id: str
    to: str
    body: Mapping[str, Any]

    @property
    def text(self) -> str | None:
        """What the person reads, for a text."""
        text: str | None = self.body.get("text", {}).get("body")
        return text

    @property
    def callback_data(self) -> str | None:
        data: str | None = self.body.get("biz_opaque_callback_data")
        return data


class FakeWhatsApp(FakeServer):
    """`async with FakeWhatsApp() as fake:` then `fake.base_url`, `fake.sent`, `fake.fail_next(...)`, `fake.emit(...)`.

    With a `clock` (epoch milliseconds) the 24-hour window and the pair rate are kept: a person has to have written
    through `heard_from` first (131047), and gets one message per `pair_interval_ms` (131056).
    """

    def __init__(
        self,
        app_secret: str = "segredo-de-teste-app",
        access_token: str = "TOKEN",
        phone_number_id: str = "100000000000001",
        number: str = "554130000000",
        templates: Mapping[tuple[str, str], int] | None = None,
        clock: Callable[[], int] | None = None,
        pair_interval_ms: int = 0,
    ) -> None:
        super().__init__()
        self.app_secret, self.access_token = app_secret, access_token
        self.phone_number_id, self.number, self.templates = phone_number_id, number, templates
        self.clock, self.pair_interval_ms = clock, pair_interval_ms
        self.sent: list[Sent] = []
        self.files: dict[str, File] = {}
        self.account = Templates("200000000000001")
        self.about: dict[str, str] = {}
        self._heard: dict[str, int] = {}
        self._last_send: dict[str, int] = {}

    def _routes(self) -> list[web.RouteDef]:
        version = "/{version:v\\d+(?:\\.\\d+)?}"
        return [
            web.post(version + "/{phone_number_id}/messages", self._messages),
            web.post(version + "/{phone_number_id}/media", self._upload),
            web.get(version + "/{account}/message_templates", self._templates),
            web.post(version + "/{account}/message_templates", self._templates),
            web.get(version + f"/{self.phone_number_id}", self._about_number),
            web.get(version + "/{media_id}", self._about_file),
            web.get("/files/{media_id}", self._file),
        ]

    def heard_from(self, person: str, at: int) -> None:
        """The person wrote: free text may leave for 24 h."""
        self._heard[person] = at

    def fail_with_code(self, code: int, status: int = 400, times: int = 1) -> None:
        """The next sends are refused with one of the platform's own error codes."""
        self.fail_next("error", times=times, status=status, body=GraphError(code, f"code {code}").body())

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        fault = self._next_fault()
        try:
            body = self._checked(request, raw)
            if fault is not None and not fault.accepts:
                return await self._answered(request, fault, 200, {})
            to = check_send(body, self.templates)
            self._keep_limits(to, body)
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        sent = Sent(f"wamid.FAKE{len(self.sent) + 1:06d}", to, body)
        self.sent.append(sent)
        who = {"wa_id": to} if "to" in body else {"user_id": to}
        answer = {
            "messaging_product": "whatsapp",
            "contacts": [{"input": str(body.get("to") or body.get("recipient")), **who}],
            "messages": [{"id": sent.id}],
        }
        return await self._answered(request, fault, 200, answer)

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        """A file handed over to be sent: it gets a number, which a message may name from then on."""
        fault, form = self._next_fault(), await request.post()
        try:
            self._let_in(request)
            if fault is not None and not fault.accepts:
                return await self._answered(request, fault, 200, {})
            file = form.get("file")
            if form.get("messaging_product") != "whatsapp" or not isinstance(file, web.FileField):
                raise GraphError(100, "(#100) The parameter file is required.")
            if form.get("type") != file.content_type:
                raise GraphError(131053, "Media upload error")
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        number = str(900_000 + len(self.files))
        self.files[number] = File(file.file.read(), file.content_type)
        return await self._answered(request, fault, 200, {"id": number})

    async def _templates(self, request: web.Request) -> web.StreamResponse:
        """The account's templates, or one more."""
        fault, raw = self._next_fault(), await request.read()
        try:
            self._let_in(request)
            if fault is not None and not fault.accepts:
                return await self._answered(request, fault, 200, {})
            answer = self.account.listed(request) if request.method == "GET" else self.account.proposed(request, raw)
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        return await self._answered(request, fault, 200, answer)

    async def _about_number(self, request: web.Request) -> web.StreamResponse:
        """The fields of the number that are asked for."""
        fault = self._next_fault()
        try:
            self._let_in(request)
            if fault is not None and not fault.accepts:
                return await self._answered(request, fault, 200, {})
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        wanted = request.query.get("fields", "").split(",")
        known = {"display_phone_number": "+55 41 3000-0000", "verified_name": "Loja", **self.about}
        answer = {"id": self.phone_number_id} | {name: known[name] for name in wanted if name in known}
        return await self._answered(request, fault, 200, answer)

    async def _about_file(self, request: web.Request) -> web.StreamResponse:
        """What a media id is good for: an address for a few minutes."""
        fault, media_id = self._next_fault(), request.match_info["media_id"]
        try:
            self._let_in(request)
            if media_id not in self.files:
                raise GraphError(100, f"Object with ID '{media_id}' does not exist")
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        file = self.files[media_id]
        about = {
            "messaging_product": "whatsapp",
            "id": media_id,
            "url": file.url or f"{self.base_url}/files/{media_id}",
            "mime_type": file.mime,
            "file_size": len(file.content) if file.size is None else file.size,
        }
        return await self._answered(request, fault, 200, about)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        try:
            self._let_in(request)
        except GraphError as error:
            return web.json_response(error.body(), status=error.status)
        file = self.files[request.match_info["media_id"]]
        if file.moved is not None:
            return web.Response(status=302, headers={"Location": file.moved})
        if file.endless:
            stream = web.StreamResponse(headers={"Content-Type": file.mime})
            await stream.prepare(request)
            with contextlib.suppress(ConnectionError):
                while not self._stopping.is_set():
                    await stream.write(file.content)
            return stream
        return web.Response(body=file.content, headers={"Content-Type": file.mime})

    def _let_in(self, request: web.Request) -> None:
        if request.headers.get("Authorization") != f"Bearer {self.access_token}":
            raise GraphError(190, "Error validating access token", 401)

    def _checked(self, request: web.Request, raw: bytes) -> Mapping[str, Any]:
        self._let_in(request)
        if request.match_info["phone_number_id"] != self.phone_number_id:
            raise GraphError(100, "Unsupported post request. Object does not exist")
        try:
            body = json.loads(raw)
        except ValueError:
            raise GraphError(100, "The body is not JSON") from None
        self.calls.append(body)
        return body if isinstance(body, dict) else {}

    def _keep_limits(self, to: str, body: Mapping[str, Any]) -> None:
        if self.clock is None:
            return
        now = self.clock()
        if body["type"] != "template" and now - self._heard.get(to, now - 2 * DAY) > DAY:
            raise GraphError(131047, "Re-engagement message")
        if now - self._last_send.get(to, now - DAY) < self.pair_interval_ms:
            raise GraphError(131056, "(Business Account, Consumer Account) pair rate limit hit", 429)
        self._last_send[to] = now

    def signed(self, body: Mapping[str, object], *, ascii_only: bool = True) -> tuple[bytes, dict[str, str]]:
        """The bytes of a webhook and the header that proves them."""
        raw = json.dumps(body, ensure_ascii=ascii_only, separators=(",", ":")).encode()
        return raw, self.proof(raw)

    def proof(self, raw: bytes) -> dict[str, str]:
        """The header that proves these bytes."""
        signature = hmac.new(self.app_secret.encode(), raw, hashlib.sha256).hexdigest()
        return {"X-Hub-Signature-256": f"sha256={signature}"}

    async def emit(self, url: str, body: Mapping[str, object]) -> int:
        """Post a signed webhook; the status of the answer."""
        raw, headers = self.signed(body)
        return await self._post(url, raw, headers)

    def webhook(self, **value: object) -> dict[str, object]:
        """A body with one change of the field `messages`."""
        metadata = {"display_phone_number": self.number, "phone_number_id": self.phone_number_id}
        change = {"field": "messages", "value": {"messaging_product": "whatsapp", "metadata": metadata, **value}}
        return {"object": "whatsapp_business_account", "entry": [{"id": "200000000000001", "changes": [change]}]}

    def text_from(self, person: str, text: str, message_id: str, at: int, name: str = "Lead Um") -> dict[str, object]:
        """A lead's text; `at` is in milliseconds."""
        contact = {"profile": {"name": name}, "wa_id": person}
        message = {
            "from": person,
            "id": message_id,
            "timestamp": str(at // 1000),
            "type": "text",
            "text": {"body": text},
        }
        return self.webhook(contacts=[contact], messages=[message])

    def status_of(self, sent: Sent, status: str, at: int, code: int | None = None) -> dict[str, object]:
        """News of a sent message, with the callback data that came with it."""
        news: dict[str, object] = {
            "id": sent.id,
            "status": status,
            "timestamp": str(at // 1000),
            "recipient_id": sent.to,
        }
        if sent.callback_data is not None:
            news["biz_opaque_callback_data"] = sent.callback_data
        if code is not None:
            news["errors"] = [{"code": code, "title": f"code {code}"}]
        return self.webhook(statuses=[news])
