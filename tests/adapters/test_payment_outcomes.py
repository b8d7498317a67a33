"""What each platform's events come to, beyond the bodies that were recorded; money moves on the platform's own truth."""

from typing import Any

import pytest

from engine.adapters.payments.registry import PLATFORMS
from engine.core.inbound import Ignored, Inquiry, Item, Payment, Unknown
from tests.adapters.mutations import replaced
from tests.adapters.sample_notices import notice_of, source
from tests.payload_files import ARRIVAL, load


def items(name: str, changes: dict[str, Any] | None = None) -> list[Item]:
    """The items of a sample with some places changed, `data.0.id`."""
    platform, body = name.partition("/")[0], load(name)
    for path, value in (changes or {}).items():
        body = replaced(body, _place(body, path), value)
    return list(PLATFORMS[platform].parse(source(platform), notice_of(body)).items)


def _place(body: Any, path: str) -> tuple[Any, ...]:
    place: list[Any] = []
    for step in path.split("."):
        key = int(step) if isinstance(body, list) else step
        if isinstance(body, dict):
            body.setdefault(key, None)
        body = body[key]
        place.append(key)
    return tuple(place)


def said(name: str, changes: dict[str, Any] | None = None) -> str:
    """The outcome, or what else it is with the reason."""
    (item,) = items(name, changes)
    if isinstance(item, Payment):
        return item.outcome
    assert isinstance(item, Ignored | Unknown)
    return f"{type(item).__name__.lower()}:{item.reason}"


@pytest.mark.parametrize(
    ("file", "place", "expected"),
    [
        ("kiwify/order_approved.json", "webhook_event_type", {
            "order_approved": "approved", "order_rejected": "refused", "order_refunded": "refunded",
            "chargeback": "charged_back", "pix_created": "pix", "billet_created": "boleto",
            "subscription_canceled": "ignored:subscription", "subscription_late": "ignored:subscription",
            "subscription_renewed": "ignored:subscription", "teleported": "unknown:unknown_event",
            None: "unknown:unknown_event",
        }),
        ("eduzz/invoice_paid.json", "event", {
            "myeduzz.invoice_paid": "approved", "myeduzz.invoice_refused": "refused", "myeduzz.invoice_canceled": "expired",
            "myeduzz.invoice_expired": "expired", "myeduzz.invoice_refunded": "refunded",
            "myeduzz.invoice_chargeback": "charged_back", "myeduzz.invoice_waiting_refund": "ignored:refund_pending",
            "myeduzz.invoice_waiting_payment": "ignored:payment_pending", "myeduzz.invoice_overdue": "ignored:payment_delayed",
            "myeduzz.cart_abandonment": "abandoned", "sun.cart_abandonment": "abandoned", "ping": "ignored:test",
            "myeduzz.contract_created": "ignored:subscription", "nutror.lesson_watched": "unknown:unknown_event",
            "myeduzz.invoice_teleported": "unknown:unknown_event",
        }),
        ("cakto/purchase_approved.json", "event", {
            "purchase_approved": "approved", "purchase_refused": "refused", "pix_gerado": "pix", "boleto_gerado": "boleto",
            "refund": "refunded", "chargeback": "charged_back", "checkout_abandonment": "abandoned",
            "initiate_checkout": "ignored:checkout_opened", "picpay_gerado": "ignored:payment_pending",
            "subscription_renewed": "ignored:subscription", "teleported": "unknown:unknown_event",
        }),
        ("perfectpay/approved_2.json", "sale_status_enum", {
            1: "pix", 2: "approved", 3: "ignored:payment_pending", 4: "ignored:dispute", 5: "refused", 6: "refused",
            8: "approved", 9: "charged_back", 10: "approved", 11: "refused", 12: "abandoned", 13: "expired",
            15: "ignored:payment_renewed", 16: "ignored:payment_pending", 17: "charged_back", 18: "refunded", "2": "approved",
            99: "unknown:unknown_event", "x": "unknown:unknown_event",
        }),
        ("ticto/authorized.json", "status", {
            "authorized": "approved", "refused": "refused", "pix_created": "pix", "bank_slip_created": "boleto",
            "pix_expired": "expired", "refunded": "refunded", "chargeback": "charged_back", "abandoned_cart": "abandoned",
            "waiting_payment": "ignored:payment_pending", "bank_slip_delayed": "ignored:payment_delayed",
            "claimed": "ignored:dispute", "subscription_canceled": "ignored:subscription", "close": "ignored:subscription",
            "teleported": "unknown:unknown_event",
        }),
        ("asaas/payment_received.json", "event", {
            "PAYMENT_CREATED": "pix", "PAYMENT_CONFIRMED": "approved", "PAYMENT_RECEIVED": "approved",
            "PAYMENT_OVERDUE": "expired", "PAYMENT_REFUNDED": "refunded", "PAYMENT_PARTIALLY_REFUNDED": "ignored:partial_refund",
            "PAYMENT_REFUND_IN_PROGRESS": "ignored:refund_pending", "PAYMENT_CHARGEBACK_REQUESTED": "charged_back",
            "PAYMENT_CHARGEBACK_DISPUTE": "ignored:dispute", "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED": "refused",
            "PAYMENT_REPROVED_BY_RISK_ANALYSIS": "refused", "PAYMENT_AWAITING_RISK_ANALYSIS": "ignored:payment_pending",
            "PAYMENT_DELETED": "ignored:charge_deleted", "PAYMENT_BANK_SLIP_VIEWED": "ignored:viewed",
            "SUBSCRIPTION_DELETED": "ignored:no_payment", "PAYMENT_TELEPORTED": "unknown:unknown_event",
            "RECEIVED": "unknown:unknown_event",
        }),
        ("pagarme/v5_order_paid.json", "type", {
            "order.paid": "approved", "charge.paid": "approved", "order.payment_failed": "refused",
            "charge.payment_failed": "refused", "order.canceled": "expired", "charge.refunded": "refunded",
            "charge.chargedback": "charged_back", "charge.pending": "pix", "charge.partial_canceled": "ignored:partial_refund",
            "charge.processing": "ignored:payment_pending", "customer.created": "ignored:no_sale",
            "order.closed": "ignored:no_sale", "teleported": "unknown:unknown_event",
        }),
    ],
)  # fmt: skip
def test_every_event_has_a_place(file: str, place: str, expected: dict[object, str]) -> None:
    assert {event: said(file, {place: event}) for event in expected} == expected


