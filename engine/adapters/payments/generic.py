"""Any other sender of JSON: where things stand in its body, and what its events mean, is said in the source's settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents, whole_cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import ZONE, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import first, with_body, with_header
from engine.adapters.proofs import header, require_shared
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import OUTCOMES, Ignored, Item, Parsed, Payment, Person, Unknown

DEFAULT_HEADER = "X-Webhook-Token"
PREFIX = "outcome."
IGNORE = "ignore"
"""Beside the eight outcomes: an event that is known and means nothing here."""
_DEEPEST = 32


@dataclass(frozen=True, slots=True)
class _Told:
    """The secret in a header, or where the settings name one, in a field of the body."""

    about: str = f"shared secret, in a header (`{DEFAULT_HEADER}` or a name of your own) or in a field of the body"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        field = config.settings.get("token_field")
        given = notice.content.get(field) if field else header(notice.headers, _header(config))
        require_shared(given if isinstance(given, str) else "", config.secrets.get("token", ""))

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        field, secret = config.settings.get("token_field"), first(config, "token")
        if not field:
            return with_header(notice, _header(config), secret)
        return notice if field in notice.content else with_body(notice, {**notice.content, field: secret})


def _header(config: SourceConfig) -> str:
    return config.settings.get("token_header") or DEFAULT_HEADER


def _parse(config: SourceConfig, notice: Notice) -> Parsed:
    """One notice; a secret that stands in the body is not kept."""
    field = config.settings.get("token_field")
    return Parsed((_item(config, notice),), storable(notice.content, without=(field,) if field else ())[0])


GENERIC = Platform(
    name="json",
    title="JSON",
    keys=(
        Key("token", "the shared secret", secret=True),
        Key("token_header", f"the header that it comes in ({DEFAULT_HEADER})"),
        Key("token_field", "the field of the body that it comes in, instead of a header"),
        Key("event_path", "where the name of the event stands, such as event or data.status"),
        Key("id_path", "where the notice's own id stands"),
        Key("phone_path", "where the buyer's phone stands, such as data.customer.phone"),
        Key("email_path", "the buyer's e-mail"),
        Key("name_path", "the buyer's name"),
        Key("reference_path", "our own tracking code"),
        Key("transaction_path", "the id of the purchase; with it a second notice of one outcome is a duplicate"),
        Key("product_path", "the product's name"),
        Key("product_id_path", "the product's id"),
        Key("amount_path", "the amount"),
        Key("amount_in", "`cents` when the amount is in cents"),
        Key("at_path", "when it happened"),
        Key(
            PREFIX,
            f"`{PREFIX}NAME` says what an event means: {', '.join(OUTCOMES)}, {IGNORE}",
            takes="outcome",
            prefix=True,
        ),
        ZONE,
    ),
    proof=_Told(),
    parse=_parse,
    outcomes=frozenset(OUTCOMES),
    phone="where `phone_path` says",
    reference="where `reference_path` says",
)


def _item(config: SourceConfig, notice: Notice) -> Item:
    def at_path(key: str) -> object:
        return found(notice.content, config.settings.get(f"{key}_path", ""))

    event, event_id = word(at_path("event")), word(at_path("id"))
    if event is None:
        return Unknown(reason="unknown_event")
    outcome = config.settings.get(f"{PREFIX}{event}")
    at = to_millis(at_path("at"), config.zone) or notice.received_at
    if outcome == IGNORE:
        return Ignored(reason="by_setting", provider_id=event_id, at=at)
    if outcome not in OUTCOMES:
        return Unknown(reason="unknown_event", name=event)
    if event_id is None:
        return Unknown(reason="unreadable_shape", name=event)
    amount = at_path("amount")
    return Payment(
        event_id=f"{config.id}:{event_id}",
        platform=GENERIC.name,
        outcome=outcome,
        at=at,
        person=Person(
            phone=whole(at_path("phone")),
            name=name(at_path("name")),
            email=word(at_path("email")),
            reference=word(at_path("reference")),
        ),
        transaction=_transaction(config, word(at_path("transaction"))),
        product=name(at_path("product")) or word(at_path("product_id")),
        amount_cents=whole_cents(amount) if config.settings.get("amount_in") == "cents" else cents(amount),
        data=facts({"event": event, "product_id": at_path("product_id")}),
    )


def _transaction(config: SourceConfig, transaction: str | None) -> str | None:
    """Two senders may count their purchases alike, so the source is a part of the name."""
    return None if transaction is None else f"{config.id}:{transaction}"


def found(body: Mapping[str, object], path: str) -> object:
    """What stands at `data.items.0.id`; None when nothing does, or when there is no path."""
    place: object = body if path else None
    for step in path.split(".")[:_DEEPEST]:
        if isinstance(place, list):
            place = place[int(step)] if step.isascii() and step.isdigit() and int(step) < len(place) else None
        else:
            place = mapping(place).get(step)
    return place
