"""The pieces of a message in the panel: buttons, options, parts and files, each a form that is one change."""

import pytest

from engine.core.permissions import Actor
from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.pages_read import read, taking_back

BASE = "/flows/pequeno/draft"
PANEL = f"{BASE}?sel=t:t1"
BRUNO = Actor("bruno@example.com")
SIM, NAO = {"id": "sim", "title": {"pt-BR": "Sim", "en": "Yes"}}, {"id": "nao", "title": "Não"}
MENU = {"button": "Ver", "rows": [{"id": "a", "title": "Combo", "description": "3 meses"}, {"id": "b", "title": "Um"}]}
PHOTO = {"image": "https://x.test/a.jpg", "caption": "Veja"}


async def _set(runtime, actor=ACTOR, **fields):
    for field, value in fields.items():
        change = {"op": "set_action", "id": "oi", "field": field, "value": value}
        await edit.edit(runtime, "pequeno", change, actor=actor)


async def _action(runtime):
    return (await edit.opened(runtime, "pequeno")).tree["actions"]["oi"]


async def _form(editor, ident):
    return read((await editor.get(PANEL)).text).form(ident=ident)


async def _deed(editor, piece, do):
    forms = read((await editor.get(PANEL)).text).forms
    form = next(one for one in forms if one.action.endswith("/pieces") and one.fields["field"] == [piece])
    return await editor.post(form.action, form.data(do=do), headers={"hx-request": "true"})


async def test_a_button_is_changed_in_the_language_that_is_read_and_taken_back_by_its_words(runtime, editor, flow):
    await _set(runtime, buttons=[SIM, NAO])
    form = await _form(editor, "f-buttons-0-oi")
    assert form.fields["value"] == ["Sim", "sim"]

    done = await editor.post(form.action, form.data(value=["Quero", "quer"]))

    assert done.headers["location"].endswith("sel=t%3At1")
    assert (await _action(runtime))["buttons"] == [{"id": "quer", "title": {"pt-BR": "Quero", "en": "Yes"}}, NAO]
    page = (await editor.get(PANEL)).text
    assert "Desfazer: um botão de oi: mudança" in page
    back = next(form for form in read(page).forms if form.action.endswith("/undo"))
    await editor.post(back.action, back.data())
    assert (await _action(runtime))["buttons"] == [SIM, NAO]


async def test_an_option_is_its_title_its_line_and_its_id(runtime, editor, flow):
    await _set(runtime, list=MENU)
    form = await _form(editor, "f-rows-0-oi")
    assert form.fields["value"] == ["Combo", "a", "3 meses"]

    await editor.patch(form.action, form.data(value=["Combo", "a", ""]))

    assert (await _action(runtime))["list"]["rows"][0] == {"id": "a", "title": "Combo"}
    opener = await _form(editor, "f-opener-oi")
    await editor.patch(opener.action, opener.data(value="Ver planos"))
    assert (await _action(runtime))["list"]["button"] == "Ver planos"


async def test_a_button_that_is_added_gets_an_id_of_its_words_that_no_other_has(runtime, editor, flow):
    for title in ("Quero já", "Quero já!"):
        form = await _form(editor, "f-new-buttons-oi")
        await editor.post(form.action, form.data(value=[title, ""]))

    assert (await _action(runtime))["buttons"] == [
        {"id": "quero_ja", "title": "Quero já"}, {"id": "quero_ja_2", "title": "Quero já!"}
    ]  # fmt: skip
    form = await _form(editor, "f-new-buttons-oi")
    await editor.post(form.action, form.data(value=["Parar", "msg_recebida"]))
    page = read((await editor.get(PANEL)).text)
    assert "f-new-buttons-oi" not in page.ids, "three are all that WhatsApp shows"
    assert "f-new-rows-oi" not in page.ids, "buttons and a list do not go together"
    assert (await editor.post(form.action, form.data(value=["Mais", "mais"]))).status_code == 422


async def test_a_list_begins_with_its_first_option_and_what_opens_it(runtime, editor, flow):
    form = await _form(editor, "f-new-rows-oi")

    await editor.post(form.action, form.data(value=["Combo", "", "3 meses", "Ver planos"]))

    row = {"id": "combo", "title": "Combo", "description": "3 meses"}
    assert (await _action(runtime))["list"] == {"button": "Ver planos", "rows": [row]}
    answer = await _deed(editor, "rows.0", "delete")
    assert "list" not in await _action(runtime)
    back = taking_back(answer.text)
    await editor.post(back.action, back.data())
    assert (await _action(runtime))["list"]["rows"] == [row]


async def test_a_picture_makes_parts_whose_words_and_order_change(runtime, editor, flow):
    form = await _form(editor, "f-new-parts-file-oi")
    await editor.post(form.action, form.data(value=["image", "https://x.test/a.jpg", "Veja"]))
    assert (await _action(runtime))["parts"] == [{"text": "Oi!"}, PHOTO]

    assert (await _deed(editor, "parts.1", "up")).status_code == 200
    form = await _form(editor, "f-parts-0-oi")
    await editor.patch(form.action, form.data(value=["image", "https://x.test/b.jpg", "Olhe"]))

    assert (await _action(runtime))["parts"] == [
        {"image": "https://x.test/b.jpg", "caption": "Olhe"}, {"text": "Oi!"}
    ]  # fmt: skip