STRIPE_SESSION = "stripe/checkout_session_completed_paid.json"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "approved"),
        ({"data.object.payment_status": "no_payment_required"}, "approved"),
        ({"data.object.payment_status": "unpaid"}, "pix"),
        ({"data.object.payment_status": "unpaid", "data.object.payment_method_types": ["card", "boleto"]}, "boleto"),
        ({"data.object.payment_status": "unpaid", "data.object.payment_method_types": ["pix", "boleto"]}, "pix"),
        ({"data.object.payment_status": "teleported"}, "unknown:unreadable_shape"),
        ({"data.object.payment_status": None}, "unknown:unreadable_shape"),
        ({"type": "checkout.session.async_payment_succeeded", "data.object.payment_status": "unpaid"}, "pix"),
        ({"type": "checkout.session.async_payment_failed"}, "expired"),
        ({"type": "payment_intent.succeeded"}, "approved"),
        ({"type": "payment_intent.created"}, "ignored:no_sale"),
        ({"type": "payment_intent.requires_action", "data.object.next_action": {"type": "pix_display_qr_code"}}, "pix"),
        (
            {"type": "payment_intent.requires_action", "data.object.next_action": {"type": "use_stripe_sdk"}},
            "ignored:no_sale",
        ),
        ({"type": "charge.dispute.created"}, "charged_back"),
        ({"type": "charge.dispute.closed"}, "ignored:no_sale"),
        ({"type": "invoice.paid"}, "ignored:subscription"),
        ({"type": "customer.subscription.deleted"}, "ignored:subscription"),
        ({"type": "teleporter.started"}, "unknown:unknown_event"),
        ({"data": None}, "unknown:unreadable_shape"),
        ({"id": None}, "unknown:unreadable_shape"),
    ],
)
def test_a_finished_stripe_checkout_is_paid_only_when_it_says_so(changes: dict[str, Any], expected: str) -> None:
    """Case 058, R34: `payment_status` decides, not the event's name."""
    assert said(STRIPE_SESSION, changes) == expected


