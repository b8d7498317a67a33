"""Pagar.me webhooks, version 5: orders and charges; both name the order, which is the sale."""

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import whole_cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import in_parts
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Basic
from engine.adapters.reading import mapping, name, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    "order.paid": "approved",
    "charge.paid": "approved",
    "order.payment_failed": "refused",
    "charge.payment_failed": "refused",
    "order.canceled": "expired",
    "charge.refunded": "refunded",
    "charge.chargedback": "charged_back",
}
_WAITING = ("charge.pending", "order.created", "charge.created")
_METHODS = {"pix": "pix", "boleto": "boleto"}
_IGNORED = {"charge.partial_canceled": "partial_refund", "charge.processing": "payment_pending"}
_OTHERS = ("customer.", "card.", "subscription", "plan", "invoice.", "recipient.", "transfer.", "bank_account.",
           "seller.", "anticipation.", "discount.", "usage.", "checkout.", "address.", "order", "charge.")  # fmt: skip


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """One hook."""
    return Parsed((_item(notice),), storable(notice.content)[0])


PAGARME = Platform(
    name="pagarme",
    title="Pagar.me",
    keys=(
        Key("user", "the user that the webhook is configured with", secret=True),
        Key("password", "its password", secret=True),
    ),
    proof=Basic(),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), *_METHODS.values()}),
    phone="`customer.phones.mobile_phone`, in parts",
    reference="`code` of the order, or `metadata.conversa`",
    unverified=("how its senders prove themselves", "every event but `order.paid`", "the time zone of `created_at`"),
)


def _item(notice: Notice) -> Item:
    body = notice.content
    event, event_id, data = word(body.get("type")), word(body.get("id")), mapping(body.get("data"))
    at = to_millis(body.get("created_at"), "UTC") or notice.received_at
    order = mapping(data.get("order")) or data
    charge = mapping(next(iter(objects(order.get("charges"))), None)) or data
    if event is None:
        return Unknown(reason="unknown_event")
    method = word(charge.get("payment_method"))
    outcome = _METHODS.get(method or "") if event in _WAITING else _OUTCOMES.get(event)
    if event in _IGNORED or (event in _WAITING and outcome is None):
        return Ignored(reason=_IGNORED.get(event, "payment_pending"), provider_id=event_id, at=at)
    if outcome is None:
        known = event.startswith(_OTHERS)
        return (
            Ignored(reason="no_sale", provider_id=event_id, at=at)
            if known
            else Unknown(reason="unknown_event", name=event)
        )
    transaction = word(order.get("id"))
    if event_id is None or transaction is None:
        return Unknown(reason="unreadable_shape", name=event)
    bought = mapping(next(iter(objects(order.get("items"))), None))
    return Payment(
        event_id=event_id,
        platform=PAGARME.name,
        outcome=outcome,
        at=at,
        person=_person(data, order),
        transaction=transaction,
        product=name(bought.get("description")) or word(bought.get("code")),
        amount_cents=whole_cents(data.get("amount")),
        data=facts(
            {
                "event": event,
                "status": data.get("status"),
                "product_id": bought.get("code"),
                "currency": data.get("currency"),
                "payment_type": method,
                **_ways_to_pay(mapping(charge.get("last_transaction"))),
            }
        ),
    )


def _person(data: Mapping[str, object], order: Mapping[str, object]) -> Person:
    customer = mapping(data.get("customer") or order.get("customer"))
    phones = mapping(customer.get("phones"))
    phone = mapping(phones.get("mobile_phone") or phones.get("home_phone"))
    return Person(
        phone=in_parts(phone.get("country_code"), phone.get("area_code"), phone.get("number")),
        name=name(customer.get("name")),
        email=word(customer.get("email")),
        reference=word(mapping(order.get("metadata")).get("conversa")) or word(order.get("code")),
    )


def _ways_to_pay(last: Mapping[str, object]) -> Mapping[str, object]:
    return {
        "pix_code": last.get("qr_code"),
        "pix_expiration_date": last.get("expires_at"),
        "billet_url": last.get("pdf") or last.get("url"),
        "billet_barcode": last.get("line"),
    }
