"""Kiwify webhooks: orders, and abandoned carts in a flat shape of their own without an event name."""

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import whole_cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import ZONE, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Signed
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    "order_approved": "approved",
    "order_rejected": "refused",
    "order_refunded": "refunded",
    "chargeback": "charged_back",
    "pix_created": "pix",
    "billet_created": "boleto",
}
_CODES = ("s1", "src", "sck")


def _parse(config: SourceConfig, notice: Notice) -> Parsed:
    """One notice; some accounts get the order inside a wrapper."""
    body = notice.content
    order = mapping(body.get("order")) if "order_id" not in body else body
    is_cart = not order and word(body.get("status")) == "abandoned"
    item = _cart(config, notice, body) if is_cart else _order(config, notice, order or body)
    return Parsed((item,), storable(body)[0])


KIWIFY = Platform(
    name="kiwify",
    title="Kiwify",
    keys=(Key("token", "the token that Kiwify shows for the webhook", secret=True), ZONE),
    proof=Signed("token", "sha1", query="signature", inner="order"),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), "abandoned"}),
    phone="`Customer.mobile`, in a cart `phone`",
    reference="`TrackingParameters.s1`, `src`, `sck`",
    unverified=("the time zone of order dates",),
)


def _order(config: SourceConfig, notice: Notice, order: Mapping[str, object]) -> Item:
    event, transaction = word(order.get("webhook_event_type")), word(order.get("order_id"))
    at = to_millis(order.get("updated_at") or order.get("created_at"), config.zone) or notice.received_at
    if event is None:
        return Unknown(reason="unknown_event")
    event_id = None if transaction is None else f"{transaction}:{event}"
    if event.startswith("subscription_"):
        return Ignored(reason="subscription", provider_id=event_id, at=at)
    if event not in _OUTCOMES:
        return Unknown(reason="unknown_event", name=event)
    if event_id is None:
        return Unknown(reason="unreadable_shape", name=event)
    product, customer = mapping(order.get("Product")), mapping(order.get("Customer"))
    tracking = mapping(order.get("TrackingParameters"))
    return Payment(
        event_id=event_id,
        platform=KIWIFY.name,
        outcome=_OUTCOMES[event],
        at=at,
        person=Person(
            phone=whole(customer.get("mobile")),
            name=name(customer.get("full_name")),
            email=word(customer.get("email")),
            reference=next((code for key in _CODES if (code := word(tracking.get(key)))), None),
        ),
        transaction=transaction,
        product=name(product.get("product_name")) or word(product.get("product_id")),
        amount_cents=whole_cents(mapping(order.get("Commissions")).get("charge_amount")),
        data=facts(
            {
                "event": event,
                "status": order.get("order_status"),
                "product_id": product.get("product_id"),
                "currency": mapping(order.get("Commissions")).get("currency"),
                "payment_type": order.get("payment_method"),
                "refusal": order.get("card_rejection_reason"),
                "pix_code": order.get("pix_code"),
                "pix_expiration_date": order.get("pix_expiration"),
                "billet_url": order.get("boleto_URL"),
                "billet_barcode": order.get("boleto_barcode"),
                "installments_number": order.get("installments"),
            }
        ),
    )


def _cart(config: SourceConfig, notice: Notice, cart: Mapping[str, object]) -> Item:
    event_id = word(cart.get("id"))
    if event_id is None:
        return Unknown(reason="unreadable_shape", name="abandoned")
    return Payment(
        event_id=event_id,
        platform=KIWIFY.name,
        outcome="abandoned",
        at=to_millis(cart.get("created_at"), config.zone) or notice.received_at,
        person=Person(phone=whole(cart.get("phone")), name=name(cart.get("name")), email=word(cart.get("email"))),
        product=name(cart.get("product_name")) or word(cart.get("product_id")),
        data=facts(
            {
                "event": "abandoned",
                "product_id": cart.get("product_id"),
                "checkout_url": cart.get("checkout_link"),
            }
        ),
    )