def test_checkout_payment_and_charge_of_a_stripe_sale_are_one_transaction() -> None:
    """Case 047."""
    files = ["checkout_session_completed_paid", "payment_intent_payment_failed", "charge_refunded"]
    keys = [item.business_key for file in files for item in items(f"stripe/{file}.json") if isinstance(item, Payment)]
    assert keys == ["stripe:pi_0001:approved", "stripe:pi_0001:refused", "stripe:pi_0001:refunded"]
    (item,) = items(STRIPE_SESSION, {"data.object.payment_intent": None})
    assert isinstance(item, Payment) and item.transaction == "cs_test_0001"


def test_cakto_goes_by_the_event_and_never_by_the_status() -> None:
    """Case 055, R34."""
    file = "cakto/purchase_approved_status_still_waiting.json"
    assert [said(file), said(file, {"event": "pix_gerado", "data.status": "paid"})] == ["approved", "pix"]


def test_several_cakto_orders_in_one_notice_are_several_purchases() -> None:
    body = load("cakto/purchase_approved_v2_data_list.json")
    main = body["data"][0]
    body["data"] = [main, {**main, "id": "c2", "offer_type": "orderbump", "parent_order": main["refId"]}, "x", 7]
    found = PLATFORMS["cakto"].parse(source("cakto"), notice_of(body)).items
    first, bump, *rest = found
    assert isinstance(first, Payment) and isinstance(bump, Payment)
    assert "order_bump" not in first.data
    assert (bump.transaction, bump.data["order_bump"], bump.data["parent_transaction"]) == ("c2", True, "REFC001")
    assert [type(item) for item in rest] == [Unknown, Unknown]


def test_an_eduzz_invoice_of_several_items_is_a_purchase_for_each() -> None:
    more = {"productId": "70002", "name": "Bônus", "price": {"currency": "BRL", "value": 47}}
    body = load("eduzz/invoice_paid.json")
    body["data"]["items"].append(more)
    first, bump = PLATFORMS["eduzz"].parse(source("eduzz"), notice_of(body)).items
    assert isinstance(first, Payment) and isinstance(bump, Payment)
    assert (first.transaction, first.product, first.amount_cents) == ("TX930001", "Curso Exemplo", 19_700)
    assert (bump.transaction, bump.product, bump.amount_cents) == ("TX930001:70002", "Bônus", 4_700)
    assert bump.data["parent_transaction"] == "TX930001"
    assert first.event_id != bump.event_id
    body["event"] = "sun.cart_abandonment"
    (cart,) = PLATFORMS["eduzz"].parse(source("eduzz"), notice_of(body)).items
    assert isinstance(cart, Payment) and cart.transaction is None


@pytest.mark.parametrize(("method", "expected"), [("pix", "pix"), ("bank_slip", "boleto"), ("credit_card", None)])
def test_an_open_eduzz_invoice_waits_for_what_its_method_says(method: str, expected: str | None) -> None:
    outcome = said("eduzz/invoice_opened.json", {"data.paymentMethod": method})
    assert outcome == (expected or "ignored:payment_pending")


def test_the_producer_s_own_secret_in_an_eduzz_invoice_is_not_kept() -> None:
    body = load("eduzz/invoice_paid.json")
    body["data"]["producer"] = {"id": "1", "originSecret": "segredo-do-produtor"}
    assert "segredo-do-produtor" not in str(PLATFORMS["eduzz"].parse(source("eduzz"), notice_of(body)).kept)


@pytest.mark.parametrize(
    ("detail", "expected"),
    [("refunded", "refunded"), ("Reembolsado", "refunded"), ("", "refunded"), (None, "refunded"), ("billed", "unknown:unknown_event")],
)  # fmt: skip
def test_perfectpay_s_doubtful_seven_is_a_refund_unless_its_text_says_otherwise(
    detail: str | None, expected: str
) -> None:
    changes = {"sale_status_enum": 7, "sale_status_detail": detail}
    assert said("perfectpay/approved_2.json", changes) == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [(7, "pix"), (2, "boleto"), (8, "boleto"), (1, "ignored:payment_pending")]
)
def test_a_waiting_perfectpay_sale_waits_for_what_its_type_says(kind: int, expected: str) -> None:
    assert said("perfectpay/pending_1.json", {"payment_type_enum": kind}) == expected


