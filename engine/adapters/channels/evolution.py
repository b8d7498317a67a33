"""Evolution API v2 (a gateway to WhatsApp on a telephone's session) as a channel."""

# ruff: noqa: ARG002 - the protocol asks every implementation for the same arguments, needed or not

import re
from base64 import b64encode
from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.channels.evolution_asking import progress_of, sent_like
from engine.adapters.channels.evolution_calls import post
from engine.adapters.channels.evolution_media import download
from engine.adapters.channels.evolution_parse import items
from engine.adapters.channels.protocol import (
    CLOSED,
    Capabilities,
    ChannelConfig,
    Outgoing,
    OutgoingMedia,
    SendResult,
    accepted,
    exchange,
    refused,
    retry,
    unknown,
    without_answer,
)
from engine.adapters.channels.rendition import rendition
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.media import FileOf, Media
from engine.adapters.proofs import header, require_shared
from engine.adapters.reading import digits, mapping, name, objects, word
from engine.core.flow import SECOND, Millis
from engine.core.inbound import Parsed

PROOF_HEADER = "X-Trilho-Secret"
"""What our own webhook settings at the gateway add to every post, so that a known address alone opens nothing."""
_SECRET_KEYS = ("apikey", "api_key")
_LINK_KEYS = ("code", "pairingCode")
"""What of a QR code's news, besides its picture, links a telephone to the number: whoever has it for the next minute has
the number."""
_FAILED = re.compile(r"\w*Error\b")
"""How the gateway writes down what one of its own parts threw."""
_FILE_KEY = "base64"
"""A file that came along; it is kept as the message's file, and not in the body once more."""
_MIME = {"image": "image/jpeg", "video": "video/mp4", "document": "application/pdf"}


class Evolution:
    """See Channel. Settings: instance, base_url, number. Secrets: api_key, and webhook_secret if posts must prove it."""

    kind = "evolution"
    capabilities = Capabilities(idempotent=False, correlates=False, lookup=True, window=False, choices=False)

    def verify(self, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> None:
        """The gateway signs nothing: the secret token in the address is the proof (S2), and where a secret is
        configured, the header with it that the gateway was told to send.
        """
        if secret := config.secrets.get("webhook_secret"):
            require_shared(header(headers, PROOF_HEADER), secret)

    def handshake(self, config: ChannelConfig, query: Mapping[str, str]) -> str | None:
        """There is no handshake."""
        return None

    def parse(self, config: ChannelConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """All items; the gateway's key, which every body carries, is taken out and never kept."""
        about_link = "qrcode" in (word(body.get("event")) or "").lower()
        kept, taken = storable(body, without=(*_SECRET_KEYS, _FILE_KEY, *(_LINK_KEYS if about_link else ())))
        removed = [key for key in taken if key != _FILE_KEY]
        marks: Mapping[str, object] = {"redacted": removed} if removed else {}
        own_number = digits(config.settings.get("number"))
        found = items(body, config.settings.get("instance"), own_number, marks, received_at)
        return Parsed(tuple(found), kept)

    def request(self, config: ChannelConfig, outgoing: Outgoing) -> HttpRequest | SendResult:
        """The call. There are no templates here, and no reliable buttons: choices become numbered lines."""
        number = outgoing.to.phone or outgoing.to.lid
        if number is None:
            return refused("contact", "no_recipient")
        if outgoing.media is not None and outgoing.media.file is not None and outgoing.media.content is None:
            return refused("content", "file_gone")
        text = rendition(outgoing)
        body: dict[str, object] = {"number": number}
        if (media := outgoing.media) is not None and media.kind == "audio":
            path = "sendWhatsAppAudio"
            body["audio"] = _bytes_or_address(media)
        elif media is not None:
            path, mime = "sendMedia", media.mime or _MIME.get(media.kind, "")
            body |= {"mediatype": media.kind, "mimetype": mime, "media": _bytes_or_address(media)}
            body |= {"caption": text, "fileName": media.name or _file_name(media.url)}
        elif text:
            path = "sendText"
            body |= {"text": text, "linkPreview": False}
        else:
            return refused("content", "nothing_to_send")
        if outgoing.reply_to:
            body["quoted"] = {"key": {"id": outgoing.reply_to}}
        return post(config, f"message/{path}", body)

    def answer(self, status: int | None, body: Mapping[str, object] | None, problem: str | None) -> SendResult:
        """201 with a key is acceptance; a 4xx counts as refused only in the gateway's own form."""
        if status is None:
            return without_answer(problem)
        provider_id = word(mapping(mapping(body).get("key")).get("id"))
        if 200 <= status < 300:
            return accepted(provider_id) if provider_id else unknown("no_id_in_answer")
        if status == 429:
            return retry("rate", 5 * SECOND, code=status)
        said = mapping(body).get("response") or mapping(body).get("error") or mapping(body).get("message")
        if not 400 <= status < 500 or said is None:
            return unknown(f"http_{status}", status)
        message = mapping(said).get("message", said)
        if any(mapping(one).get("exists") is False for one in objects(message)):
            return refused("contact", "not_on_whatsapp", status)
        first = name(message[0] if isinstance(message, list) and message else message)
        if first is not None and _FAILED.match(first):
            # A failure in the middle of sending comes as 400 too: only a closed connection certainly sent nothing.
            return (
                retry("server", 5 * SECOND, CLOSED, status)
                if "Connection Closed" in first
                else unknown("gateway_failed", status)
            )
        return refused("account" if status in {401, 403, 404} else "content", first, status)

    async def send(self, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
        """One attempt."""
        return await exchange(self, http, config, outgoing)

    async def lookup(
        self, http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis
    ) -> tuple[str, ...]:
        """Ask the gateway's own store for messages of ours with the same content to the same person."""
        return await sent_like(http, config, outgoing, since)

    async def progress(self, http: Transport, config: ChannelConfig, provider_id: str) -> str | None:
        """Ask the gateway's own store what became of a message that it took."""
        return await progress_of(http, config, provider_id)

    async def download(self, http: Transport, config: ChannelConfig, message: FileOf, limit: int) -> Media:
        """By the id of the message, which the gateway has kept."""
        return await download(http, lambda path, body: post(config, path, body), message, limit)


def _bytes_or_address(media: OutgoingMedia) -> str:
    """A file of ours goes along as base64, as the gateway takes it; any other is an address."""
    return media.url if media.content is None else b64encode(media.content).decode()


def _file_name(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2] or "arquivo"