async def test_the_caption_of_a_file_and_the_head_of_a_template_are_fields(runtime, editor, flow):
    template = {"name": "volta", "language": "pt_BR", "header": "Oi de novo"}
    await _set(runtime, media=PHOTO, template=template)

    caption, head = await _form(editor, "f-media-oi"), await _form(editor, "f-header-oi")
    assert caption.fields["value"] == ["image", "https://x.test/a.jpg", "Veja"]
    await editor.patch(caption.action, caption.data(value=["image", "https://x.test/a.jpg", "Veja só"]))
    await editor.patch(head.action, head.data(value="Olá de novo"))

    now = await _action(runtime)
    assert (now["media"]["caption"], now["template"]["header"]) == ("Veja só", "Olá de novo")


@pytest.mark.parametrize(
    ("ident", "typed", "told"),
    [
        ("f-buttons-0-oi", [" ", "sim"], "precisa de um texto"),
        ("f-buttons-0-oi", ["Sim", "nao"], "nao"),
        ("f-media-oi", ["image", "foto.jpg", ""], "foto.jpg"),
        ("f-media-oi", ["image", "", ""], "endereço"),
        ("f-new-buttons-oi", ["", ""], "precisa de um texto"),
        ("f-new-parts-file-oi", ["image", "nada", "Veja"], "nada"),
    ],
)
async def test_what_cannot_be_is_told_at_its_piece_and_nothing_typed_is_lost(runtime, editor, flow, ident, typed, told):
    await _set(runtime, buttons=[SIM, NAO], media=PHOTO)
    before, form = await _action(runtime), await _form(editor, ident)

    answer = await editor.post(form.action, form.data(value=typed), headers={"hx-request": "true"})

    assert answer.status_code == 422
    page = read(answer.text)
    assert page.form(ident=ident).fields["value"] == typed
    assert f"e-{ident.removeprefix('f-')}" in page.ids
    assert told in page.text
    assert await _action(runtime) == before


async def test_two_people_at_different_buttons_do_not_collide_and_at_the_same_one_both_values_are_shown(
    runtime, editor, flow
):
    await _set(runtime, buttons=[SIM, NAO])
    form, other = await _form(editor, "f-buttons-0-oi"), await _form(editor, "f-buttons-1-oi")
    await _set(runtime, BRUNO, buttons=[{"id": "novo", "title": "Novo"}, {**SIM, "title": "Claro"}, NAO])

    assert (await editor.patch(other.action, other.data(value=["Agora não", "nao"]))).status_code == 200
    answer = await editor.patch(form.action, form.data(value=["Quero", "sim"]))

    assert answer.status_code == 409
    assert "agora é Claro" in answer.text
    card = next(one for one in read(answer.text).forms if one.fields.get("revision") == ["0"])
    assert (await editor.patch(card.action, card.data())).status_code == 200
    titles = [button["title"] for button in (await _action(runtime))["buttons"]]
    assert titles == ["Novo", "Quero", "Agora não"]


async def test_what_somebody_took_away_is_told_and_its_neighbour_is_left_alone(runtime, editor, flow):
    await _set(runtime, buttons=[SIM, NAO])
    form = await _form(editor, "f-buttons-0-oi")
    forms = read((await editor.get(PANEL)).text).forms
    deed = next(one for one in forms if one.action.endswith("/pieces") and one.fields["field"] == ["buttons.0"])
    await _set(runtime, BRUNO, buttons=[NAO])

    assert (await editor.patch(form.action, form.data(value=["Quero", "sim"]))).status_code == 409
    answer = await editor.post(deed.action, deed.data(do="delete"))

    assert answer.status_code == 422
    assert "mudou ou tirou" in answer.text
    assert (await _action(runtime))["buttons"] == [NAO]


async def test_a_piece_is_shown_in_the_picture_while_it_is_typed(runtime, editor, flow):
    await _set(runtime, buttons=[SIM, NAO])
    form = await _form(editor, "f-buttons-0-oi")
    new = await _form(editor, "f-new-buttons-oi")

    shown = await editor.post(f"{form.action}/preview", form.data(value=["Quero muito", "sim"]))
    added = await editor.post(f"{form.action}/preview", new.data(value=["Talvez", ""]))

    assert '<span class="wa-button">Quero muito</span>' in shown.text
    assert '<span class="wa-button">Talvez</span>' in added.text
    assert (await _action(runtime))["buttons"] == [SIM, NAO], "nothing is stored"


async def test_who_may_not_edit_sees_the_pieces_and_no_button_that_changes_them(runtime, supervisor, flow):
    await _set(runtime, buttons=[SIM, NAO])

    page = read((await supervisor.get(PANEL)).text)

    assert "f-buttons-0-oi" in page.ids
    assert "f-new-buttons-oi" not in page.ids
    assert (await supervisor.post(f"{BASE}/actions/oi/pieces", {"field": "buttons", "do": "add"})).status_code == 403
