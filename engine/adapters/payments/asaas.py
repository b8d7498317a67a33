"""Asaas webhooks: a charge and the id of a customer; who that is can be fetched when the charge does not say (R34)."""

from collections.abc import Mapping
from dataclasses import replace

from engine.adapters.bodies import storable
from engine.adapters.http import HttpRequest
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.fetching import api_root, get, segment
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import ZONE, Fetch, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import Shared
from engine.adapters.reading import mapping, name, word
from engine.adapters.timestamps import to_millis
from engine.core.flow import Millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

DEFAULT_BASE_URL = "https://api.asaas.com"
_PAYMENT = "PAYMENT_"
_OUTCOMES = {
    # A card is confirmed first and its money received weeks later: the same news
    "CONFIRMED": "approved",
    "RECEIVED": "approved",
    "OVERDUE": "expired",
    "REFUNDED": "refunded",
    "CHARGEBACK_REQUESTED": "charged_back",
    "CREDIT_CARD_CAPTURE_REFUSED": "refused",
    "REPROVED_BY_RISK_ANALYSIS": "refused",
}
_CREATED = {"PIX": "pix", "BOLETO": "boleto"}
_IGNORED = {
    "PARTIALLY_REFUNDED": "partial_refund",
    "REFUND_IN_PROGRESS": "refund_pending",
    "REFUND_DENIED": "refund_denied",
    "CHARGEBACK_DISPUTE": "dispute",
    "AWAITING_CHARGEBACK_REVERSAL": "dispute",
    "AUTHORIZED": "payment_pending",
    "AWAITING_RISK_ANALYSIS": "payment_pending",
    "APPROVED_BY_RISK_ANALYSIS": "payment_pending",
    "UPDATED": "charge_changed",
    "DELETED": "charge_deleted",
    "RESTORED": "charge_changed",
    "ANTICIPATED": "settlement",
    "RECEIVED_IN_CASH_UNDONE": "settlement",
    "BANK_SLIP_CANCELLED": "charge_changed",
    "BANK_SLIP_VIEWED": "viewed",
    "CHECKOUT_VIEWED": "viewed",
    "DUNNING_RECEIVED": "collection",
    "DUNNING_REQUESTED": "collection",
}
_OTHERS = (
    "SUBSCRIPTION_",
    "INVOICE_",
    "TRANSFER_",
    "BILL_",
    "CHECKOUT_",
    "ACCOUNT_",
    "MOBILE_PHONE_",
    "PIX_",
    "ACCESS_",
)


def _parse(config: SourceConfig, notice: Notice) -> Parsed:
    """One event."""
    return Parsed((_item(config, notice.content, notice.received_at),), storable(notice.content)[0])


def _item(config: SourceConfig, body: Mapping[str, object], received_at: Millis) -> Item:
    event, event_id, charge = word(body.get("event")), word(body.get("id")), mapping(body.get("payment"))
    at = to_millis(body.get("dateCreated"), config.zone) or received_at
    if event is None:
        return Unknown(reason="unknown_event")
    kind, billing = event.removeprefix(_PAYMENT), word(charge.get("billingType"))
    if event.startswith(_OTHERS) or kind in _IGNORED:
        return Ignored(reason=_IGNORED.get(kind, "no_payment"), provider_id=event_id, at=at)
    outcome = _CREATED.get(billing or "") if kind == "CREATED" else _OUTCOMES.get(kind)
    if kind == "CREATED" and outcome is None:
        return Ignored(reason="payment_pending", provider_id=event_id, at=at)
    transaction = word(charge.get("id"))
    if outcome is None or not event.startswith(_PAYMENT):
        return Unknown(reason="unknown_event", name=event)
    if event_id is None or transaction is None:
        return Unknown(reason="unreadable_shape", name=event)
    customer = word(charge.get("customer"))
    return Payment(
        event_id=event_id,
        platform=ASAAS.name,
        outcome=outcome,
        at=at,
        person=Person(reference=word(charge.get("externalReference"))),
        transaction=transaction,
        product=name(charge.get("description")),
        amount_cents=cents(charge.get("value")),
        data=facts(
            {
                "event": event,
                "status": charge.get("status"),
                "product_id": charge.get("paymentLink"),
                "payment_type": billing,
                "checkout_url": charge.get("invoiceUrl"),
                "billet_url": charge.get("bankSlipUrl"),
            }
        ),
        ask={"customer": customer, "notice": storable(body)[0]} if customer and config.secrets.get("api_key") else None,
    )


def _request(config: SourceConfig, about: Mapping[str, object]) -> HttpRequest | None:
    key, customer = config.secrets.get("api_key"), segment(about.get("customer"))
    if not key or customer is None:
        return None
    return get(f"{api_root(config, DEFAULT_BASE_URL)}/v3/customers/{customer}", {"access_token": key})


def _answer(
    config: SourceConfig, about: Mapping[str, object], body: Mapping[str, object], received_at: Millis
) -> Parsed:
    """The notice once more, with the customer's names."""
    item = _item(config, mapping(about.get("notice")), received_at)
    asked = word(body.get("id")) in (None, word(about.get("customer")))
    phone = whole(body.get("mobilePhone")) or whole(body.get("phone"))
    known = phone or word(body.get("externalReference"))
    if not isinstance(item, Payment) or not asked or not (known or word(body.get("name"))):
        return Parsed((Unknown(reason="unreadable_shape", name="customer"),), storable(body)[0])
    person = Person(
        phone=phone,
        name=name(body.get("name")),
        email=word(body.get("email")),
        reference=item.person.reference or word(body.get("externalReference")),
    )
    return Parsed((replace(item, person=person, ask=None),), storable(body)[0])


ASAAS = Platform(
    name="asaas",
    title="Asaas",
    keys=(
        Key("token", "the webhook's authentication token", secret=True),
        Key("api_key", "the account's API key, to fetch customers", secret=True),
        Key("base_url", f"another address of its API ({DEFAULT_BASE_URL})"),
        ZONE,
    ),
    proof=Shared("token", header="asaas-access-token"),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), *_CREATED.values()}),
    phone=None,
    reference="`payment.externalReference`",
    fetch=Fetch(
        about="`GET /v3/customers/{id}`, when nobody has the charge's `externalReference`",
        request=_request,
        answer=_answer,
    ),
    unverified=("the time zone of `dateCreated`", "the fields of a fetched customer"),
)
