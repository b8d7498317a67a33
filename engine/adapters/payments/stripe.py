"""Stripe events: `payment_status` says whether a finished checkout is paid, the event's name does not (R34)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import whole_cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.phones import whole
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import first, with_header
from engine.adapters.proofs import header, hmac_hex, in_rotation, matches
from engine.adapters.reading import mapping, name, number, word
from engine.adapters.timestamps import to_millis
from engine.core.errors import BadSignature
from engine.core.flow import MINUTE, SECOND
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

TOLERANCE = 5 * MINUTE
"""How far the signed moment may be from ours: a notice that was heard by somebody else cannot be used later."""
_HEADER = "Stripe-Signature"
_CHECKOUT = "checkout.session."
_FINISHED = (f"{_CHECKOUT}completed", f"{_CHECKOUT}async_payment_succeeded")
_PAID = ("paid", "no_payment_required")
_NEXT = {"pix_display_qr_code": "pix", "boleto_display_details": "boleto"}
_OTHERS = (
    "account.", "balance.", "billing", "charge.", "customer.", "invoice", "mandate.", "payment_intent.", "payment_link.",
    "payment_method.", "payout.", "plan.", "price.", "product.", "refund.", "setup_intent.", "subscription_schedule.",
    "checkout.", "radar.", "tax.", "topup.", "transfer.", "coupon.", "promotion_code.", "credit_note.", "quote.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Signature:
    """`t=…,v1=…`: the HMAC of the moment, a dot and the raw body; several v1 while a secret is being replaced."""

    about: str = f"HMAC-SHA256 of time and raw body, header `{_HEADER}`, at most {TOLERANCE // SECOND} s old"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        parts = [part.strip().partition("=") for part in header(notice.headers, _HEADER).split(",")]
        moment = next((number(value) for key, _, value in parts if key == "t"), None)
        given = [value for key, _, value in parts if key == "v1"]
        secrets = in_rotation(config.secrets.get("secret", ""))
        expected = [hmac_hex(secret, _signed(moment, notice.raw), "sha256") for secret in secrets]
        fits = [matches(one, expected) for one in given]
        if moment is None or not any(fits):
            raise BadSignature("signature")
        if abs(notice.received_at - moment * SECOND) > TOLERANCE:
            raise BadSignature("signature")

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        moment = notice.received_at // SECOND
        signature = hmac_hex(first(config, "secret"), _signed(moment, notice.raw), "sha256")
        return with_header(notice, _HEADER, f"t={moment},v1={signature}")


def _signed(moment: int | None, raw: bytes) -> bytes:
    return f"{moment}.".encode() + raw


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """One event."""
    return Parsed((_item(notice),), storable(notice.content)[0])


STRIPE = Platform(
    name="stripe",
    title="Stripe",
    keys=(Key("secret", "the signing secret of the webhook endpoint (whsec_…)", secret=True),),
    proof=_Signature(),
    parse=_parse,
    outcomes=frozenset({"approved", "refused", "pix", "boleto", "abandoned", "expired", "refunded", "charged_back"}),
    phone="`customer_details.phone` of a checkout",
    reference="`client_reference_id`, or `metadata.conversa`",
    unverified=("the names of fields", "that every waiting checkout without a boleto waits for a Pix"),
)


def _item(notice: Notice) -> Item:
    body = notice.content
    event, event_id = word(body.get("type")), word(body.get("id"))
    thing = mapping(mapping(body.get("data")).get("object"))
    at = to_millis(body.get("created")) or notice.received_at
    if event is None:
        return Unknown(reason="unknown_event")
    if event_id is None or not thing:
        return Unknown(reason="unreadable_shape", name=event)
    outcome = _outcome(event, thing)
    if outcome is None:
        known = event.startswith(_OTHERS) and event not in _FINISHED
        return (
            Ignored(reason=_why(event), provider_id=event_id, at=at)
            if known
            else Unknown(reason="unreadable_shape" if event in _FINISHED else "unknown_event", name=event)
        )
    transaction = _transaction(event, thing)
    if transaction is None:
        return Unknown(reason="unreadable_shape", name=event)
    details = mapping(thing.get("customer_details") or thing.get("billing_details"))
    metadata = mapping(thing.get("metadata"))
    error = mapping(thing.get("last_payment_error"))
    return Payment(
        event_id=event_id,
        platform=STRIPE.name,
        outcome=outcome,
        at=at,
        person=Person(
            phone=whole(details.get("phone")),
            name=name(details.get("name")),
            email=word(details.get("email")),
            reference=word(thing.get("client_reference_id")) or word(metadata.get("conversa")),
        ),
        transaction=transaction,
        product=name(metadata.get("produto")) or name(metadata.get("product")),
        amount_cents=whole_cents(thing.get("amount_total", thing.get("amount"))),
        data=facts(
            {
                "event": event,
                "status": thing.get("payment_status") or thing.get("status"),
                "product_id": metadata.get("product_id"),
                "currency": thing.get("currency"),
                "refusal": error.get("decline_code") or error.get("code"),
                "checkout_url": thing.get("url"),
                "test_event": True if body.get("livemode") is False else None,
                **_ways_to_pay(mapping(thing.get("next_action"))),
            }
        ),
    )


def _outcome(event: str, thing: Mapping[str, object]) -> str | None:
    """What an event came to; None when it is no news of a sale."""
    if event in _FINISHED:
        if thing.get("payment_status") in _PAID:
            return "approved"
        return ("boleto" if _only_boleto(thing) else "pix") if thing.get("payment_status") == "unpaid" else None
    if event == "charge.refunded":  # a part of the money that goes back leaves the sale as it is
        return "refunded" if thing.get("refunded") is True else None
    if event == "payment_intent.requires_action":
        return _NEXT.get(str(mapping(thing.get("next_action")).get("type")))
    return {
        f"{_CHECKOUT}async_payment_failed": "expired",
        f"{_CHECKOUT}expired": "abandoned",
        "payment_intent.succeeded": "approved",
        "payment_intent.payment_failed": "refused",
        "charge.dispute.created": "charged_back",
    }.get(event)


def _why(event: str) -> str:
    if event == "charge.refunded":
        return "partial_refund"
    return "subscription" if event.startswith(("invoice", "customer.subscription")) else "no_sale"


def _transaction(event: str, thing: Mapping[str, object]) -> str | None:
    """One name for checkout, payment and charge of a sale: the payment's."""
    own = thing.get("id")
    return word(own if event.startswith("payment_intent.") else thing.get("payment_intent") or own)


def _only_boleto(thing: Mapping[str, object]) -> bool:
    ways = thing.get("payment_method_types")
    return isinstance(ways, list) and "boleto" in ways and "pix" not in ways


def _ways_to_pay(action: Mapping[str, object]) -> Mapping[str, object]:
    pix, boleto = mapping(action.get("pix_display_qr_code")), mapping(action.get("boleto_display_details"))
    return {
        "pix_code": pix.get("data"),
        "pix_expiration_date": pix.get("expires_at"),
        "billet_url": boleto.get("hosted_voucher_url"),
        "billet_barcode": boleto.get("number"),
    }
