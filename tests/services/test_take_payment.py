"""Whose purchase a notice is about, and in which flow it counts (R34)."""

import pytest

from engine.core.canonical import canonical
from engine.core.document import read
from engine.core.errors import NotFound, Refused
from engine.services import receive, sources, unmatched
from engine.services.scenarios.reference import document
from engine.store import contacts, flows
from tests.payload_files import load, raw
from tests.services.shop import ACTOR, ANA, BIA


async def known(counter, phone, code):
    """A person who talked with us, and whose link carries a code."""
    await counter.shop.talks(phone, "oi", "quero comprar")

    def unit(tx):
        contacts.track(tx, contacts.find(tx, phone), code, counter.shop.clock.now())

    await counter.shop.runtime.store.write("setup", unit)


async def another_flow(counter, slug="combo"):
    """The sample once more under another name."""
    tree = document("venda", {"slug": slug})
    now = counter.shop.clock.now()

    def unit(tx):
        flows.add(tx, slug=slug, title=slug, text=canonical(tree), now=now, who="")
        flows.publish(tx, slug=slug, text=canonical(tree), sha256=read(tree).sha256, note="", author="", now=now)

    await counter.shop.runtime.store.write("setup", unit)


async def standing(counter):
    """(flow, state) of every conversation."""
    rows = await counter.shop.rows("SELECT flow, state FROM conversation ORDER BY id")
    return [(row["flow"], row["state"]) for row in rows]


async def outcomes(counter):
    rows = await counter.shop.rows("SELECT outcome FROM event WHERE source = 'payment' ORDER BY received_at, id")
    return [row["outcome"] for row in rows]


def stripe(named, event, **thing):
    return {"id": named, "type": event, "created": 1_764_500_000, "data": {"object": thing}}


SESSION = {"id": "cs_1", "payment_intent": "pi_1", "payment_status": "paid", "client_reference_id": "conv-1"}


async def test_a_notice_that_names_nobody_belongs_to_the_buyer_of_the_same_purchase(counter):
    """Case 047: a refusal, and later a refund, know only the payment."""
    await known(counter, ANA, "conv-1")
    await counter.opens("stripe")
    await counter.hears("stripe", stripe("evt_1", "checkout.session.completed", **SESSION))
    await counter.shop.works()
    await counter.hears("stripe", stripe("evt_2", "charge.refunded", id="ch_1", payment_intent="pi_1", refunded=True))
    await counter.shop.works()
    assert await counter.shop.state() == "REEMBOLSADO"
    assert await outcomes(counter) == ["moved", "moved"]


async def test_news_of_nobody_does_not_hide_the_same_news_of_somebody(counter):
    """R34: the payment is told before the checkout that knows whose it is."""
    await known(counter, ANA, "conv-1")
    await counter.opens("stripe")
    for named in ("evt_0", "evt_1"):
        await counter.hears("stripe", stripe(named, "payment_intent.succeeded", id="pi_1", status="succeeded"))
    await counter.shop.works()
    assert await outcomes(counter) == ["orphan", "duplicate"]
    assert (await unmatched.queue(counter.shop.runtime)).waiting == 1
    for named in ("evt_2", "evt_3"):
        await counter.hears("stripe", stripe(named, "checkout.session.completed", **SESSION))
    await counter.shop.works()
    assert await counter.shop.state() == "PAGO"
    assert sorted(await outcomes(counter)) == ["duplicate", "duplicate", "duplicate", "moved"]
    assert (await unmatched.queue(counter.shop.runtime)).waiting == 0, "nobody has to look for the person any more"
    assert await counter.deliveries() == 1


async def test_a_refund_of_nobody_still_stops_a_late_approval(counter):
    await counter.opens("stripe")
    await counter.hears("stripe", stripe("evt_1", "charge.refunded", id="ch_1", payment_intent="pi_1", refunded=True))
    await known(counter, ANA, "conv-1")
    await counter.hears("stripe", stripe("evt_2", "checkout.session.completed", **SESSION))
    await counter.shop.works()
    assert await outcomes(counter) == ["orphan", "ignored"]
    assert await counter.deliveries() == 0


def kiwify(event, order="k-1", **product):
    body = load("kiwify/order_approved.json")
    return {**body, "order_id": order, "webhook_event_type": event, "Product": product, "TrackingParameters": {}}


