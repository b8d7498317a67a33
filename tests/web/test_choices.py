"""Buttons, lists, files and parts of a message, changed where the message is shown."""

import pytest

from engine.core.permissions import Role
from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.pages_read import read, taking_back

BASE = "/flows/pequeno/draft"
PANEL = f"{BASE}?sel=t:t1"
PLACE = f"{BASE}/actions/oi/choices"
LIST = {"button": "Ver", "rows": [{"id": "a", "title": "Combo", "description": "3 meses"}, {"id": "b", "title": "Só"}]}
BUTTONS = [{"id": "sim", "title": "Sim"}, {"id": "nao", "title": "Não"}]


async def given(runtime, **fields):
    for field, value in fields.items():
        change = {"op": "set_action", "id": "oi", "field": field, "value": value}
        await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def oi(runtime):
    return (await edit.opened(runtime, "pequeno")).tree["actions"]["oi"]


async def form(client, ident):
    return read((await client.get(PANEL)).text).form(ident=ident)


async def test_all_words_of_a_list_are_in_one_field_and_counted(runtime, editor, flow):
    await given(runtime, list=LIST)
    there = await form(editor, "f-list-oi")
    assert there.fields["value"] == ["Ver", "Combo", "3 meses", "Só", ""]

    await editor.post(there.action, there.data(value=["Abrir", "Combo", "x" * 73, "Só", ""]))

    assert (await oi(runtime))["list"]["rows"][0] == {"id": "a", "title": "Combo", "description": "x" * 73}
    page = (await editor.get(PANEL)).text
    assert 'class="room over" data-room="list-oi" data-index="2" data-limit="72"' in page


async def test_the_words_under_a_picture_and_its_address_are_changed(runtime, editor, flow):
    await given(runtime, media={"image": "https://x.test/a.jpg", "caption": "Veja"})
    there = await form(editor, "f-media-oi")
    assert there.fields["value"] == ["https://x.test/a.jpg", "Veja"]

    answer = await editor.patch(there.action, there.data(value=["a.jpg", "Olhe"]))

    assert answer.status_code == 422, "no address"
    assert read(answer.text).form(ident="f-media-oi").fields["value"] == ["a.jpg", "Olhe"]
    await editor.post(there.action, there.data(value=["https://x.test/b.jpg", "Olhe"]))
    assert (await oi(runtime))["media"] == {"image": "https://x.test/b.jpg", "caption": "Olhe"}


async def test_parts_are_changed_where_they_are_shown(runtime, editor, flow):
    parts = [{"video": "https://x.test/a.mp4"}, {"text": "Quer?"}]
    await given(runtime, parts=parts)
    there = await form(editor, "f-parts-oi")
    assert there.fields["value"] == ["", "Quer?"]

    await editor.post(there.action, there.data(value=["Assista", "Vai querer?"]))

    assert (await oi(runtime))["parts"] == [{**parts[0], "caption": "Assista"}, {"text": "Vai querer?"}]


async def test_a_button_is_added_and_taken_away_again_with_a_way_back(runtime, editor, flow):
    there = await form(editor, "f-buttons-new-oi")

    await editor.post(there.action, there.data(title="Quero"))

    assert (await oi(runtime))["buttons"] == [{"id": "quero", "title": "Quero"}]
    titles = await form(editor, "d-buttons-oi")
    answer = await editor.post(PLACE, titles.data(drop="quero"), headers={"HX-Request": "true"})
    assert "buttons" not in await oi(runtime)
    back = taking_back(answer.text)
    await editor.post(back.action, back.data())
    assert (await oi(runtime))["buttons"] == [{"id": "quero", "title": "Quero"}]


async def test_a_list_begins_with_its_word_and_one_option(runtime, editor, flow):
    there = await form(editor, "f-list-new-oi")

    await editor.post(there.action, there.data(opens="Ver", title="Combo"))
    more = await form(editor, "f-list-new-oi")
    await editor.post(more.action, more.data(title="Só o curso"))

    assert (await oi(runtime))["list"] == {
        "button": "Ver",
        "rows": [{"id": "combo", "title": "Combo"}, {"id": "so_o_curso", "title": "Só o curso"}],
    }
    page = read((await editor.get(PANEL)).text)
    assert "f-buttons-new-oi" not in page.ids, "a message has buttons or a list"


async def test_what_is_full_offers_no_more_and_a_page_that_is_old_is_told(runtime, editor, flow):
    there = await form(editor, "f-buttons-new-oi")
    await given(runtime, buttons=[*BUTTONS, {"id": "c", "title": "Talvez"}])

    answer = await editor.post(there.action, there.data(title="Quarto"))

    assert answer.status_code == 422
    assert "O WhatsApp mostra no máximo três botões" in answer.text
    assert "f-buttons-new-oi" not in read((await editor.get(PANEL)).text).ids


async def test_a_choice_that_was_not_taken_keeps_what_was_typed(runtime, editor, flow):
    there = await form(editor, "f-buttons-new-oi")

    answer = await editor.post(there.action, there.data(title="🙂"))

    assert answer.status_code == 422
    assert read(answer.text).form(ident="f-buttons-new-oi").fields["title"] == ["🙂"]
    assert "e-choice-oi" in read(answer.text).ids


@pytest.mark.parametrize("field", ["buttons", "list", "text", ""])
async def test_what_is_not_there_is_told_and_never_a_defect(runtime, editor, flow, field):
    answer = await editor.post(PLACE, {"field": field, "drop": "x", "sel": "t:t1"})

    assert answer.status_code == (422 if field in ("buttons", "list") else 404)


async def test_who_only_looks_changes_none(runtime, signed_in, flow):
    await given(runtime, buttons=BUTTONS)
    reader = await signed_in(Role.READONLY)

    assert "Tirar o botão 1" not in (await reader.get(PANEL)).text
    assert (await reader.post(PLACE, {"field": "buttons", "drop": "sim"})).status_code == 403
