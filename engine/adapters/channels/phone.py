"""The built-in phone: a channel that is a page of the product, so that a flow can be tried without WhatsApp."""

# ruff: noqa: ARG002 - the protocol asks every implementation for the same arguments, needed or not

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.channels.protocol import (
    Capabilities,
    ChannelConfig,
    Outgoing,
    SendResult,
    accepted,
    refused,
    without_answer,
)
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.media import FileOf, Media, MediaRefused
from engine.adapters.reading import digits, name, word, words
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import Item, Message, Parsed, Person, Unknown


class BuiltInPhone:
    """See Channel. Nothing leaves: the outbox row is what the page shows."""

    kind = "phone"
    capabilities = Capabilities(idempotent=True, correlates=True, lookup=False, window=False)

    def verify(self, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> None:
        """Nothing to prove here: the page's own route has checked the user."""

    def handshake(self, config: ChannelConfig, query: Mapping[str, str]) -> str | None:
        """There is no handshake."""
        return None

    def parse(self, config: ChannelConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """One message of the page: `{id, contact, name?, text?, button_id?, at?}`; a button's title is its text."""
        return Parsed((_message(body, received_at),), storable(body)[0])

    def request(self, config: ChannelConfig, outgoing: Outgoing) -> HttpRequest | SendResult:
        """Taken at once."""
        if not (outgoing.text or outgoing.template or outgoing.media):
            return refused("content", "nothing_to_send")
        return accepted(f"phone-{outgoing.outbox_id}")

    def answer(self, status: int | None, body: Mapping[str, object] | None, problem: str | None) -> SendResult:
        """There is no answer to read."""
        return without_answer(problem)

    async def send(self, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
        """Taken at once."""
        result = self.request(config, outgoing)
        return result if isinstance(result, SendResult) else without_answer(None)

    async def lookup(
        self, http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis
    ) -> tuple[str, ...]:
        """Every send arrives."""
        return (f"phone-{outgoing.outbox_id}",)

    async def progress(self, http: Transport, config: ChannelConfig, provider_id: str) -> str | None:
        """There is no further than the page."""
        return None

    async def download(self, http: Transport, config: ChannelConfig, message: FileOf, limit: int) -> Media:
        """The page sends no files."""
        raise MediaRefused("no_file")


def _message(body: Mapping[str, object], received_at: Millis) -> Item:
    provider_id, phone = word(body.get("id")), digits(body.get("contact"))
    if provider_id is None or phone is None:
        return Unknown(reason="unreadable_shape", name="phone")
    text, marks = words(body.get("text"))
    button = word(body.get("button_id"))
    return Message(
        provider_id=provider_id,
        person=Person(phone=phone, name=name(body.get("name"))),
        at=to_millis(body.get("at")) or received_at,
        kind="button" if button else "text",
        text=text,
        button_id=button,
        marks=marks,
    )