@pytest.mark.parametrize(
    ("key", "product", "flow"),
    [
        ("product.prod-9", {"product_id": "prod-9", "product_name": "Combo"}, "combo"),
        ("product.Combo Ouro", {"product_id": "prod-9", "product_name": " combo OURO"}, "combo"),
        ("product.prod-9", {"product_id": "prod-8", "product_name": "Combo"}, "venda"),
        ("product.prod-9", {}, "venda"),
    ],
)
async def test_a_product_s_notices_go_to_its_own_flow(counter, key, product, flow):
    await another_flow(counter)
    await counter.opens("kiwify", **{key: "combo"})
    await counter.hears("kiwify", kiwify("order_approved", **product))
    await counter.shop.works()
    assert await standing(counter) == [(flow, "PAGO")]


async def test_an_id_counts_before_a_name_and_a_purchase_stays_in_the_flow_where_it_began(counter):
    await another_flow(counter)
    made = await counter.opens("kiwify", **{"product.prod-9": "combo", "product.Curso": "venda"})
    product = {"product_id": "prod-9", "product_name": "Curso"}
    await counter.hears("kiwify", kiwify("pix_created", **product))
    await counter.shop.works()
    await sources.change(counter.shop.runtime, made.id, ACTOR, values={"product.prod-9": ""})
    await counter.hears("kiwify", kiwify("order_approved", **product))
    await counter.shop.works()
    assert await standing(counter) == [("combo", "PAGO")]


async def test_the_flows_of_products_are_kept_with_the_source(counter):
    await another_flow(counter)
    made = await counter.opens("kiwify", **{"product.prod-9": "combo"})
    assert made.products == {"prod-9": "combo"}
    with pytest.raises(NotFound):
        await sources.change(counter.shop.runtime, made.id, ACTOR, values={"product.prod-9": "nowhere"})
    with pytest.raises(Refused):
        await sources.change(counter.shop.runtime, made.id, ACTOR, values={"product.": "combo"})
    changed = await sources.change(counter.shop.runtime, made.id, ACTOR, values={"product.prod-9": "", "zone": "UTC"})
    assert (changed.products, changed.config.zone) == ({}, "UTC")


@pytest.mark.parametrize(
    ("platform", "key", "value", "code"),
    [
        ("kiwify", "zone", "Mars/Olympus", "zone_unknown"),
        ("kiwify", "zone", "../etc/passwd", "zone_unknown"),
        ("json", "outcome.paid", "paid", "outcome_unknown"),
        ("json", "outcome.", "approved", "key_unknown"),
        ("kiwify", "outcome.paid", "approved", "key_unknown"),
        ("stripe", "access_token", "x", "key_unknown"),
        ("mercadopago", "base_url", "ftp://x", "base_url_unreadable"),
    ],
)
async def test_a_platform_takes_the_keys_that_it_declares_with_values_that_they_can_have(
    counter, platform, key, value, code
):
    with pytest.raises(Refused) as caught:
        await counter.opens(platform, **{key: value})
    assert caught.value.code == code


async def test_an_order_bump_is_a_purchase_of_its_own(counter):
    await counter.opens("eduzz")
    body = load("eduzz/invoice_paid.json")
    body["data"]["items"].append({"productId": "70002", "name": "Bônus", "price": {"value": 47}})
    assert await counter.hears("eduzz", body) == 200
    await counter.shop.works()
    assert await outcomes(counter) == ["moved", "moved"]
    assert len(await counter.shop.rows("SELECT id FROM conversation")) == 1


async def test_several_pix_of_one_post_reach_their_buyers_and_one_comes_back(counter):
    """R34: the bank knows nobody, our own txid does."""
    await known(counter, ANA, "conv00010000000000000000000001")
    await known(counter, BIA, "conv00010000000000000000000002")
    await counter.opens("pix_bcb")
    assert await counter.hears("pix_bcb", load("pix_bcb/two_pix_grouped.json")) == 200
    await counter.shop.works()
    assert [await counter.shop.state(phone) for phone in (ANA, BIA)] == ["PAGO", "PAGO"]
    assert await counter.hears("pix_bcb", load("pix_bcb/refund_devolvido.json")) == 200
    await counter.shop.works()
    assert [await counter.shop.state(phone) for phone in (ANA, BIA)] == ["REEMBOLSADO", "PAGO"]


async def test_a_form_of_an_older_api_is_refused_where_it_can_be_seen(counter):
    """R20: the platform comes again, and the beginning is kept."""
    made = await counter.opens("pagarme")
    headers = {"authorization": "Basic c2VncmVkby11c2VyOnNlZ3JlZG8tcGFzc3dvcmQ="}
    form = raw("pagarme/v4_postback_form.txt")
    assert (await receive.payment(counter.shop.runtime, made.token, headers, {}, form)).status == 400
    (kept,) = await counter.shop.rows("SELECT verdict FROM webhook WHERE source_id = :id", id=made.id)
    assert kept["verdict"] == "unreadable"