@pytest.mark.parametrize(
    ("billing", "expected"), [("PIX", "pix"), ("BOLETO", "boleto"), ("UNDEFINED", "ignored:payment_pending")]
)
def test_a_new_asaas_charge_waits_for_what_its_type_says(billing: str, expected: str) -> None:
    assert said("asaas/payment_created.json", {"payment.billingType": billing}) == expected


def test_confirmed_and_received_are_one_piece_of_news() -> None:
    """R34: a card is confirmed first and its money received weeks later."""
    pair = [*items("asaas/payment_confirmed.json"), *items("asaas/payment_received.json")]
    assert [item.business_key for item in pair if isinstance(item, Payment)] == ["asaas:pay_000000000001:approved"] * 2
    assert len({item.event_id for item in pair if isinstance(item, Payment)}) == 2


def test_an_order_and_its_charge_at_pagar_me_are_one_purchase() -> None:
    body = load("pagarme/v5_order_paid.json")
    charge = {"id": "ch_1", "status": "paid", "amount": 19700, "payment_method": "pix", "order": body["data"]}
    found = PLATFORMS["pagarme"].parse(source("pagarme"), notice_of({**body, "type": "charge.paid", "data": charge}))
    (item,) = found.items
    assert isinstance(item, Payment)
    assert (item.transaction, item.person.phone, item.person.reference) == (
        "or_teste0001",
        "5541900000001",
        "conv-0001",
    )


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        ([], "approved"),
        ([("DEVOLVIDO", "197.00")], "refunded"),
        ([("DEVOLVIDO", "100.00"), ("DEVOLVIDO", "97.00")], "refunded"),
        ([("DEVOLVIDO", "100.00"), ("NAO_REALIZADO", "97.00")], "ignored:partial_refund"),
        ([("EM_PROCESSAMENTO", "197.00")], "ignored:refund_pending"),
        ([("NAO_REALIZADO", "197.00")], "ignored:refund_pending"),
    ],
)
def test_a_pix_is_given_back_when_all_of_its_money_is(returns: list[tuple[str, str]], expected: str) -> None:
    given = [{"id": f"d{n}", "status": status, "valor": value} for n, (status, value) in enumerate(returns)]
    assert said("pix_bcb/one_pix.json", {"pix.0.devolucoes": given}) == expected


def test_what_a_bank_posts_to_try_an_address_is_no_payment() -> None:
    (trial,) = PLATFORMS["pix_bcb"].parse(source("pix_bcb"), notice_of({"evento": "teste_webhook"})).items
    (other,) = PLATFORMS["pix_bcb"].parse(source("pix_bcb"), notice_of({"pix": []})).items
    assert (trial, other) == (Ignored(reason="test"), Unknown(reason="unknown_event"))


@pytest.mark.parametrize(
    ("query", "body", "expected"),
    [
        ({"data.id": "1", "type": "payment"}, {"id": 9}, Inquiry),
        ({"id": "1", "topic": "payment"}, {}, Inquiry),
        ({"data.id": "1"}, {"type": "payment"}, Inquiry),
        ({"type": "payment"}, {"data": {"id": "1"}}, Unknown),
        ({"id": "1", "topic": "merchant_order"}, {}, Ignored),
        ({"data.id": "1", "type": "subscription_preapproval"}, {}, Ignored),
        ({"data.id": "1", "type": "teleport"}, {}, Unknown),
        ({"data.id": "1"}, {}, Unknown),
    ],
)
def test_a_mercado_pago_notice_only_says_what_to_ask_for(
    query: dict[str, str], body: dict[str, Any], expected: type
) -> None:
    """Case 053, R34: neither the id in the body, which nobody signed, nor anything else of it moves money."""
    (item,) = PLATFORMS["mercadopago"].parse(source("mercadopago"), notice_of({"query": query, "body": body})).items
    assert type(item) is expected
    assert not isinstance(item, Inquiry) or item.about == {"payment": "1"}


