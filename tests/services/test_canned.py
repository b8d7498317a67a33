"""Replies to choose from: kept once under a shortcut, filled in with what the team may see of the person."""

import pytest

from engine.core.errors import NotFound, Refused, Stale
from engine.services import canned
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, opened


async def kept(shop, text="Oi, {{contact.first_name|default:tudo bem}}!", shortcut="oi", **more):
    await canned.change(shop.runtime, more.get("id", 0), shortcut, text, ACTOR, seen=more.get("seen", 0))
    return next(one for one in await canned.everything(shop.runtime) if one.shortcut == shortcut)


async def test_a_reply_is_filled_in_with_what_is_known(shop):
    await shop.talks(ANA, "oi")
    number = (await shop.conversation()).id
    reply = await kept(shop)
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET name = NULL"))
    assert await canned.filled(shop.runtime, number, reply.id) == "Oi, tudo bem!"
    await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE contact SET name = 'Ana {{x}} Lima'"))
    assert await canned.filled(shop.runtime, number, reply.id) == "Oi, Ana!"
    with pytest.raises(NotFound):
        await canned.filled(shop.runtime, number, 99)
    with pytest.raises(NotFound):
        await canned.filled(shop.runtime, 99, reply.id)


async def test_what_is_sensitive_is_not_filled_in(sqlite_url):
    """R45: nobody of the team sees it, so a reply does not show it to them."""
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime, {"context.cpf": {"type": "text", "sensitive": True, "default": "123.456.789-09"}})
    await shop.talks(ANA, "oi")
    reply = await kept(shop, "O CPF é {{cpf|default:o seu}}.")
    assert await canned.filled(runtime, (await shop.conversation()).id, reply.id) == "O CPF é o seu."
    await runtime.close()


async def test_a_shortcut_is_small_letters_without_its_slash_and_of_one_reply_alone(small_shop):
    reply = await kept(small_shop, shortcut="oi")
    await canned.change(small_shop.runtime, 0, " /Preço ", "R$ 297", ACTOR)
    assert [one.shortcut for one in await canned.everything(small_shop.runtime)] == ["oi", "preço"]
    with pytest.raises(Refused) as refused:
        await canned.change(small_shop.runtime, reply.id, "PREÇO", "outro", ACTOR, seen=reply.at)
    assert refused.value.code == "shortcut_taken"


@pytest.mark.parametrize(
    ("shortcut", "text", "code"),
    [
        ("", "oi", "shortcut_unusable"),
        ("com espaço", "oi", "shortcut_unusable"),
        ("x" * 33, "oi", "shortcut_unusable"),
        ("\u202eoi", "oi", "shortcut_unusable"),
        ("oi", " \n", "reply_unusable"),
        ("oi", "x" * 4_097, "reply_unusable"),
        ("oi", "Oi {{contact.cpf}}", "reply_gaps"),
        ("oi", "Oi {{ nome", "reply_gaps"),
        ("oi", "Oi {{event.valor}}", "reply_gaps"),
        ("oi", "{{7*7}}", "reply_gaps"),
    ],
)
async def test_what_cannot_be_a_reply_is_refused(small_shop, shortcut, text, code):
    with pytest.raises(Refused) as refused:
        await canned.change(small_shop.runtime, 0, shortcut, text, ACTOR)
    assert refused.value.code == code
    assert await canned.everything(small_shop.runtime) == []


async def test_of_two_people_who_change_a_reply_the_second_sees_what_the_first_wrote(shop):
    reply = await kept(shop)
    await canned.change(shop.runtime, reply.id, "oi", "Olá!", ACTOR, seen=reply.at)
    with pytest.raises(Stale) as stale:
        await canned.change(shop.runtime, reply.id, "oi", "Ei!", ACTOR, seen=reply.at)
    assert (stale.value.mine, stale.value.theirs) == ("Ei!", "Olá!")
    await canned.remove(shop.runtime, reply.id, ACTOR)
    for gone in (canned.remove(shop.runtime, reply.id, ACTOR), canned.change(shop.runtime, reply.id, "oi", "x", ACTOR)):
        with pytest.raises(NotFound):
            await gone
