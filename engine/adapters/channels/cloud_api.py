"""The WhatsApp Cloud API as a channel: proof of the sender, and messages into Graph calls."""

# ruff: noqa: ARG002 - the protocol asks every implementation for the same arguments, needed or not

from collections.abc import Mapping
from dataclasses import replace

from engine.adapters.bodies import storable
from engine.adapters.channels.cloud_address import bearer, root
from engine.adapters.channels.cloud_content import content
from engine.adapters.channels.cloud_errors import classify
from engine.adapters.channels.cloud_media import download
from engine.adapters.channels.cloud_parse import items
from engine.adapters.channels.cloud_upload import handed_over
from engine.adapters.channels.protocol import (
    Capabilities,
    ChannelConfig,
    Outgoing,
    SendResult,
    accepted,
    exchange,
    refused,
    unknown,
    without_answer,
)
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.media import FileOf, Media
from engine.adapters.proofs import header, in_rotation, matches, require_hmac_sha256
from engine.adapters.reading import digits, mapping, objects, word
from engine.core.flow import Millis
from engine.core.inbound import Parsed


class CloudApi:
    """See Channel. Settings: phone_number_id, base_url, number. Secrets: app_secret, verify_token, access_token."""

    kind = "whatsapp_cloud"
    capabilities = Capabilities(idempotent=False, correlates=True, lookup=False, window=True, paced=True)

    def verify(self, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> None:
        """HMAC-SHA256 of the bytes as received; two app secrets with a comma between them while one is replaced."""
        given = header(headers, "X-Hub-Signature-256")
        require_hmac_sha256(given, config.secrets.get("app_secret", ""), raw, prefix="sha256=")

    def handshake(self, config: ChannelConfig, query: Mapping[str, str]) -> str | None:
        """The challenge, when the right token asks for a subscription."""
        known = matches(query.get("hub.verify_token", ""), in_rotation(config.secrets.get("verify_token", "")))
        return query.get("hub.challenge") if known and query.get("hub.mode") == "subscribe" else None

    def parse(self, config: ChannelConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """All items of the body."""
        own_id, own_number = config.settings.get("phone_number_id"), digits(config.settings.get("number"))
        return Parsed(tuple(items(body, own_id, own_number, received_at)), storable(body)[0])

    def request(self, config: ChannelConfig, outgoing: Outgoing) -> HttpRequest | SendResult:
        """The Graph call; the outbox id travels as callback data and comes back with every status."""
        said = content(outgoing)
        if said is None:
            return refused("content", "nothing_to_send")
        if outgoing.to.phone is None and outgoing.to.bsuid is None:
            return refused("contact", "no_recipient")
        recipient = {"to": outgoing.to.phone} if outgoing.to.phone else {"recipient": outgoing.to.bsuid}
        context = {"context": {"message_id": outgoing.reply_to}} if outgoing.reply_to else {}
        return HttpRequest(
            method="POST",
            url=f"{root(config)}/{config.settings.get('phone_number_id', '')}/messages",
            headers=bearer(config),
            json={
                "messaging_product": "whatsapp",
                "recipient_type": "individual",
                **recipient,
                **context,
                **said,
                "biz_opaque_callback_data": f"outbox:{outgoing.outbox_id}",
            },
            trusted=True,
        )

    def answer(self, status: int | None, body: Mapping[str, object] | None, problem: str | None) -> SendResult:
        """200 with an id is acceptance, not delivery; errors are told apart by the platform's own code."""
        if status is None:
            return without_answer(problem)
        provider_id = word(mapping(next(iter(objects(mapping(body).get("messages"))), None)).get("id"))
        if 200 <= status < 300:
            return accepted(provider_id) if provider_id else unknown("no_id_in_answer")
        return classify(status, mapping(mapping(body).get("error")))

    async def send(self, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
        """One attempt; a file of ours is handed to the platform first, and until then certainly nothing was sent."""
        if outgoing.media is not None and outgoing.media.file is not None:
            handed = await handed_over(http, config, outgoing.media)
            if isinstance(handed, SendResult):
                return handed
            outgoing = replace(outgoing, media=handed)
        return await exchange(self, http, config, outgoing)

    async def lookup(
        self, http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis
    ) -> tuple[str, ...]:
        """The platform cannot be asked; a status with our callback data is its only proof."""
        return ()

    async def progress(self, http: Transport, config: ChannelConfig, provider_id: str) -> str | None:
        """Nor can it be asked about a message that it took."""
        return None

    async def download(self, http: Transport, config: ChannelConfig, message: FileOf, limit: int) -> Media:
        """By the platform's own id of the file."""
        return await download(http, config, message.media, limit)
