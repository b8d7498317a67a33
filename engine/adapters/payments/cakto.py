"""Cakto webhooks: the event's name says what happened, `data.status` may lag behind it (R34)."""

from collections.abc import Mapping
from itertools import islice

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts, fingerprint
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Shared
from engine.adapters.reading import mapping, name, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    "purchase_approved": "approved",
    "purchase_refused": "refused",
    "pix_gerado": "pix",
    "boleto_gerado": "boleto",
    "refund": "refunded",
    "chargeback": "charged_back",
    "checkout_abandonment": "abandoned",
}
_IGNORED = {
    "initiate_checkout": "checkout_opened",
    "picpay_gerado": "payment_pending",
    "openfinance_nubank_gerado": "payment_pending",
    "refund_requested": "refund_pending",
}
_TIMES = {
    "purchase_approved": "paidAt",
    "refund": "refundedAt",
    "chargeback": "chargedbackAt",
    "pix_gerado": "createdAt",
    "boleto_gerado": "createdAt",
    "checkout_abandonment": "createdAt",
}
"""Which of an order's times an event happened at; the order's own is no time of what came later."""
_FIELD = "secret"
_MOST_ORDERS = 50


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """The orders of one notice: `data` is one of them, or in version 2 a list. The secret is not kept."""
    body, event = notice.content, word(notice.content.get("event"))
    orders = [mapping(order) for order in islice(objects(body.get("data")), _MOST_ORDERS)]
    return Parsed(tuple(_item(event, order, notice) for order in orders or [{}]), storable(body, without=(_FIELD,))[0])


CAKTO = Platform(
    name="cakto",
    title="Cakto",
    keys=(Key(_FIELD, "the secret of the webhook at Cakto", secret=True),),
    proof=Shared(_FIELD, field=_FIELD),
    parse=_parse,
    outcomes=frozenset(_OUTCOMES.values()),
    phone="`data.customer.phone`, in a cart `data.customerCellphone`",
    reference="`data.sck`",
    unverified=("the fields of `checkout_abandonment`", "`parent_order`"),
)


def _item(event: str | None, order: Mapping[str, object], notice: Notice) -> Item:
    if event is None:
        return Unknown(reason="unknown_event")
    order_id = word(order.get("id"))
    event_id = f"{order_id}:{event}" if order_id else None
    if event in _IGNORED or event.startswith("subscription_"):
        return Ignored(reason=_IGNORED.get(event, "subscription"), provider_id=event_id)
    if event not in _OUTCOMES:
        return Unknown(reason="unknown_event", name=event)
    if event == "checkout_abandonment":
        event_id = event_id or f"cart:{fingerprint(order)}"
    if event_id is None or not order:
        return Unknown(reason="unreadable_shape", name=event)
    customer, product, offer = (mapping(order.get(key)) for key in ("customer", "product", "offer"))
    return Payment(
        event_id=event_id,
        platform=CAKTO.name,
        outcome=_OUTCOMES[event],
        at=to_millis(order.get(_TIMES.get(event, ""))) or notice.received_at,
        person=Person(
            phone=whole(customer.get("phone")) or whole(order.get("customerCellphone")),
            name=name(customer.get("name")) or name(order.get("customerName")),
            email=word(customer.get("email")) or word(order.get("customerEmail")),
            reference=word(order.get("sck")),
        ),
        transaction=None if event == "checkout_abandonment" else order_id,
        product=name(product.get("name")) or name(offer.get("name")) or word(product.get("id")),
        amount_cents=cents(order.get("amount") or offer.get("price")),
        data=facts(
            {
                "event": event,
                "status": order.get("status"),
                "product_id": product.get("short_id") or product.get("id"),
                "offer": offer.get("id"),
                "parent_transaction": order.get("parent_order"),
                "order_bump": True if order.get("offer_type") not in (None, "main") else None,
                "payment_type": order.get("paymentMethod"),
                "refusal": order.get("reason"),
                "checkout_url": order.get("checkoutUrl"),
                "pix_code": mapping(order.get("pix")).get("qrCode"),
                "pix_expiration_date": mapping(order.get("pix")).get("expirationDate"),
                "billet_url": mapping(order.get("boleto")).get("boletoUrl"),
                "billet_barcode": mapping(order.get("boleto")).get("barcode"),
            }
        ),
    )
