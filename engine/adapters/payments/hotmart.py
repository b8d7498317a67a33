"""Hotmart webhooks, version 2.0.0 and the older deliveries that carry the token in the body."""

# ruff: noqa: ARG002 - the protocol asks every implementation for the same arguments, needed or not

from collections.abc import Mapping
from decimal import Decimal

from engine.adapters.bodies import storable
from engine.adapters.payments.phones import with_country
from engine.adapters.payments.protocol import SourceConfig
from engine.adapters.proofs import header, require_shared
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


class Hotmart:
    """See Platform. `hottok` is the fixed token that the account's panel shows."""

    name = "hotmart"
    secrets = ("hottok",)

    def verify(
        self,
        config: SourceConfig,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        raw: bytes,
        body: Mapping[str, object] | None,
    ) -> None:
        """The header; only where there is none, the body of an older delivery."""
        given = header(headers, "X-HOTMART-HOTTOK") or mapping(body).get("hottok")
        require_shared(given if isinstance(given, str) else "", config.secrets.get("hottok", ""))

    def parse(self, config: SourceConfig, body: Mapping[str, object], received_at: Millis) -> Parsed:
        """One notice; the token of an older delivery is not kept."""
        return Parsed((_item(body, received_at),), storable(body, without=("hottok",))[0])


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
        amount_cents=_cents(mapping(purchase.get("price") or purchase.get("full_price")).get("value")),
        data=storable(_facts(event, purchase, payment, product))[0],
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
    facts = {
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
    return {key: value for key, value in facts.items() if isinstance(value, str | int | float) and value != ""}


def _cents(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        cents = Decimal(str(value)) * 100
        # Compared before it becomes a whole number: 1E+900000 is a short text and an integer of a megabyte.
        return int(cents.to_integral_value()) if 0 <= cents < 1 << 53 else None
    except ArithmeticError:  # no number, or one beyond the exponents that there are
        return None
