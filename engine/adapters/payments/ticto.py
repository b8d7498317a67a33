"""Ticto webhooks, version 2.0: the status is the event."""

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import whole_cents
from engine.adapters.payments.facts import facts, fingerprint
from engine.adapters.payments.phones import in_parts, whole
from engine.adapters.payments.protocol import ZONE, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Shared
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    "authorized": "approved",
    "refused": "refused",
    "pix_created": "pix",
    "bank_slip_created": "boleto",
    "pix_expired": "expired",
    "expired": "expired",
    "refunded": "refunded",
    "chargeback": "charged_back",
    "abandoned_cart": "abandoned",
}
_IGNORED = {
    "waiting_payment": "payment_pending",
    "bank_slip_delayed": "payment_delayed",
    "delayed": "payment_delayed",
    "claimed": "dispute",
    "card_exchanged": "subscription",
    "all_charges_paid": "subscription",
    "extended": "subscription",
    "uncanceled": "subscription",
    "close": "subscription",
    "trial": "subscription",
    "trial_started": "subscription",
    "trial_ended": "subscription",
}
_CODES = ("sck", "src")
_FIELD = "token"


def _parse(config: SourceConfig, notice: Notice) -> Parsed:
    """One notice. Its token is not kept."""
    return Parsed((_item(config, notice),), storable(notice.content, without=(_FIELD,))[0])


TICTO = Platform(
    name="ticto",
    title="Ticto",
    keys=(Key(_FIELD, "the token of the webhook at Ticto", secret=True), ZONE),
    proof=Shared(_FIELD, field=_FIELD),
    parse=_parse,
    outcomes=frozenset(_OUTCOMES.values()),
    phone="`customer.phone`, in parts; in a cart `phone`",
    reference="`tracking.sck`, `src`",
    unverified=("the fields of customer and cart", "the time zone of `status_date`"),
)


def _item(config: SourceConfig, notice: Notice) -> Item:
    body = notice.content
    status = word(body.get("status"))
    at = to_millis(body.get("status_date"), config.zone) or notice.received_at
    order, item = mapping(body.get("order")), mapping(body.get("item"))
    transaction = word(order.get("hash")) or word(order.get("id"))
    if status is None:
        return Unknown(reason="unknown_event")
    event_id = f"{transaction}:{status}" if transaction else None
    if status in _IGNORED or status.startswith("subscription_"):
        return Ignored(reason=_IGNORED.get(status, "subscription"), provider_id=event_id, at=at)
    if status not in _OUTCOMES:
        return Unknown(reason="unknown_event", name=status)
    if status == "abandoned_cart":
        event_id, transaction = (
            f"cart:{fingerprint(body.get('email'), body.get('phone'), item, body.get('status_date'))}",
            None,
        )
    if event_id is None:
        return Unknown(reason="unreadable_shape", name=status)
    return Payment(
        event_id=event_id,
        platform=TICTO.name,
        outcome=_OUTCOMES[status],
        at=at,
        person=_person(body),
        transaction=transaction,
        product=name(item.get("product_name")) or word(item.get("product_id")),
        amount_cents=whole_cents(order.get("paid_amount") or item.get("amount")),
        data=facts(
            {
                "event": status,
                "product_id": item.get("product_id"),
                "offer": item.get("offer_code"),
                "payment_type": body.get("payment_method"),
                "checkout_url": body.get("checkout_url"),
                "installments_number": order.get("installments"),
            }
        ),
    )


def _person(body: Mapping[str, object]) -> Person:
    customer, tracking = mapping(body.get("customer")), mapping(body.get("tracking"))
    parts = mapping(customer.get("phone"))
    in_fields = in_parts(parts.get("ddi"), parts.get("ddd"), parts.get("number"))
    return Person(
        phone=in_fields or whole(customer.get("phone")) or whole(body.get("phone")),
        name=name(customer.get("name")) or name(body.get("name")),
        email=word(customer.get("email")) or word(body.get("email")),
        reference=next((code for key in _CODES if (code := word(tracking.get(key)))), None),
    )
