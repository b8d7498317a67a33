"""Evolution API v2 (a gateway to WhatsApp on a telephone's session) as a channel."""

# ruff: noqa: ARG002 - the protocol asks every implementation for the same arguments, needed or not

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.channels.evolution_content import content
from engine.adapters.channels.evolution_media import download
from engine.adapters.channels.evolution_parse import items
from engine.adapters.channels.protocol import (
    Capabilities,
    ChannelConfig,
    FileOf,
    Outgoing,
    SendResult,
    accepted,
    exchange,
    read_answer,
    refused,
    retry,
    unknown,
    without_answer,
)
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.media import Media
from engine.adapters.reading import digits, mapping, name, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import SECOND, Millis
from engine.core.inbound import Parsed

_SECRET_KEYS = ("apikey", "api_key")
_FILE_KEY = "base64"
"""A file that came along; it is kept as the message's file, and not in the body once more."""
_CLOCK_SLACK = 5 * SECOND
_MIME = {"image": "image/jpeg", "video": "video/mp4", "document": "application/pdf"}


class Evolution:
    """See Channel. Settings: instance, base_url, number. Secret: api_key."""

    kind = "evolution"
    capabilities = Capabilities(idempotent=False, correlates=False, lookup=True, window=False, choices=False)

    def verify(self, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> None:
        """Nothing to check: the gateway signs nothing, the secret token in the address is the proof (S2)."""

    def handshake(self, config: ChannelConfig, query: Mapping[str, str]) -> str | None:
        """There is no handshake."""
        return None

    def parse(self, config: ChannelConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """All items; the gateway's key, which every body carries, is taken out and never kept."""
        kept, taken = storable(body, without=(*_SECRET_KEYS, _FILE_KEY))
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
        text = _text(outgoing)
        body: dict[str, object] = {"number": number}
        if (media := outgoing.media) is not None and media.kind == "audio":
            path = "sendWhatsAppAudio"
            body["audio"] = media.url
        elif media is not None:
            path = "sendMedia"
            body |= {"mediatype": media.kind, "mimetype": _MIME.get(media.kind, ""), "media": media.url}
            body |= {"caption": media.caption or text, "fileName": _file_name(media.url)}
        elif text:
            path = "sendText"
            body |= {"text": text, "linkPreview": False}
        else:
            return refused("content", "nothing_to_send")
        if outgoing.reply_to:
            body["quoted"] = {"key": {"id": outgoing.reply_to}}
        return _call(config, f"message/{path}", body)

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
        first = message[0] if isinstance(message, list) and message else message
        return refused("account" if status in {401, 403, 404} else "content", name(first), status)

    async def send(self, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
        """One attempt."""
        return await exchange(self, http, config, outgoing)

    async def lookup(self, http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis) -> str | None:
        """Ask the gateway's own store for a message of ours with the same text to the same chat."""
        text = _text(outgoing)
        to = outgoing.to
        jid = to.lid if to.phone is None else f"{to.phone}@s.whatsapp.net"
        where = {"key": {"fromMe": True, "remoteJid": jid}}
        try:
            answer = await http.request(_call(config, "chat/findMessages", {"where": where, "offset": 20, "page": 1}))
        except (NotSent, AnswerLost):
            return None
        if answer.status != 200:
            return None
        found = mapping(mapping(read_answer(answer.body)).get("messages")).get("records")
        for record in map(mapping, objects(found)):
            key, at = mapping(record.get("key")), to_millis(record.get("messageTimestamp"))
            ours = key.get("fromMe") is True and at is not None and at >= since - _CLOCK_SLACK
            if ours and (content(record.get("message")).text or "") == text:
                return word(key.get("id"))
        return None

    async def download(self, http: Transport, config: ChannelConfig, message: FileOf, limit: int) -> Media:
        """By the id of the message, which the gateway has kept."""
        return await download(http, lambda path, body: _call(config, path, body), message, limit)


def _call(config: ChannelConfig, path: str, body: Mapping[str, object]) -> HttpRequest:
    base = config.settings.get("base_url", "").rstrip("/")
    return HttpRequest(
        method="POST",
        url=f"{base}/{path}/{config.settings.get('instance', '')}",
        headers={"apikey": config.secrets.get("api_key", "")},
        json=body,
        trusted=True,
    )


def _text(outgoing: Outgoing) -> str:
    """The words, with the titles of buttons or rows as numbered lines under them."""
    menu_rows = outgoing.menu.rows if outgoing.menu is not None else ()
    titles = [button.title for button in outgoing.buttons] or [row.title for row in menu_rows]
    lines = [f"{position}. {title}" for position, title in enumerate(titles, start=1)]
    return "\n\n".join(part for part in (outgoing.text or "", "\n".join(lines)) if part)


def _file_name(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2] or "arquivo"
