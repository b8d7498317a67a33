"""Eduzz webhooks, version 3. An invoice of several items is one purchase for each item: they are sold together only."""

from collections.abc import Mapping
from itertools import islice

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Signed
from engine.adapters.reading import mapping, name, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_INVOICE = "myeduzz.invoice_"
_OUTCOMES = {
    "paid": "approved",
    "refused": "refused",
    # Cancelled before it was paid: nobody refused a card
    "canceled": "expired",
    "expired": "expired",
    "refunded": "refunded",
    "chargeback": "charged_back",
}
_WAITING = ("opened", "waiting_payment")
_METHODS = {"pix": "pix", "bank_slip": "boleto", "bankslip": "boleto"}
_IGNORED = {
    "waiting_refund": "refund_pending",
    "overdue": "payment_delayed",
    "recovering": "payment_delayed",
    "scheduled": "payment_scheduled",
    "negotiated": "negotiation",
}
_CARTS = ("myeduzz.cart_abandonment", "sun.cart_abandonment")
_OTHERS = {"myeduzz.contract_": "subscription", "myeduzz.commission_": "commission"}
_CODES = ("code1", "code2", "code3")
_MOST_ITEMS = 50


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """The secret of the producer's origin stands in every invoice; it is not kept."""
    return Parsed(tuple(_items(notice)), storable(notice.content, without=("originSecret",))[0])


EDUZZ = Platform(
    name="eduzz",
    title="Eduzz",
    keys=(Key("secret", "the key of the webhook's configuration at Eduzz", secret=True),),
    proof=Signed("secret", "sha256", header="x-signature"),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), *_METHODS.values(), "abandoned"}),
    phone="`data.buyer.cellphone`",
    reference="`data.tracker.code1`, `code2`, `code3`",
    unverified=("the spelling of payment methods", "`orderBump` and `parentId`"),
)


def _items(notice: Notice) -> list[Item]:
    body = notice.content
    event, event_id = word(body.get("event")), word(body.get("id"))
    data = mapping(body.get("data"))
    at = to_millis(body.get("sentDate")) or notice.received_at
    if event is None:
        return [Unknown(reason="unknown_event")]
    if event_id is None:
        return [Unknown(reason="unreadable_shape", name=event)]
    kind = event.removeprefix(_INVOICE) if event.startswith(_INVOICE) else ""
    if event == "ping":
        return [Ignored(reason="test", provider_id=event_id, at=at)]
    reason = _IGNORED.get(kind) or next((why for start, why in _OTHERS.items() if event.startswith(start)), None)
    outcome = "abandoned" if event in _CARTS else _OUTCOMES.get(kind)
    if kind in _WAITING:
        outcome = _METHODS.get(str(data.get("paymentMethod")).lower())
        reason = None if outcome else "payment_pending"
    if reason is not None:
        return [Ignored(reason=reason, provider_id=event_id, at=at)]
    if outcome is None:
        return [Unknown(reason="unknown_event", name=event)]
    invoice = word(mapping(data.get("transaction")).get("id")) or word(data.get("id"))
    if invoice is None and outcome != "abandoned":
        return [Unknown(reason="unreadable_shape", name=event)]
    sold = [mapping(item) for item in islice(objects(data.get("items")), _MOST_ITEMS)] or [{}]
    if outcome == "abandoned":
        sold, invoice = sold[:1], None
    return [_payment(event, event_id, outcome, at, data, item, invoice, n) for n, item in enumerate(sold)]


def _payment(
    event: str,
    event_id: str,
    outcome: str,
    at: int,
    data: Mapping[str, object],
    item: Mapping[str, object],
    invoice: str | None,
    n: int,
) -> Payment:
    """The purchase of item number `n`; the first has the invoice's own transaction, the others name it."""
    buyer, tracker, bump = mapping(data.get("buyer")), mapping(data.get("tracker")), mapping(data.get("orderBump"))
    part = f":{word(item.get('productId')) or n}" if n else ""
    price = mapping(item.get("price")).get("value") if n or len(objects(data.get("items"))) > 1 else None
    whole_price = mapping(data.get("paid")).get("value") or mapping(data.get("price")).get("value")
    return Payment(
        event_id=f"{event_id}{part}",
        platform=EDUZZ.name,
        outcome=outcome,
        at=at,
        person=Person(
            phone=whole(buyer.get("cellphone")) or whole(buyer.get("phone")) or whole(buyer.get("phone2")),
            name=name(buyer.get("name")),
            email=word(buyer.get("email")),
            reference=next((code for key in _CODES if (code := word(tracker.get(key)))), None),
        ),
        transaction=None if invoice is None else f"{invoice}{part}",
        product=name(item.get("name")) or word(item.get("productId")),
        amount_cents=cents(price if price is not None else whole_price),
        data=facts(
            {
                "event": event,
                "status": data.get("status"),
                "product_id": item.get("productId"),
                "currency": mapping(data.get("price")).get("currency"),
                "parent_transaction": invoice if n else bump.get("mainSaleId"),
                "payment_type": data.get("paymentMethod"),
                "checkout_url": data.get("checkoutUrl"),
                "billet_url": data.get("bankslipUrl") or data.get("billetUrl"),
                "billet_barcode": data.get("barcode"),
                "installments_number": data.get("installments"),
            }
        ),
    )
