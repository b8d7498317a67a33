"""Texts that no rule understood: equal ones together, the newest first, until somebody looks or teaches."""

import pytest

from engine.core.errors import Refused
from engine.services import edit, review_texts
from engine.services.review_texts import call_right, digest_of, unclear
from engine.store import audit
from tests.services.shop import ACTOR, ANA, BIA

UNKNOWN = ("faz por 250?", "aceita vale refeição")


@pytest.fixture
def asked(shop):
    async def ask():
        draft = await edit.opened(shop.runtime, shop.flow)
        return await unclear(shop.runtime, draft.flow)

    return ask


async def test_only_what_became_the_general_event_is_listed_once_with_how_often_it_came(shop, asked):
    await shop.talks(ANA, UNKNOWN[0], "quanto custa?")
    await shop.talks(BIA, UNKNOWN[1], "FAZ POR 250", "👍")

    found, more = await asked()

    assert [(one.text, one.times) for one in found] == [("👍", 1), ("FAZ POR 250", 2), (UNKNOWN[1], 1)]
    assert found[1].conversation_id == (await shop.conversation(BIA)).id
    assert not more


async def test_what_somebody_called_right_is_gone_in_every_spelling_and_audited_once(shop, asked):
    await shop.talks(ANA, *UNKNOWN)
    digest = digest_of("Faz por 250")

    await call_right(shop.runtime, shop.flow, digest, ACTOR)
    await call_right(shop.runtime, shop.flow, digest, ACTOR)
    await shop.talks(ANA, "faz, por 250!")

    found, _ = await asked()
    assert [one.text for one in found] == [UNKNOWN[1]]
    entries = await shop.runtime.store.read(lambda tx: audit.listed(tx, what="understanding.right"))
    assert [(entry.who, entry.subject) for entry in entries] == [(ACTOR.who, shop.flow)]
    assert "faz" not in str(await shop.rows("SELECT * FROM reviewed_text"))


async def test_what_the_draft_understands_by_now_is_gone(shop, asked):
    await shop.talks(ANA, *UNKNOWN)

    taught = {"op": "add_phrase", "event": "pediu_preco", "phrase": "faz por"}
    await edit.edit(shop.runtime, shop.flow, taught, actor=ACTOR)

    found, _ = await asked()
    assert [one.text for one in found] == [UNKNOWN[1]]


async def test_a_request_to_stop_and_a_message_without_words_to_see_are_not_listed(shop, asked):
    await shop.talks(ANA, "\u200b", "me tira da lista")

    assert await asked() == ([], False)


async def test_what_was_taken_back_and_what_a_button_said_are_not_listed(shop, asked):
    await shop.talks(ANA, *UNKNOWN)
    taken_back = {"type": "revoke", "text": {}, "revoke": {"original_message_id": "wamid.IN1"}}
    await shop.writes(ANA, "", **taken_back)
    await shop.writes(ANA, "", type="button", button={"text": "Um botão de antes", "payload": "antigo"})
    await shop.after(20_000)

    found, _ = await asked()
    assert [one.text for one in found] == [UNKNOWN[1]]
    assert (await shop.rows("SELECT text FROM inbound WHERE button_id = 'antigo'")) == [{"text": "Um botão de antes"}]


async def test_more_than_are_shown_is_said(shop, asked, monkeypatch):
    monkeypatch.setattr(review_texts, "SHOWN", 1)
    await shop.talks(ANA, *UNKNOWN)

    found, more = await asked()

    assert ([one.text for one in found], more) == ([UNKNOWN[1]], True)


@pytest.mark.parametrize("digest", ["", "x", "Z" * 64, "a" * 63, "a" * 65])
async def test_a_digest_that_is_none_is_refused(small_shop, digest):
    with pytest.raises(Refused):
        await call_right(small_shop.runtime, small_shop.flow, digest, ACTOR)
    assert await small_shop.rows("SELECT * FROM reviewed_text") == []
