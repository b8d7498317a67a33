"""What every channel can do, and the vocabulary of sending."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from engine.adapters.bodies import object_in
from engine.adapters.http import MAX_ANSWER, HttpRequest, Transport
from engine.adapters.media import FileOf, Media
from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import Millis
from engine.core.inbound import Parsed

ErrorClass: TypeAlias = Literal[
    "window",
    "stop_marketing",
    "marketing_limit",
    "contact",
    "template",
    "template_off",
    "account",
    "content",
    "rate",
    "pair_rate",
    "server",
]
"""Who must do something about it: the engine (window, rate, pair_rate, server), a marketer (template: what the letter put into it;
template_off: the template itself; content), an admin (account), or nobody, because the person does not want it
(stop_marketing), the platform spares the person (marketing_limit), or the person cannot have it (contact)."""

Problem: TypeAlias = Literal["not_sent", "answer_lost"]
"""Why there is no HTTP answer: the request certainly never arrived, or nobody knows."""


CLOSED = "connection_closed"
"""The detail of a result whose message stayed because the channel's own connection is down."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a channel offers against the unknown outcome of a send, and whether it has a 24-hour window (R28).

    idempotent: repeating a send with the same id is harmless. correlates: statuses carry our outbox id.
    lookup: it can be asked for what it sent. paced: its platform refuses who speaks too fast. choices: it has buttons
    and lists; where not, they are numbered lines of the text.
    """

    idempotent: bool
    correlates: bool
    lookup: bool
    window: bool
    paced: bool = False
    choices: bool = True


@dataclass(frozen=True, slots=True)
class ChannelConfig:
    """One configured channel. `settings` and `secrets` have the keys of `trilho channel add` as texts."""

    id: int
    kind: str
    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Recipient:
    """The person as the channel knows them; at least one is set."""

    phone: str | None = None
    lid: str | None = None
    bsuid: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingTemplateButton:
    """What one button of a template is given: what it sends back, the end of its address, or nothing."""

    payload: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingTemplate:
    """An approved template; `params` are the texts of its body in order, `header` what its head is given."""

    name: str
    language: str
    params: tuple[str, ...] = ()
    header: "str | OutgoingMedia | None" = None
    buttons: tuple[OutgoingTemplateButton, ...] = ()


@dataclass(frozen=True, slots=True)
class OutgoingButton:
    """A reply button."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class OutgoingRow:
    """A row of a menu."""

    id: str
    title: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingMenu:
    """A list that opens with the button `title`."""

    title: str
    rows: tuple[OutgoingRow, ...]


@dataclass(frozen=True, slots=True)
class OutgoingMedia:
    """A file. `kind` is image, audio, video or document; `url` is its address, or the number under which the platform
    has it already. One of ours has no address: `file` is its number here, and before it leaves `content` are its bytes,
    `mime` what they are and `name` what it is called.
    """

    kind: str
    url: str
    caption: str | None = None
    file: int | None = None
    content: bytes | None = field(default=None, repr=False)
    mime: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One message ready to leave: words chosen, values filled in, short enough. `reply_to` is a provider's id."""

    outbox_id: int
    to: Recipient
    text: str | None = None
    template: OutgoingTemplate | None = None
    buttons: tuple[OutgoingButton, ...] = ()
    menu: OutgoingMenu | None = None
    media: OutgoingMedia | None = None
    reply_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendResult:
    """What became of one attempt.

    accepted: it has a `provider_id`. refused: certainly not sent, and repeating changes nothing. retry: certainly
    not sent, may be tried again after `delay_ms * growth ** earlier attempts`. unknown: nobody can say.
    """

    outcome: Literal["accepted", "refused", "retry", "unknown"]
    provider_id: str | None = None
    code: int | None = None
    detail: str | None = None
    error_class: ErrorClass | None = None
    delay_ms: Millis | None = None
    growth: int = 1


def accepted(provider_id: str) -> SendResult:
    """The platform took it."""
    return SendResult(outcome="accepted", provider_id=provider_id)


def refused(error_class: ErrorClass, detail: str | None = None, code: int | None = None) -> SendResult:
    """The platform said no, or we know that it would."""
    return SendResult(outcome="refused", error_class=error_class, detail=detail, code=code)


def retry(
    error_class: ErrorClass, delay_ms: Millis, detail: str | None = None, code: int | None = None, growth: int = 2
) -> SendResult:
    """Not sent; later it may be."""
    return SendResult(
        outcome="retry", error_class=error_class, delay_ms=delay_ms, detail=detail, code=code, growth=growth
    )


def unknown(detail: str, code: int | None = None) -> SendResult:
    """Perhaps sent."""
    return SendResult(outcome="unknown", detail=detail, code=code)


def without_answer(problem: str | None) -> SendResult:
    """The result of a call that has no HTTP answer."""
    if problem == "not_sent":
        return retry("server", 2_000, problem)
    return unknown(problem or "no_answer")


class Channel(Protocol):
    """A way to talk with leads. Everything but `send`, `lookup`, `progress` and `download` is pure."""

    @property
    def kind(self) -> str:
        """The name that configurations use."""

    @property
    def capabilities(self) -> Capabilities:
        """What the channel offers."""

    def verify(self, config: ChannelConfig, headers: Mapping[str, str], raw: bytes) -> None:
        """Return when the sender of a webhook has proved who it is; raise BadSignature otherwise (S1)."""

    def handshake(self, config: ChannelConfig, query: Mapping[str, str]) -> str | None:
        """What a GET of the webhook address must answer, None when it may not be answered."""

    def parse(self, config: ChannelConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """Everything a body says. Never raises: what cannot be read becomes an Unknown (R20)."""

    def request(self, config: ChannelConfig, outgoing: Outgoing) -> HttpRequest | SendResult:
        """The call that sends the message, or the result where it is known without a call."""

    def answer(self, status: int | None, body: Mapping[str, object] | None, problem: str | None) -> SendResult:
        """What an answer means; without one `status` is None and `problem` a Problem."""

    async def send(self, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
        """Make the call once and say what became of it. Never raises for anything the network does."""

    async def lookup(
        self, http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis
    ) -> tuple[str, ...]:
        """The provider's ids of messages that may be this one, sent after `since`; none when that cannot be shown."""

    async def progress(self, http: Transport, config: ChannelConfig, provider_id: str) -> str | None:
        """How far a message came that the provider took, as a status of Status; None when that cannot be told."""

    async def download(self, http: Transport, config: ChannelConfig, message: FileOf, limit: int) -> Media:
        """The file of a lead's message, at most `limit` bytes. Raises MediaRefused."""


async def exchange(channel: Channel, http: Transport, config: ChannelConfig, outgoing: Outgoing) -> SendResult:
    """Build, call once, classify: what `send` is on every channel that speaks HTTP."""
    request = channel.request(config, outgoing)
    if isinstance(request, SendResult):
        return request
    try:
        answer = await http.request(request)
    except NotSent:
        return channel.answer(None, None, "not_sent")
    except AnswerLost:
        return channel.answer(None, None, "answer_lost")
    return channel.answer(answer.status, object_in(answer.body, MAX_ANSWER), None)
