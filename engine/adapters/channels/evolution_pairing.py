"""The instance of an Evolution gateway: how its connection is, its QR code, and where it posts its news."""

import base64
import binascii
from collections.abc import Mapping

from engine.adapters.bodies import object_in
from engine.adapters.channels.evolution import PROOF_HEADER
from engine.adapters.channels.evolution_calls import get, post, post_globally
from engine.adapters.channels.pairing import Link
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import MAX_ANSWER, HttpRequest, Transport
from engine.adapters.proofs import same
from engine.adapters.reading import mapping, name, number, word
from engine.core.errors import AnswerLost, NotSent

EVENTS = (
    "QRCODE_UPDATED",
    "CONNECTION_UPDATE",
    "MESSAGES_UPSERT",
    "MESSAGES_EDITED",
    "MESSAGES_UPDATE",
    "MESSAGES_DELETE",
    "SEND_MESSAGE",
)
"""What we want to hear of. Only names that every version takes: one that it does not know refuses the whole setting."""
_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST_QR = 256 * 1024
_STATES = {401: "unauthorized", 403: "unauthorized", 404: "missing"}


class EvolutionPairing:
    """See Pairing."""

    async def state(self, http: Transport, config: ChannelConfig) -> Link:
        """Ask for the state alone."""
        return await _asked(http, get(config, "instance/connectionState"))

    async def code(self, http: Transport, config: ChannelConfig) -> Link:
        """Ask for the code of a connection that is being made; a closed one would be opened by the same question."""
        there = await self.state(http, config)
        return await self._begun(http, config) if there.state == "connecting" else there

    async def connect(
        self, http: Transport, config: ChannelConfig, address: str, secret: str, number: str | None
    ) -> tuple[Link, bool]:
        """Create what is missing, set the webhook, connect."""
        webhook = {
            "enabled": True,
            "url": address,
            "headers": {PROOF_HEADER: secret},
            "byEvents": False,
            "base64": False,
            "events": list(EVENTS),
        }
        there = await self.state(http, config)
        if there.state == "missing":
            made = await _created(http, config, webhook)
            if made is not None:
                return made, False
        elif there.state in ("unauthorized", "unreached"):
            return there, False
        promised = await _promised(http, config, webhook, secret) or await _promised(http, config, webhook, secret)
        return await self._begun(http, config, number), promised

    async def _begun(self, http: Transport, config: ChannelConfig, number: str | None = None) -> Link:
        query = {"number": number} if number else {}
        return await _asked(http, get(config, "instance/connect", **query), otherwise="connecting")


async def _asked(http: Transport, request: HttpRequest, otherwise: str = "close") -> Link:
    """The answer to a question about the connection; `otherwise` is the state when the answer names none."""
    status, body = await _answer(http, request)
    if status is None:
        return Link(state="unreached")
    if status != 200 or body.get("error") is True:
        return Link(state=_STATES.get(status, "unreached"), detail=_said(body))
    inside = mapping(body.get("instance"))
    code = {**mapping(body.get("qrcode")), **body}
    return Link(
        state=word(inside.get("state")) or word(inside.get("status")) or otherwise,
        qr=_picture(code.get("base64")),
        pairing_code=word(code.get("pairingCode")),
        count=number(code.get("count")),
    )


async def _created(http: Transport, config: ChannelConfig, webhook: Mapping[str, object]) -> Link | None:
    """Make the instance; why that failed, or None."""
    wanted = {
        "instanceName": config.settings.get("instance", ""),
        "integration": "WHATSAPP-BAILEYS",
        "qrcode": False,
        "webhook": webhook,
    }
    status, body = await _answer(http, post_globally(config, "instance/create", wanted))
    if status is None:
        return Link(state="unreached")
    # 403 here is a name that somebody else has taken meanwhile.
    return (
        None if 200 <= status < 300 else Link(state="unauthorized" if status == 401 else "missing", detail=_said(body))
    )


async def _promised(http: Transport, config: ChannelConfig, webhook: Mapping[str, object], secret: str) -> bool:
    """Set the webhook; whether the answer shows that the secret was kept. Some versions keep it from the second time
    on, and some never.
    """
    status, body = await _answer(http, post(config, "webhook/set", {"webhook": webhook}))
    kept = mapping(body.get("headers")) or mapping(mapping(body.get("webhook")).get("headers"))
    return status in (200, 201) and same(word(kept.get(PROOF_HEADER)) or "", secret)


async def _answer(http: Transport, request: HttpRequest) -> tuple[int | None, Mapping[str, object]]:
    try:
        answer = await http.request(request)
    except (NotSent, AnswerLost):
        return None, {}
    return answer.status, mapping(object_in(answer.body, MAX_ANSWER))


def _said(body: Mapping[str, object]) -> str | None:
    message = mapping(body.get("response")).get("message") or body.get("message")
    return name(message[0] if isinstance(message, list) and message else message)


def _picture(data: object) -> bytes | None:
    """The image of a data address, if it is a PNG of a sensible size."""
    encoded = data.partition(",")[2] if isinstance(data, str) and data.startswith("data:image/png;base64,") else ""
    try:
        found = base64.b64decode(encoded[: 2 * _LARGEST_QR], validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if found.startswith(_PNG) and len(found) <= _LARGEST_QR else None
