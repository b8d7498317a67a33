"""What texts remember of a person: the code of their links, and where they left off (R34, R70, R72)."""

import asyncio
import re

import pytest

from engine.core.flow import DAY, HOUR
from engine.store import contacts
from tests.payload_files import load
from tests.services.shop import ANA, BIA, opened

CODE = re.compile(r"\?src=(t[0-9a-f]{12})\b")


def code_in(text):
    found = CODE.search(text)
    assert found is not None, text
    return found[1]


async def test_every_link_to_a_person_carries_one_code_that_is_nobody_else_s(shop):
    await shop.talks(ANA, "oi", "quero comprar", "oi?")
    await shop.talks(BIA, "oi", "quero comprar")
    codes = [code_in(text) for text in shop.provider.texts if "?src=" in text]
    assert (len(codes), len(set(codes))) == (3, 2)
    assert codes[0] == codes[1] == (await shop.person())["tracking"]
    assert await shop.runtime.store.read(lambda tx: contacts.find(tx, codes[0])) == (await shop.person())["id"]


async def test_whoever_was_never_sent_a_link_has_no_code(shop):
    await shop.talks(ANA, "oi")
    assert (await shop.person())["tracking"] is None
    assert await shop.rows("SELECT value FROM identity WHERE kind = 'reference'") == []


async def test_a_payment_without_a_phone_finds_its_person_by_the_code_of_the_link(shop):
    await shop.talks(ANA, "oi", "quero comprar")
    body = load("hotmart/purchase_approved_card.json")
    body["data"]["buyer"] = {"email": "outra@x.example"}
    body["data"]["purchase"]["tracking"] = {"source_sck": code_in(shop.provider.texts[-1])}
    body["data"]["purchase"].pop("sckPaymentLink", None)
    assert await shop.notices(body) == 200
    await shop.works()
    assert await shop.state() == "PAGO"


async def test_the_code_is_kept_through_a_merge_and_the_other_one_still_means_the_person(shop):
    from tests.services.test_merge import merged

    await shop.talks(ANA, "oi", "quero comprar")
    await shop.talks(BIA, "oi", "quero comprar")
    ana, bia = (await shop.person())["tracking"], (await shop.person(BIA))["tracking"]
    kept = await merged(shop, ANA, BIA)
    assert (await shop.person())["tracking"] == ana
    found = await shop.runtime.store.read(lambda tx: [contacts.find(tx, code) for code in (ana, bia)])
    assert found == [kept, kept]


async def test_two_decisions_at_once_give_a_person_one_code(busy_shop):
    await busy_shop.writes(ANA, "oi")
    contact = (await busy_shop.person())["id"]
    codes = await asyncio.gather(
        *(
            busy_shop.runtime.store.write(f"lane {n}", lambda tx, n=n: contacts.track(tx, contact, f"t{n}", 1))
            for n in range(6)
        )
    )
    assert set(codes) == {(await busy_shop.person())["tracking"]}


async def test_a_refund_goes_to_the_purchase_that_it_is_of(shop):
    """R34: not to the talk that began after it."""
    await shop.talks(ANA, "oi")
    await shop.pays(ANA, tx="HP1")
    await shop.works()
    first = await shop.conversation()

    def unit(tx):
        from engine.services.intake import Arrival, begin

        arrival = Arrival(shop.clock.now(), shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
        return begin(tx, arrival, contacts.Resolved(first.contact_id), shop.flow, after=first)[0].id

    second = await shop.runtime.store.write("x", unit)
    await shop.pays(ANA, event="PURCHASE_REFUNDED", tx="HP1", named="evt-2")
    await shop.works()
    states = {row["id"]: row["state"] for row in await shop.rows("SELECT id, state FROM conversation")}
    assert states == {first.id: "REEMBOLSADO", second: "NOVO"}


async def test_a_payment_that_opens_a_talk_leaves_by_the_flow_s_channel(shop):
    """R34: somebody who never wrote has no channel of their own."""
    await shop.pays(BIA, event="PURCHASE_OUT_OF_SHOPPING_CART", tx="HP9")
    await shop.works()
    assert (await shop.conversation(BIA)).channel_id == shop.channel_id
    assert [(letter.action, letter.status) for letter in await shop.letters()] == [("retomar_checkout", "sent")]


@pytest.mark.parametrize(
    ("language", "words"), [("pt-BR", "a decisão sobre a oferta"), ("en", "the decision on the offer")]
)
async def test_where_they_left_off_is_told_in_their_language(runtime, language, words):
    from tests.services.shop import Provider

    said = {"actions.boas_vindas_de_volta.text": "Paramos em {{conversation.left_at|default:nada}}"}
    shop = await opened(runtime_with(runtime, Provider()), said)
    await shop.talks(ANA, "oi", "quanto custa?")
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET language = :l", l=language))
    for _ in range(12):
        await shop.after(10 * HOUR)
    assert await shop.state() == "PERDIDO"
    await shop.after(DAY)
    await shop.talks(ANA, "voltei")
    assert shop.provider.texts[-1] == f"Paramos em {words}"


def runtime_with(runtime, http):
    from dataclasses import replace

    return replace(runtime, http=http)
