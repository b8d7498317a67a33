"""Hotmart webhooks, version 2.0.0 and the older deliveries that carry the token in the body."""

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import with_country
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Shared
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    "PURCHASE_APPROVED": "approved",
    # The warranty is over. The same news as the approval, and the only one where the webhook was set up later
    "PURCHASE_COMPLETE": "approved",
    "PURCHASE_CANCELED": "refused",
    "PURCHASE_CANCELLED": "refused",
    "PURCHASE_BILLET_PRINTED": "boleto",
    "PURCHASE_REFUNDED": "refunded",
    "PURCHASE_CHARGEBACK": "charged_back",
    "PURCHASE_EXPIRED": "expired",
    "PURCHASE_OUT_OF_SHOPPING_CART": "abandoned",
}
_IGNORED = {
    "PURCHASE_PROTEST": "dispute",
    "PURCHASE_DELAYED": "payment_delayed",
    "SUBSCRIPTION_CANCELLATION": "subscription",
    "SWITCH_PLAN": "subscription",
    "UPDATE_SUBSCRIPTION_CHARGE_DATE": "subscription",
    "ORDER_FULFILLMENT": "fulfilment",
}
_PIX_FIELDS = ("pix_code", "pix_qrcode", "pix_expiration_date")
_PAYMENT_FIELDS = (*_PIX_FIELDS, "billet_url", "billet_barcode", "installments_number")


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """One notice; the token of an older delivery is not kept."""
    kept = storable(notice.content, without=("hottok",))[0]
    return Parsed((_item(notice.content, notice.received_at),), kept)


HOTMART = Platform(
    name="hotmart",
    title="Hotmart",
    keys=(Key("hottok", "the account's fixed token, from the webhook page of its panel", secret=True),),
    proof=Shared("hottok", header="X-HOTMART-HOTTOK", field="hottok"),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), "pix"}),
    phone="`buyer.checkout_phone`, in a cart `buyer.phone`",
    reference="`purchase.sckPaymentLink`, or the tracking codes",
    unverified=(
        "cart fields besides name, e-mail and phone",
        "the names `pix_qrcode`, `pix_code`, `pix_expiration_date`, `billet_url`, `billet_barcode`",
    ),
)


def _item(body: Mapping[str, object], received_at: Millis) -> Item:
    event, event_id = word(body.get("event")), word(body.get("id"))
    at = to_millis(body.get("creation_date") or body.get("creationDate")) or received_at
    if event is None:
        return Unknown(reason="unknown_event")
    if event in _IGNORED or event.startswith("CLUB_"):
        return Ignored(reason=_IGNORED.get(event, "club"), provider_id=event_id, at=at)
    if event not in _OUTCOMES:
        return Unknown(reason="unknown_event", name=event)
    data = mapping(body.get("data"))
    purchase, buyer = mapping(data.get("purchase")), mapping(data.get("buyer"))
    payment, product = mapping(purchase.get("payment")), mapping(data.get("product"))
    outcome, transaction = _OUTCOMES[event], word(purchase.get("transaction"))
    if event_id is None or (transaction is None and outcome != "abandoned"):
        return Unknown(reason="unreadable_shape", name=event)
    if outcome == "boleto" and (payment.get("type") == "PIX" or any(payment.get(key) for key in _PIX_FIELDS)):
        outcome = "pix"
    return Payment(
        event_id=event_id,
        platform="hotmart",
        outcome=outcome,
        at=at,
        person=_person(data, buyer, purchase),
        transaction=transaction,
        product=name(product.get("name")) or word(product.get("id")),
        amount_cents=cents(mapping(purchase.get("price") or purchase.get("full_price")).get("value")),
        data=_facts(event, purchase, payment, product),
    )


def _person(data: Mapping[str, object], buyer: Mapping[str, object], purchase: Mapping[str, object]) -> Person:
    country = mapping(data.get("checkout_country") or purchase.get("checkout_country")).get("iso")
    country = country or mapping(buyer.get("address")).get("country_iso")
    phone = word(buyer.get("checkout_phone")) or word(buyer.get("phone"))
    code = word(buyer.get("checkout_phone_code"))
    return Person(
        phone=with_country(phone, code, word(country)),
        name=name(buyer.get("name")),
        email=word(buyer.get("email")),
        reference=_reference(purchase, data),
    )


def _reference(purchase: Mapping[str, object], data: Mapping[str, object]) -> str | None:
    """The tracking code of our own link, wherever this kind of sale puts it."""
    origins = [mapping(part.get(key)) for part in (purchase, data) for key in ("tracking", "origin")]
    codes = [origin.get(key) for key in ("source_sck", "sck", "source", "src", "external_code") for origin in origins]
    return next((code for value in (purchase.get("sckPaymentLink"), *codes) if (code := word(value))), None)


def _facts(
    event: str, purchase: Mapping[str, object], payment: Mapping[str, object], product: Mapping[str, object]
) -> Mapping[str, object]:
    """What a flow or a person may want to know besides; a panel's test event is marked, its dates are invented."""
    bump = mapping(purchase.get("order_bump"))
    return facts(
        {
            "event": event,
            "status": purchase.get("status"),
            "product_id": product.get("id"),
            "offer": mapping(purchase.get("offer")).get("code"),
            "currency": mapping(purchase.get("price")).get("currency_value"),
            "parent_transaction": bump.get("parent_purchase_transaction"),
            "payment_type": payment.get("type"),
            "test_event": product.get("id") == 0 or None,
            **{key: payment.get(key) for key in _PAYMENT_FIELDS},
        }
    )
