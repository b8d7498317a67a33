"""Whom a message is from and which conversation it belongs to (R70, R71, R73)."""

import asyncio

import pytest

from engine.store import contacts
from tests.services.shop import ANA, BIA, Shop, both_first, enveloped, opened

NEW, OLD = "5541987654321", "554187654321"


async def people(shop):
    return len(await shop.rows("SELECT id FROM contact"))


async def test_two_spellings_of_one_number_are_one_contact_with_one_cycle(shop):
    """R70."""
    await shop.writes(OLD, "oi")
    await shop.writes(NEW, "quanto custa?")
    assert await people(shop) == 1
    assert len(await shop.rows("SELECT id FROM conversation")) == 1


async def test_a_landline_is_never_taken_for_a_mobile(shop):
    """R70."""
    await shop.writes("554133330001", "oi")
    await shop.writes("5541933330001", "oi")
    assert await people(shop) == 2


async def test_strangers_who_arrive_under_two_spellings_at_once_are_one_contact(busy_shop, monkeypatch):
    """R70: both are looked for, neither is found, and still one is made."""
    both_first(monkeypatch, contacts, "_create")
    bodies = [busy_shop.body(phone, "oi", f"wamid.{n}") for n, phone in enumerate([OLD, NEW] * 6)]
    assert set(await asyncio.gather(*map(busy_shop.posts, bodies))) == {200}
    assert await people(busy_shop) == 1
    assert len(await busy_shop.rows("SELECT id FROM conversation")) == 1
    assert len(await busy_shop.rows("SELECT id FROM inbound")) == 12


async def test_a_known_contact_without_a_cycle_gets_one_however_many_arrive_at_once(busy_shop, monkeypatch):
    """R71: both have looked for a cycle before one of them opens it."""
    await busy_shop.writes(NEW, "oi")
    await busy_shop.runtime.store.write("x", lambda tx: tx.run("UPDATE conversation SET flow = 'desconhecida'"))
    both_first(monkeypatch, contacts, "hold")
    bodies = [busy_shop.body(phone, "oi", f"wamid.N{n}") for n, phone in enumerate([OLD, NEW] * 6)]
    assert set(await asyncio.gather(*map(busy_shop.posts, bodies))) == {200}
    assert len(await busy_shop.rows("SELECT id FROM conversation WHERE flow = 'venda'")) == 1


async def test_a_business_scoped_id_seen_beside_a_phone_finds_the_person_alone(shop):
    """R70."""
    first = shop.body(ANA, "oi", "wamid.1")
    first["entry"][0]["changes"][0]["value"]["contacts"][0]["user_id"] = "BR.1"
    first["entry"][0]["changes"][0]["value"]["messages"][0]["from_user_id"] = "BR.1"
    await shop.posts(first)
    alone = enveloped({"messages": [{
        "id": "wamid.2", "from_user_id": "BR.1", "timestamp": str(shop.clock.now() // 1000),
        "type": "text", "text": {"body": "oi de novo"},
    }]})  # fmt: skip
    assert await shop.posts(alone) == 200
    assert await people(shop) == 1
    assert len(await shop.rows("SELECT id FROM inbound")) == 2


async def test_a_name_that_belongs_to_somebody_else_is_a_conflict_for_a_person_to_see(shop):
    """R70: nobody is merged by guessing."""
    await shop.writes(ANA, "oi")
    await shop.writes(BIA, "oi")
    change = enveloped({"messages": [{
        "id": "wamid.S", "from": ANA, "timestamp": str(shop.clock.now() // 1000), "type": "system",
        "system": {"type": "user_changed_number", "wa_id": BIA, "body": "x"},
    }]})  # fmt: skip
    assert await shop.posts(change) == 200
    assert ("identity_conflict", None) in await shop.outcomes()
    assert await people(shop) == 2


async def test_interest_in_another_offer_opens_another_cycle_and_leaves_the_old_one(shop):
    """R71, R73: the opt-out is the contact's, over all flows."""
    await shop.talks(ANA, "oi", "quanto custa?")
    literal = await opened_beside(shop)
    await literal.pays(ANA, tx="HP5", named="evt-5")
    await shop.works()
    assert await shop.state() == "NEGOCIANDO"
    assert await literal.state() == "PAGO"
    await shop.talks(ANA, "não quero mais receber mensagens")
    assert (await shop.person())["opt_out_at"] is not None
    assert await shop.state() == "OPT_OUT"
    assert await literal.state() == "PAGO"


async def opened_beside(shop):
    """A second flow whose payments arrive at the same address."""
    from engine.core.canonical import canonical
    from engine.core.document import read
    from engine.services.scenarios.reference import document
    from engine.store import flows

    tree = {**document("venda", {}), "slug": "outra"}

    def unit(tx):
        flows.add(tx, slug="outra", title="outra", text=canonical(tree), now=0, who="")
        flows.publish(tx, slug="outra", text=canonical(tree), sha256=read(tree).sha256, note="", author="", now=0)
        tx.run("UPDATE payment_source SET flow = 'outra'")

    await shop.runtime.store.write("setup", unit)
    return Shop(shop.runtime, "outra")


async def test_only_an_explicit_opt_in_ends_an_opt_out(shop):
    """R73, R75."""
    await shop.talks(ANA, "oi", "pare", "oi", "quanto custa?", "quero comprar")
    assert (await shop.person())["opt_out_at"] is not None
    resume = enveloped({"user_preferences": [{
        "wa_id": ANA, "category": "marketing_messages", "value": "resume", "detail": "x",
        "timestamp": shop.clock.now() // 1000,
    }]})  # fmt: skip
    assert await shop.posts(resume) == 200
    assert (await shop.person())["opt_out_at"] is None
    assert ("opt_in", "channel_button") in await shop.outcomes()


@pytest.mark.parametrize("phone", ["", "abc"])
async def test_a_message_that_says_not_who_wrote_it_is_an_orphan(small_shop, phone):
    """R29."""
    body = small_shop.body(phone, "oi", "wamid.1")
    body["entry"][0]["changes"][0]["value"]["contacts"] = []
    assert await small_shop.posts(body) == 200
    outcomes = await small_shop.outcomes()
    assert outcomes
    assert outcomes[0][0] in ("orphan", "ignored")


async def test_a_message_before_anything_was_published_is_recorded(sqlite_url):
    """R29."""
    from engine.store.lanes import Store
    from tests.runtimes import a_runtime
    from tests.services.shop import Provider

    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime)
    await runtime.store.write("x", lambda tx: tx.run("UPDATE flow SET live = NULL"))
    await shop.writes(ANA, "oi")
    assert await shop.outcomes() == [("ignored", "no_live_flow")]
    await runtime.close()
