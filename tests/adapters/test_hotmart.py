"""Hotmart: who may post, what its events mean, and the odd things that stand in its fields (SEC-S1, SEC-S2)."""

from typing import Any

import pytest

from engine.adapters.payments.hotmart import HOTMART
from engine.adapters.payments.phones import with_country
from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.core.errors import BadSignature
from engine.core.inbound import Ignored, Item, Payment, Unknown
from tests.payload_files import ARRIVAL, load

SOURCE = SourceConfig(1, "hotmart", "fonte", secrets={"hottok": "HOTTOK-INVENTADO"})
HEADERS = load("hotmart/auth_headers.json")["headers"]


def noticed(body: dict[str, Any] | None, headers: dict[str, str] | None = None) -> Notice:
    return Notice(raw=b"", body=body, received_at=ARRIVAL, headers=headers or {})


def read(body: dict[str, Any]) -> Item:
    (item,) = HOTMART.parse(SOURCE, noticed(body)).items
    return item


def payment(name: str) -> Payment:
    item = read(load(f"hotmart/{name}.json"))
    assert isinstance(item, Payment)
    return item


def refused(headers: dict[str, str], body: dict[str, Any] | None, source: SourceConfig = SOURCE) -> bool:
    try:
        HOTMART.proof.verify(source, noticed(body, headers))
    except BadSignature as error:
        return error.reason == "auth"
    return False


def test_the_token_in_the_header_opens_the_door() -> None:
    assert not refused(HEADERS, None)
    assert not refused({"x-hotmart-hottok": "HOTTOK-INVENTADO"}, {})


def test_an_older_delivery_carries_it_in_the_body_and_it_is_not_kept() -> None:
    body = load("hotmart/purchase_approved_with_hottok_in_body.json")
    assert not refused({}, body)
    assert "hottok" not in HOTMART.parse(SOURCE, noticed(body)).kept


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, None),
        ({}, {}),
        ({"X-HOTMART-HOTTOK": "errado"}, {}),
        ({"X-HOTMART-HOTTOK": ""}, {}),
        ({}, {"hottok": "errado"}),
        ({}, {"hottok": None}),
        ({}, {"hottok": ["HOTTOK-INVENTADO"]}),
        ({"X-HOTMART-HOTTOK": "errado"}, {"hottok": "HOTTOK-INVENTADO"}),
        ({"X-HOTMART-HOTTOK": "HOTTOK-INVENTADO "}, {}),
        ({"X-HOTMART-HOTTOK": "hottok-inventado"}, {}),
    ],
)
def test_a_wrong_or_missing_token_keeps_everybody_out(headers: dict[str, str], body: dict[str, Any] | None) -> None:
    """Case 059: whoever knows the address could otherwise post an approval."""
    assert refused(headers, body)


def test_a_source_without_a_token_takes_nothing() -> None:
    for secrets in ({}, {"hottok": ""}, {"hottok": " , "}):
        assert refused({"X-HOTMART-HOTTOK": ""}, {"hottok": ""}, SourceConfig(1, "hotmart", "fonte", secrets=secrets))


def test_two_tokens_count_while_one_is_replaced() -> None:
    both = SourceConfig(1, "hotmart", "fonte", secrets={"hottok": "novo,velho"})
    assert not refused({"X-HOTMART-HOTTOK": "velho"}, None, both)
    assert not refused({"X-HOTMART-HOTTOK": "novo"}, None, both)


def test_complete_is_the_same_news_as_approved() -> None:
    """Cases 049 and 050: another id a month later, or the only notice there is."""
    approved, complete = payment("purchase_approved_pix"), payment("purchase_complete")
    assert approved.business_key == complete.business_key == "hotmart:HP9000000001:approved"
    assert approved.event_id != complete.event_id


def test_a_printed_billet_is_a_pix_when_the_payment_says_so() -> None:
    """Case 052: one event for two things."""
    assert payment("purchase_billet_printed_pix_waiting").outcome == "pix"
    assert payment("purchase_billet_printed_boleto").outcome == "boleto"
    body = load("hotmart/purchase_billet_printed_boleto.json")
    body["data"]["purchase"]["payment"] = {"pix_code": "0002"}
    item = read(body)
    assert isinstance(item, Payment)
    assert item.outcome == "pix"


def test_a_cart_has_no_transaction_and_so_no_business_key() -> None:
    cart = payment("out_of_shopping_cart")
    assert (cart.outcome, cart.transaction, cart.business_key) == ("abandoned", None, None)
    assert payment("out_of_shopping_cart_no_phone").person.phone is None


def test_a_test_event_of_the_panel_is_marked_and_keeps_its_own_time() -> None:
    """Its order dates are of 2017; neither they nor the shared transaction may hide it."""
    test = payment("panel_test_event_old_dates")
    assert test.data["test_event"] is True
    assert test.at == 1_785_589_800_123
    assert "test_event" not in payment("purchase_approved_card").data