FETCHED = "mercadopago/fetched_payment_pending.json"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "pix"),
        ({"payment_method_id": "bolbradesco"}, "boleto"),
        ({"payment_method_id": "x", "payment_type_id": "ticket"}, "boleto"),
        ({"payment_method_id": "master"}, "ignored:payment_pending"),
        ({"status": "in_process"}, "pix"),
        ({"status": "authorized"}, "ignored:payment_pending"),
        ({"status": "in_mediation"}, "ignored:dispute"),
        ({"status": "charged_back"}, "charged_back"),
        ({"status": "teleported"}, "unknown:unknown_event"),
        ({"status": None}, "unknown:unreadable_shape"),
        ({"id": 77000002}, "unknown:unreadable_shape"),
    ],
)
def test_a_fetched_payment_says_where_it_stands(changes: dict[str, Any], expected: str) -> None:
    fetch = PLATFORMS["mercadopago"].fetch
    assert fetch is not None
    (item,) = fetch.answer(source("mercadopago"), {"payment": "77000001"}, {**load(FETCHED), **changes}, ARRIVAL).items
    told = item.outcome if isinstance(item, Payment) else f"{type(item).__name__.lower()}:{getattr(item, 'reason', '')}"
    assert told == expected


CUSTOMER = {"id": "cus_000000000001", "name": "Lead Um", "mobilePhone": "41900000001", "phone": "4130000000"}


@pytest.mark.parametrize(
    ("changes", "phone"),
    [
        ({}, "5541900000001"),
        ({"mobilePhone": None}, "554130000000"),
        ({"mobilePhone": "", "phone": None}, None),
    ],
)
def test_a_fetched_customer_gives_the_charge_its_phone(changes: dict[str, Any], phone: str | None) -> None:
    fetch, body = PLATFORMS["asaas"].fetch, load("asaas/payment_received.json")
    assert fetch is not None
    about = {"customer": "cus_000000000001", "notice": body}
    (item,) = fetch.answer(source("asaas"), about, {**CUSTOMER, **changes}, ARRIVAL).items
    assert isinstance(item, Payment)
    assert (item.outcome, item.person.phone, item.person.name, item.ask) == ("approved", phone, "Lead Um", None)
    assert item.person.reference == "conv-0001"


@pytest.mark.parametrize("answer", [{}, {"errors": []}, {**CUSTOMER, "id": "cus_other"}])
def test_an_answer_that_does_not_say_who_the_customer_is_is_no_answer(answer: dict[str, Any]) -> None:
    fetch = PLATFORMS["asaas"].fetch
    assert fetch is not None
    about = {"customer": "cus_000000000001", "notice": load("asaas/payment_received.json")}
    (item,) = fetch.answer(source("asaas"), about, answer, ARRIVAL).items
    assert isinstance(item, Unknown)


def test_without_an_api_key_nobody_is_asked_for_a_customer() -> None:
    body = notice_of(load("asaas/payment_received.json"))
    config = source("asaas")
    poor = type(config)(1, "asaas", "fonte", secrets={"token": "x"})
    asks = [
        item.ask
        for c in (config, poor)
        for item in PLATFORMS["asaas"].parse(c, body).items
        if isinstance(item, Payment)
    ]
    assert asks[0] is not None and asks[1] is None


@pytest.mark.parametrize(
    ("file", "zone", "moved"),
    [
        ("kiwify/order_approved.json", "UTC", -3),
        ("ticto/authorized.json", "UTC", -3),
        ("perfectpay/approved_2.json", "America/Manaus", 1),
        ("asaas/payment_received.json", "UTC", -3),
    ],
)
def test_the_zone_of_dates_without_one_can_be_said(file: str, zone: str, moved: int) -> None:
    platform, notice = file.partition("/")[0], notice_of(load(file))
    usual, other = (
        PLATFORMS[platform].parse(c, notice).items[0] for c in (source(platform), source(platform, zone=zone))
    )
    assert isinstance(usual, Payment) and isinstance(other, Payment)
    assert other.at - usual.at == moved * 3_600_000
