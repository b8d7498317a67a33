"""What a channel or a payment platform may tell us, whatever its format: the vocabulary of intake.

Adapters parse a body into these; services give each exactly one outcome (R21, R29). Times are milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core.flow import Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Every name by which a source calls one person; at least one is set unless a payment names nobody.

    `phone` is digits with country code as received, `lid` and `bsuid` are whole (`900…@lid`, `BR.…`).
    """

    phone: str | None = None
    lid: str | None = None
    bsuid: str | None = None
    name: str | None = None
    email: str | None = None
    reference: str | None = None
    """The tracking code that our own links carry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A lead's message. `kind`: text, audio, image, video, document, sticker, location, contacts, button, list,
    order, unavailable (the platform could not deliver the content), unknown. `media` holds the platform's own id, mime
    type and so on, `file` the bytes where the platform sent them along. `marks` go to the log as they are (`sanitised`,
    `redacted`, and `referral`: the advert's source_type, source_id, headline and ctwa_clid, as far as they are known).
    """

    provider_id: str
    person: Person
    at: Millis
    kind: str
    text: str | None = None
    button_id: str | None = None
    reply_to: str | None = None
    media: Mapping[str, object] = field(default_factory=dict)
    marks: Mapping[str, object] = field(default_factory=dict)
    file: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """News of a message that we sent: sent, delivered, read, played, failed, pending. `correlation` is what we
    put into the send. `ours` is None where the platform does not say who sent the message.
    """

    provider_id: str
    status: str
    at: Millis
    correlation: str | None = None
    code: int | None = None
    detail: str | None = None
    person: Person | None = None
    ours: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A message that our own number sent, seen from outside: by a person on the phone, or by our own call."""

    provider_id: str
    person: Person
    at: Millis
    text: str | None = None
    kind: str = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A message was edited; `text` is None when the new content cannot be read."""

    target_id: str
    at: Millis
    text: str | None = None
    person: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """A message was deleted for everyone."""

    target_id: str
    at: Millis
    person: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """An emoji on a message; `emoji` is None when it was taken away."""

    provider_id: str
    target_id: str
    person: Person
    at: Millis
    emoji: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChange:
    """A person has a new number or id; `person` is who it was, `new` who it is."""

    provider_id: str
    person: Person
    new: Person
    at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The channel's own stop or resume button (R75)."""

    provider_id: str
    person: Person
    at: Millis
    stop: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelNews:
    """Something about the channel itself: `reason` is connection, channel_throttled, channel_error, qr, account,
    quality, template. News of a template name it and its language.
    """

    reason: str
    at: Millis
    state: str | None = None
    code: int | None = None
    detail: str | None = None
    template: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Readable, and on purpose not for us: broadcast, group, self_chat, presence… (R21)."""

    reason: str
    provider_id: str | None = None
    at: Millis | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Readable but of a kind or shape that nobody taught us: kept whole for an operator (R20)."""

    reason: str
    name: str | None = None


OUTCOMES = ("approved", "refused", "pix", "boleto", "abandoned", "refunded", "charged_back", "expired")
"""What a payment can have come to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """A payment platform's notice. `outcome` is one of OUTCOMES. `business_key` is platform:transaction:outcome (R34),
    None where there is no transaction (a cart). `ask` is what the platform can be asked for (see Inquiry) when nobody is
    known by the names that it gave.
    """

    event_id: str
    platform: str
    outcome: str
    at: Millis
    person: Person
    transaction: str | None = None
    product: str | None = None
    amount_cents: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)
    ask: Mapping[str, object] | None = None

    @property
    def business_key(self) -> str | None:
        """What makes two notices the same news."""
        return f"{self.platform}:{self.transaction}:{self.outcome}" if self.transaction else None

    @property
    def purchase_keys(self) -> tuple[str, ...]:
        """The business keys of everything that may be told of the same purchase; none without a transaction."""
        return purchase_keys(self.business_key)


def purchase_keys(business_key: str | None) -> tuple[str, ...]:
    """The keys that news of the same purchase may have, from one of them."""
    return tuple(f"{business_key.rpartition(':')[0]}:{each}" for each in OUTCOMES) if business_key else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A notice that something happened and not what: the platform has to be asked before money moves (R34).

    `about` is what its adapter needs for that, in JSON types.
    """

    provider_id: str
    at: Millis
    about: Mapping[str, object]


Item: TypeAlias = (
    Message
    | Status
    | Echo
    | Edit
    | Deletion
    | Reaction
    | NumberChange
    | Consent
    | ChannelNews
    | Ignored
    | Unknown
    | Payment
    | Inquiry
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One body, read: its items in order, and the body as it may be kept (secrets taken out)."""

    items: tuple[Item, ...]
    kept: Mapping[str, object]
