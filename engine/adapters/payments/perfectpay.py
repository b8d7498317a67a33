"""PerfectPay postbacks: a number says what happened, and the payment's type what a waiting sale waits for."""

from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import in_parts
from engine.adapters.payments.protocol import ZONE, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Shared
from engine.adapters.reading import mapping, name, number, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

_OUTCOMES = {
    2: "approved",
    5: "refused",
    6: "refused",
    7: "refunded",
    8: "approved",
    9: "charged_back",
    10: "approved",
    11: "refused",
    12: "abandoned",
    13: "expired",
    17: "charged_back",
    18: "refunded",
    19: "refunded",
    20: "refunded",
}
_WAITING = 1
_TYPES = {2: "boleto", 7: "pix", 8: "boleto"}
# 16 is in review: PerfectPay itself posts it as approved, yet nothing is decided while it stands
_IGNORED = {3: "payment_pending", 4: "dispute", 15: "payment_renewed", 16: "payment_pending"}
_TIMES = {1: "date_created", 2: "date_approved", 12: "date_created"}
_CURRENCIES = {1: "BRL", 2: "USD", 3: "EUR"}
_REFUNDED = 7
_FIELD = "token"


def _parse(config: SourceConfig, notice: Notice) -> Parsed:
    """One postback. Its token is not kept."""
    return Parsed((_item(config, notice),), storable(notice.content, without=(_FIELD,))[0])


PERFECTPAY = Platform(
    name="perfectpay",
    title="PerfectPay",
    keys=(Key(_FIELD, "the public token of the account's postback", secret=True), ZONE),
    proof=Shared(_FIELD, field=_FIELD),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), *_TYPES.values()}),
    phone="`customer.phone_area_code` and `phone_number`",
    reference="`metadata.src`",
    unverified=(
        "the telephone fields",
        "the time zone of its dates",
        "status 7, which one public receiver takes for billed: it counts as refunded, unless its text says otherwise",
    ),
)


def _item(config: SourceConfig, notice: Notice) -> Item:
    body = notice.content
    status, code, told = number(body.get("sale_status_enum")), word(body.get("code")), body.get("sale_status_detail")
    if status is None:
        return Unknown(reason="unknown_event")
    label = f"sale_status_enum {status}"
    if code is None:
        return Unknown(reason="unreadable_shape", name=label)
    event_id = f"{code}:{status}"
    at = to_millis(body.get(_TIMES.get(status, "")), config.zone) or notice.received_at
    kind = number(body.get("payment_type_enum"))
    outcome = _TYPES.get(kind or 0) if status == _WAITING else _OUTCOMES.get(status)
    if status in _IGNORED or (status == _WAITING and outcome is None):
        return Ignored(reason=_IGNORED.get(status, "payment_pending"), provider_id=event_id, at=at)
    if outcome is None or (status == _REFUNDED and isinstance(told, str) and not _is_refund(told)):
        return Unknown(reason="unknown_event", name=label)
    product, plan, customer = (mapping(body.get(key)) for key in ("product", "plan", "customer"))
    return Payment(
        event_id=event_id,
        platform=PERFECTPAY.name,
        outcome=outcome,
        at=at,
        person=_person(customer, mapping(body.get("metadata"))),
        transaction=None if outcome == "abandoned" else code,
        product=name(product.get("name")) or word(product.get("code")),
        amount_cents=cents(body.get("sale_amount")),
        data=facts(
            {
                "event": label,
                "status": told,
                "product_id": product.get("code"),
                "offer": plan.get("code"),
                "currency": _CURRENCIES.get(number(body.get("currency_enum")) or 0),
                "payment_type": kind,
                "billet_url": body.get("billet_url"),
                "billet_barcode": body.get("billet_number"),
                "installments_number": body.get("installments"),
            }
        ),
    )


def _is_refund(told: str) -> bool:
    """Whether the status's own text does not contradict: it is empty, or speaks of money that goes back."""
    text = told.casefold()
    return not text.strip() or any(word in text for word in ("refund", "med", "devol", "reembols", "estorn"))


def _person(customer: Mapping[str, object], metadata: Mapping[str, object]) -> Person:
    country = customer.get("phone_extension")
    return Person(
        phone=in_parts(country, customer.get("phone_area_code"), customer.get("phone_number")),
        name=name(customer.get("full_name")),
        email=word(customer.get("email")),
        reference=word(metadata.get("src")),
    )