def test_a_purchase_without_a_transaction_or_id_moves_no_money() -> None:
    for path in (("data", "purchase", "transaction"), ("id",)):
        body = load("hotmart/purchase_approved_card.json")
        holder = body
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
        assert read(body) == Unknown(reason="unreadable_shape", name="PURCHASE_APPROVED")


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("PURCHASE_CANCELLED", Payment),
        ("PURCHASE_PROTEST", Ignored),
        ("PURCHASE_DELAYED", Ignored),
        ("SWITCH_PLAN", Ignored),
        ("UPDATE_SUBSCRIPTION_CHARGE_DATE", Ignored),
        ("CLUB_MODULE_COMPLETED", Ignored),
        ("ORDER_FULFILLMENT", Ignored),
        ("PURCHASE_TELEPORTED", Unknown),
        (None, Unknown),
        (7, Unknown),
    ],
)
def test_every_event_has_a_place(event: object, expected: type) -> None:
    assert type(read({**load("hotmart/purchase_canceled.json"), "event": event})) is expected


def test_an_order_bump_names_the_purchase_that_it_belongs_to() -> None:
    body = load("hotmart/purchase_approved_card.json")
    body["data"]["purchase"]["order_bump"] = {"is_order_bump": True, "parent_purchase_transaction": "HP1"}
    item = read(body)
    assert isinstance(item, Payment)
    assert item.data["parent_transaction"] == "HP1"


@pytest.mark.parametrize(
    ("purchase", "reference"),
    [
        ({"sckPaymentLink": "conv-1", "tracking": {"source_sck": "other"}}, "conv-1"),
        ({"sckPaymentLink": "", "tracking": {"source_sck": "conv-2"}}, "conv-2"),
        ({"origin": {"sck": "conv-3"}}, "conv-3"),
        ({"tracking": {"source": "conv-4"}}, "conv-4"),
        ({"tracking": "conv"}, None),
        ({}, None),
    ],
)
def test_our_own_tracking_code_is_found_wherever_it_stands(purchase: dict[str, Any], reference: str | None) -> None:
    body = load("hotmart/purchase_approved_card.json")
    body["data"]["purchase"].pop("sckPaymentLink")
    body["data"]["purchase"].update(purchase)
    item = read(body)
    assert isinstance(item, Payment)
    assert item.person.reference == reference


@pytest.mark.parametrize(
    ("value", "cents"),
    [(197.0, 19_700), (197, 19_700), ("197.90", 19_790), (0.1 + 0.2, 30), (19.99, 1_999), (1.005, 100), (None, None),
     ("dez", None), (True, None), (-1, None), (1e40, None), (float(1 << 60), None), ("1E+999999", None),
     ("1E+900000", None), ("NaN", None), ("-Infinity", None), (10**400, None), ("1E-999999", 0)],
)  # fmt: skip
def test_a_price_becomes_whole_cents(value: object, cents: int | None) -> None:
    body = load("hotmart/purchase_approved_card.json")
    body["data"]["purchase"]["price"]["value"] = value
    item = read(body)
    assert isinstance(item, Payment)
    assert item.amount_cents == cents


@pytest.mark.parametrize(
    ("phone", "code", "country", "expected"),
    [
        ("41900000001", "41", "BR", "5541900000001"),
        ("41900000001", None, None, "5541900000001"),
        ("41900000001", "55", "BR", "5541900000001"),
        ("(41) 90000-0001", "+55", "BR", "5541900000001"),
        ("041900000001", "41", "BR", "5541900000001"),
        ("5541900000001", "55", "BR", "5541900000001"),
        ("+55 41 90000-0001", "", "BR", "5541900000001"),
        ("2180000003", None, "BR", "552180000003"),
        ("900000001", "41", "BR", "5541900000001"),
        ("900000001", "55", "BR", "900000001"),
        ("900000001", None, "BR", "900000001"),
        ("99999999900", "999999999", "BR", "5599999999900"),
        ("912345678", "351", "PT", "351912345678"),
        ("351912345678", "351", "PT", "351912345678"),
        ("912345678", "", "PT", "912345678"),
        ("912345678", "999999999", "PT", "912345678"),
        ("", "41", "BR", None),
        (None, None, None, None),
        ("não tenho", "41", "BR", None),
        ("123", None, "BR", None),
    ],
)
def test_a_form_telephone_gets_its_country_code_and_is_never_shortened(
    phone: str | None, code: str | None, country: str | None, expected: str | None
) -> None:
    """Cases 016 and 017: no guessing of ninth digits here, equality is decided on a canonical key elsewhere."""
    assert with_country(phone, code, country) == expected
