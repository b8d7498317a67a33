"""Mercado Pago: a notice names a payment and says nothing about it, so the payment itself is fetched (R34)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.adapters.bodies import storable
from engine.adapters.http import HttpRequest
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts, fingerprint
from engine.adapters.payments.fetching import api_root, get, segment
from engine.adapters.payments.phones import in_parts
from engine.adapters.payments.protocol import Fetch, Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import first, with_header
from engine.adapters.proofs import header, hmac_hex, in_rotation, matches
from engine.adapters.reading import mapping, name, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.errors import BadSignature
from engine.core.flow import SECOND, Millis
from engine.core.inbound import Ignored, Inquiry, Item, Parsed, Payment, Person, Unknown

DEFAULT_BASE_URL = "https://api.mercadopago.com"
_SIGNATURE, _REQUEST = "x-signature", "x-request-id"
_OUTCOMES = {
    "approved": "approved",
    "rejected": "refused",
    "cancelled": "expired",
    "refunded": "refunded",
    "charged_back": "charged_back",
}
_WAITING = ("pending", "in_process")
_METHODS = {"pix": "pix", "bolbradesco": "boleto", "pec": "boleto"}
_IGNORED = {"authorized": "payment_pending", "in_mediation": "dispute"}
_OTHERS = ("merchant_order", "plan", "subscription", "invoice", "point_integration", "topic_", "stop_delivery", "order")


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The HMAC of a line made of the id in the query, the request's id and the moment; the body is not signed.

    The moment is not held against ours: a repetition may carry the old one, and hearing one twice fetches twice.
    """

    about: str = "HMAC-SHA256 of id, request id and time, header `x-signature`; the body is not signed"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        parts = [part.strip().partition("=") for part in header(notice.headers, _SIGNATURE).split(",")]
        moment = next((value for key, _, value in parts if key == "ts"), "")
        given = next((value for key, _, value in parts if key == "v1"), "")
        secrets = in_rotation(config.secrets.get("secret", ""))
        line = _line(notice, moment)
        if not moment or not matches(given, [hmac_hex(secret, line, "sha256") for secret in secrets]):
            raise BadSignature("signature")

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        moment = str(notice.received_at // SECOND)
        asked = with_header(notice, _REQUEST, f"request-{moment}")
        signature = hmac_hex(first(config, "secret"), _line(asked, moment), "sha256")
        return with_header(asked, _SIGNATURE, f"ts={moment},v1={signature}")


def _line(notice: Notice, moment: str) -> bytes:
    """What is absent is left out of the line."""
    request, wanted = header(notice.headers, _REQUEST), _id_in_query(notice).lower()
    parts = (("id", wanted), ("request-id", request), ("ts", moment))
    return "".join(f"{key}:{value};" for key, value in parts if value).encode("utf-8", "replace")


def _id_in_query(notice: Notice) -> str:
    """Webhooks say `data.id`, the older IPN `id`."""
    return notice.query.get("data.id") or notice.query.get("id") or ""


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """One notice; what stood in the query is kept with the body."""
    kept = {"query": dict(notice.query), "body": notice.content}
    return Parsed((_item(notice),), storable(kept)[0])


def _item(notice: Notice) -> Item:
    topic = word(notice.query.get("type") or notice.query.get("topic") or notice.content.get("type"))
    payment, notice_id = word(_id_in_query(notice)), word(notice.content.get("id"))
    if topic is None:
        return Unknown(reason="unknown_event")
    if topic != "payment":
        known = topic.startswith(_OTHERS)
        return (
            Ignored(reason="no_payment", provider_id=notice_id)
            if known
            else Unknown(reason="unknown_event", name=topic)
        )
    if payment is None:
        return Unknown(reason="unreadable_shape", name=topic)
    # An IPN has no id of its own: each of them asks once more, and the answers are told apart by what they say.
    own = notice_id or fingerprint(payment, notice.received_at, header(notice.headers, _REQUEST))
    at = to_millis(notice.content.get("date_created")) or notice.received_at
    return Inquiry(provider_id=own, at=at, about={"payment": payment})


def _request(config: SourceConfig, about: Mapping[str, object]) -> HttpRequest | None:
    token, payment = config.secrets.get("access_token"), segment(about.get("payment"))
    if not token or payment is None:
        return None
    root = api_root(config, DEFAULT_BASE_URL)
    return get(f"{root}/v1/payments/{payment}", {"Authorization": f"Bearer {token}"})


def _answer(
    _config: SourceConfig, about: Mapping[str, object], body: Mapping[str, object], received_at: Millis
) -> Parsed:
    return Parsed((_paid(about, body, received_at),), storable(body)[0])


def _paid(about: Mapping[str, object], body: Mapping[str, object], received_at: Millis) -> Item:
    """What the platform says about the payment that was asked for, and about no other."""
    asked, payment = str(about.get("payment")), word(body.get("id"))
    status = word(body.get("status"))
    if status is None or payment not in (None, asked):
        return Unknown(reason="unreadable_shape", name="payment")
    event_id = f"{asked}:{status}"
    at = to_millis(body.get("date_last_updated") or body.get("date_created")) or received_at
    is_boleto = body.get("payment_type_id") == "ticket"
    method = "boleto" if is_boleto else _METHODS.get(str(body.get("payment_method_id")))
    outcome = method if status in _WAITING else _OUTCOMES.get(status)
    if status in _IGNORED or (status in _WAITING and outcome is None):
        return Ignored(reason=_IGNORED.get(status, "payment_pending"), provider_id=event_id, at=at)
    if outcome is None:
        return Unknown(reason="unknown_event", name=status)
    payer, metadata = mapping(body.get("payer")), mapping(body.get("metadata"))
    phone = mapping(payer.get("phone"))
    bought = mapping(next(iter(objects(mapping(body.get("additional_info")).get("items"))), None))
    shown = mapping(mapping(body.get("point_of_interaction")).get("transaction_data"))
    return Payment(
        event_id=event_id,
        platform=MERCADOPAGO.name,
        outcome=outcome,
        at=at,
        person=Person(
            phone=in_parts(None, phone.get("area_code"), phone.get("number")),
            name=name(payer.get("first_name")),
            email=word(payer.get("email")),
            reference=word(body.get("external_reference")) or word(metadata.get("conversa")),
        ),
        transaction=asked,
        product=name(bought.get("title")) or name(body.get("description")) or word(bought.get("id")),
        amount_cents=cents(body.get("transaction_amount")),
        data=facts(
            {
                "event": f"payment.{status}",
                "status": body.get("status_detail"),
                "product_id": bought.get("id"),
                "currency": body.get("currency_id"),
                "payment_type": body.get("payment_method_id"),
                "refusal": body.get("status_detail") if outcome == "refused" else None,
                "pix_code": shown.get("qr_code"),
                "pix_expiration_date": body.get("date_of_expiration"),
                "billet_url": mapping(body.get("transaction_details")).get("external_resource_url"),
                "installments_number": body.get("installments"),
            }
        ),
    )


MERCADOPAGO = Platform(
    name="mercadopago",
    title="Mercado Pago",
    keys=(
        Key("secret", "the secret signature of the application's webhooks", secret=True),
        Key("access_token", "the access token of the account, to fetch payments", secret=True),
        Key("base_url", f"another address of its API ({DEFAULT_BASE_URL})"),
    ),
    proof=_Manifest(),
    parse=_parse,
    outcomes=frozenset({*_OUTCOMES.values(), *_METHODS.values()}),
    phone=None,
    reference="`external_reference` of the fetched payment",
    fetch=Fetch(about="`GET /v1/payments/{id}`", request=_request, answer=_answer),
    unverified=("the fields of a fetched payment", "that an unsigned IPN exists; without a signature it is refused"),
)
