"""Deleting a state: the card that asks where its arrows go, for all and for each, and the way back."""

from engine.services import edit
from tests.web.leads import phone_for
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"


async def _tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


async def test_a_state_that_arrows_lead_to_is_asked_about_before_anything_happens(runtime, editor, flow):
    before = await _tree(runtime)

    card = await editor.post(f"{BASE}/states/FIM/delete")

    assert card.status_code == 200
    assert "Para onde vão as setas que chegam em FIM?" in card.text
    form = read(card.text).form(f"{BASE}/states/FIM/delete")
    assert {"all", "to-t2", "to-t3", "to-t4"} <= set(form.fields)
    assert await _tree(runtime) == before


async def test_each_arrow_goes_its_own_way_and_all_of_it_comes_back(runtime, editor, flow):
    before = await _tree(runtime)
    form = read((await editor.post(f"{BASE}/states/FIM/delete")).text).form(f"{BASE}/states/FIM/delete")

    done = await editor.post(form.action, form.data(**{"all": "CONVERSA", "to-t2": "-", "to-t4": "NOVO"}))

    assert done.status_code == 303
    tree = await _tree(runtime)
    assert {row["id"]: row["to"] for row in tree["transitions"]} == {"t1": "CONVERSA", "t3": "CONVERSA", "t4": "NOVO"}
    assert "FIM" not in tree["states"]
    undo = next(f for f in read((await editor.get(BASE)).text).forms if f.action == f"{BASE}/undo")
    await editor.post(undo.action, undo.data())
    assert await _tree(runtime) == before


async def test_who_stands_there_is_named_and_told_about_publishing(runtime, editor, flow):
    await (await phone_for(runtime, flow)).say("5511900000142", "oi")

    card = await editor.post(f"{BASE}/states/NOVO/delete")

    assert "1 conversa está em NOVO" in card.text
    assert "ao publicar você diz" in card.text


async def test_the_first_state_needs_another_one_and_keeps_what_was_chosen(runtime, editor, flow):
    card = await editor.post(f"{BASE}/states/NOVO/delete", {"decided": "1", "all": ""})
    assert card.status_code == 422
    assert "Escolha outro estado" in card.text

    await editor.post(f"{BASE}/states/NOVO/delete", {"decided": "1", "all": "CONVERSA"})
    assert (await _tree(runtime))["initial"] == "CONVERSA"


async def test_a_state_that_nothing_leads_to_goes_without_a_question(runtime, editor, flow):
    await editor.post(f"{BASE}/states", {"name": "SOZINHO", "deadline": "1 h"})

    gone = await editor.client.post(
        f"{BASE}/states/SOZINHO/delete", headers={"hx-request": "true", "x-csrf-token": editor.csrf}
    )

    assert "Desfazer" in gone.text
    assert "SOZINHO" not in (await _tree(runtime))["states"]


async def test_a_choice_that_no_card_offers_changes_nothing(runtime, editor, flow):
    before = await _tree(runtime)

    for choice in ({"all": "LUA"}, {"all": "FIM"}, {"to-t2": "LUA"}):
        assert (await editor.post(f"{BASE}/states/FIM/delete", {"decided": "1", **choice})).status_code in (404, 422)
    assert await _tree(runtime) == before
