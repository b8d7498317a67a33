"""A charge that names a customer by the platform's own number: who that is is asked when nobody has its code (R34)."""

import pytest

from tests.payload_files import load
from tests.services.counter import talked
from tests.services.shop import ANA

CUSTOMER = {"id": "cus_000000000001", "name": "Ana Lima", "mobilePhone": "41 90000-0001"}


async def test_an_asaas_customer_is_asked_for_only_when_nobody_has_the_charge_s_code(counter):
    """R34."""
    await talked(counter, "asaas")
    body = load("asaas/payment_confirmed.json")
    body["payment"]["externalReference"] = "conv-1"
    assert await counter.hears("asaas", body) == 200
    await counter.shop.works()
    assert (counter.fake.asked, await counter.shop.state()) == ([], "PAGO")


@pytest.mark.parametrize("code", [None, "somebody-else-s-number"])
async def test_an_asaas_customer_who_is_asked_for_is_known_by_phone(counter, code):
    """R34, R70: confirmed and received are one piece of news, whoever asks first."""
    await counter.opens("asaas")
    counter.fake.customers["cus_000000000001"] = CUSTOMER
    for file in ("payment_confirmed", "payment_received"):
        body = load(f"asaas/{file}.json")
        body["payment"]["externalReference"] = code
        assert await counter.hears("asaas", body) == 200
    assert await counter.shop.rows("SELECT id FROM event") == []
    await counter.shop.works()
    assert counter.fake.asked == ["/v3/customers/cus_000000000001"] * 2
    assert await counter.shop.state(ANA) == "PAGO"
    outcomes = await counter.shop.rows("SELECT outcome FROM event WHERE source = 'payment'")
    assert sorted(row["outcome"] for row in outcomes) == ["duplicate", "moved"]


async def test_a_customer_without_a_phone_leaves_an_orphan_that_is_seen(counter):
    """R34: never away."""
    await counter.opens("asaas")
    counter.fake.customers["cus_000000000001"] = {**CUSTOMER, "mobilePhone": None}
    await counter.hears("asaas", load("asaas/payment_confirmed.json"))
    await counter.shop.works()
    (row,) = await counter.shop.rows("SELECT outcome, reason FROM event")
    assert tuple(row.values()) == ("orphan", "no_person")
