"""Payments that nobody could be tied to, and a person who ties them (R34)."""

import asyncio

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.services import unmatched
from engine.services.doctor import examine
from engine.store import contacts
from tests.payload_files import load
from tests.services.shop import ANA, BIA

DORA = Actor("dora@loja.example")


async def pays_without_a_phone(shop, *, event="PURCHASE_APPROVED", tx="HP1", named="evt-1", **buyer):
    """A notice that names an e-mail at most."""
    body = load("hotmart/purchase_approved_card.json")
    body |= {"id": named, "event": event, "creation_date": shop.clock.now()}
    body["data"]["buyer"] = {"name": "Ana L.", "email": "ana@x.example", **buyer}
    purchase = body["data"]["purchase"]
    purchase["transaction"] = tx
    purchase["tracking"] = {"source_sck": "bio-do-instagram"}
    purchase.pop("sckPaymentLink", None)
    return await shop.notices(body)


async def contact_id(shop, phone=ANA):
    return (await shop.person(phone))["id"]


async def sound(shop):
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}


async def test_it_is_listed_with_what_the_platform_says_of_it(shop):
    assert await pays_without_a_phone(shop) == 200
    there = await unmatched.queue(shop.runtime)
    [stray] = there.strays
    assert there.waiting == 1
    assert (stray.type, stray.platform, stray.transaction) == ("pagamento_aprovado", "hotmart", "HP1")
    assert (stray.name, stray.email, stray.reference) == ("Ana L.", "ana@x.example", "bio-do-instagram")
    assert stray.cents is not None and stray.reason == "no_person"


async def test_tied_by_hand_it_goes_through_the_same_door_once(shop):
    await shop.talks(ANA, "oi")
    await pays_without_a_phone(shop)
    [stray] = (await unmatched.queue(shop.runtime)).strays
    taken = await unmatched.tie(shop.runtime, stray.id, await contact_id(shop), DORA)
    await shop.works()
    assert taken == (await shop.conversation()).id
    assert await shop.state() == "PAGO"
    assert [letter.action for letter in await shop.letters()].count("entregar_acesso") == 1
    with pytest.raises(Refused, match="payment_settled"):
        await unmatched.tie(shop.runtime, stray.id, await contact_id(shop), DORA)
    await pays_without_a_phone(shop)
    await pays_without_a_phone(shop, named="evt-9")
    await shop.works()
    assert (await unmatched.queue(shop.runtime)).waiting == 0
    assert [letter.action for letter in await shop.letters()].count("entregar_acesso") == 1
    [entry] = await shop.rows("SELECT who, subject FROM audit WHERE what = 'payment.tied'")
    assert entry == {"who": DORA.who, "subject": str(await contact_id(shop))}
    await sound(shop)


async def test_two_who_tie_it_at_once_tie_it_once(busy_shop):
    await busy_shop.writes(ANA, "oi")
    await busy_shop.writes(BIA, "oi")
    await pays_without_a_phone(busy_shop)
    [stray] = (await unmatched.queue(busy_shop.runtime)).strays
    both = [await contact_id(busy_shop, phone) for phone in (ANA, BIA)]
    came = await asyncio.gather(
        *(unmatched.tie(busy_shop.runtime, stray.id, one, DORA) for one in both), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in came) == ["Refused", "int"]


async def test_what_waits_of_one_purchase_is_tied_together_in_its_order_and_what_follows_finds_its_way(shop):
    await shop.talks(ANA, "oi")
    await pays_without_a_phone(shop, event="PURCHASE_BILLET_PRINTED", named="evt-1")
    shop.clock.advance(60_000)
    await pays_without_a_phone(shop, named="evt-2")
    newest, _ = (await unmatched.queue(shop.runtime)).strays
    await unmatched.tie(shop.runtime, newest.id, await contact_id(shop), DORA)
    await shop.works()
    moved = await shop.rows(
        "SELECT event, \"to\" FROM log WHERE outcome = 'transition' AND event <> 'msg_recebida' ORDER BY id"
    )
    assert [row["to"] for row in moved] == ["AGUARDANDO_PIX", "PAGO"]
    await pays_without_a_phone(shop, event="PURCHASE_REFUNDED", named="evt-3")
    await shop.works()
    assert await shop.state() == "REEMBOLSADO", "the purchase is known now"
    assert (await unmatched.queue(shop.runtime)).waiting == 0
    await sound(shop)


async def test_a_code_that_many_links_carry_ties_nobody_and_the_e_mail_is_learnt(shop):
    await shop.talks(ANA, "oi")
    await pays_without_a_phone(shop)
    [stray] = (await unmatched.queue(shop.runtime)).strays
    await unmatched.tie(shop.runtime, stray.id, await contact_id(shop), DORA)
    assert (await shop.person())["email"] == "ana@x.example"
    assert await shop.runtime.store.read(lambda tx: contacts.find(tx, "bio-do-instagram")) is None
    await pays_without_a_phone(shop, tx="HP2", named="evt-2")
    assert (await unmatched.queue(shop.runtime)).waiting == 1


async def test_whoever_has_no_talk_in_the_flow_gets_one_on_a_number_that_can_send(shop):
    await pays_without_a_phone(shop)
    made = await shop.runtime.store.write(
        "x", lambda tx: contacts.resolve(tx, contacts.Person(phone=BIA), 1).contact_id
    )
    [stray] = (await unmatched.queue(shop.runtime)).strays
    await unmatched.tie(shop.runtime, stray.id, made, DORA)
    await shop.works()
    assert (await shop.conversation(BIA)).channel_id == shop.channel_id
    assert await shop.state(BIA) == "PAGO"
    assert [(letter.action, letter.status) for letter in await shop.letters()] == [("entregar_acesso", "sent")]


async def test_it_may_be_set_aside_and_stays_in_the_table(shop):
    await pays_without_a_phone(shop)
    [stray] = (await unmatched.queue(shop.runtime)).strays
    await unmatched.set_aside(shop.runtime, stray.id, DORA)
    assert (await unmatched.queue(shop.runtime)).waiting == 0
    assert await shop.rows("SELECT outcome, reason FROM event") == [{"outcome": "ignored", "reason": "set_aside"}]
    with pytest.raises(Refused, match="payment_settled"):
        await unmatched.set_aside(shop.runtime, stray.id, DORA)
    with pytest.raises(Refused, match="payment_settled"):
        await unmatched.tie(shop.runtime, stray.id, 1, DORA)


async def test_nobody_and_a_flow_that_is_not_live_are_refused_and_nothing_is_lost(shop):
    await shop.talks(ANA, "oi")
    await pays_without_a_phone(shop)
    [stray] = (await unmatched.queue(shop.runtime)).strays
    with pytest.raises(NotFound):
        await unmatched.tie(shop.runtime, stray.id, 99, DORA)
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE payment_source SET flow = 'nada'"))
    with pytest.raises(Refused, match="no_live_flow"):
        await unmatched.tie(shop.runtime, stray.id, await contact_id(shop), DORA)
    assert (await unmatched.queue(shop.runtime)).waiting == 1


@pytest.mark.parametrize(
    ("words", "phones", "there"),
    [
        ("ana", False, 2),
        ("LIMA", True, 2),
        ("41900000002", True, 1),
        ("41900000002", False, 0),
        ("", True, 0),
        ("%", True, 0),
    ],
)
async def test_people_are_found_by_name_and_by_phone_where_it_may_be_seen(shop, words, phones, there):
    await shop.writes(ANA, "oi")
    await shop.writes(BIA, "oi")
    assert len(await unmatched.people(shop.runtime, words, by_phone=phones)) == there
