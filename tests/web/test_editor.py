"""The editor: tasks done with plain forms, the same with htmx's fragments, corrections and conflicts."""

import json

import pytest

from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"


async def _changed(runtime, change):
    return await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def _state(runtime, name):
    return (await edit.opened(runtime, "pequeno")).tree["states"][name]


async def test_without_scripts_a_deadline_is_changed_and_the_page_says_so(runtime, editor, flow):
    page = read((await editor.get(f"{BASE}?sel=s:NOVO")).text)
    form = page.form(ident="f-deadline")
    assert form.fields["value"] == ["1 dia"]

    response = await editor.post(form.action, form.data(value="4 h"))

    assert response.status_code == 303
    after = (await editor.get(response.headers["location"])).text
    assert read(after).form(ident="f-deadline").fields["value"] == ["4 h"]
    assert "Rascunho · 1 mudança" in after
    assert (await _state(runtime, "NOVO"))["deadline"] == "4h"


async def test_with_htmx_the_answer_is_the_panel_and_everything_else_that_changed(runtime, editor, flow):
    form = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(ident="f-deadline")

    response = await editor.patch(form.action, form.data(value="20 h, 1 dia"))

    assert response.status_code == 200
    assert "<html" not in response.text
    for part in ("canvas-svg", "problems", "draft-chip", "save-state", "publish-button"):
        assert f'id="{part}"' in response.text
        assert response.text.count("hx-swap-oob") >= 5
    assert (await _state(runtime, "NOVO"))["deadline"] == ["20h", "1d"]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", None),
        ("2 h", "2h"),
        ("90 minutos", "90m"),
        ("1 dia e 2 h", "26h"),
        ("20 h; 1 dia,2 dias", ["20h", "1d", "2d"]),
    ],
)
async def test_deadlines_are_written_as_people_say_them(runtime, editor, flow, typed, kept):
    await editor.post(f"{BASE}/states/NOVO", {"field": "deadline", "value": typed})

    assert (await _state(runtime, "NOVO")).get("deadline") == kept


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("deadline", "logo mais", "não é um tempo"),
        ("deadline", "4 h, amanhã", "não é um tempo"),
        ("jitter", "-1 h", "não é um tempo"),
        ("name", "com espaço", "não serve de nome"),
        ("name", "FIM", "Já existe"),
        ("name", "", "precisa de um nome"),
    ],
)
async def test_what_cannot_be_read_is_422_with_the_words_and_what_was_typed(runtime, editor, flow, field, typed, words):
    before = await edit.opened(runtime, "pequeno")

    response = await editor.patch(f"{BASE}/states/NOVO", {"field": field, "value": typed, "seen": "null"})
    plain = await editor.post(f"{BASE}/states/NOVO", {"field": field, "value": typed, "seen": "null"})

    for answer in (response, plain):
        assert answer.status_code == 422
        assert words in answer.text
        assert 'aria-invalid="true"' in answer.text
        assert read(answer.text).form(ident=f"f-{field}").fields["value"] == [typed]
    assert (await edit.opened(runtime, "pequeno")).revision == before.revision


async def test_a_condition_that_cannot_be_read_says_why_and_stays_in_its_field(editor, flow):
    answer = await editor.patch(f"{BASE}/transitions/t1", {"field": "when", "value": "toques >", "seen": "null"})

    assert answer.status_code == 422
    assert read(answer.text).form(ident="f-when").fields["value"] == ["toques >"]
    assert 'id="e-when"' in answer.text


@pytest.mark.parametrize(("typed", "kept"), [("toques ≥ 2", "toques >= 2"), ("senão", "otherwise"), ("  ", None)])
async def test_a_condition_is_taken_as_people_type_it(runtime, editor, flow, typed, kept):
    await _changed(
        runtime,
        {"op": "add_transition", "fields": {"from": "NOVO", "on": "msg_recebida", "to": "FIM", "when": "toques < 2"}},
    )

    await editor.post(f"{BASE}/transitions/t1", {"field": "when", "value": typed, "seen": "null"})

    row = next(t for t in (await edit.opened(runtime, "pequeno")).tree["transitions"] if t["id"] == "t1")
    assert row.get("when") == kept


async def test_every_part_of_a_transition_is_a_field(runtime, editor, flow):
    for field, value in (("from", "CONVERSA"), ("on", "timeout"), ("to", "NOVO"), ("do", "")):
        answer = await editor.post(f"{BASE}/transitions/t1", {"field": field, "value": value})
        assert answer.status_code == 303, field

    row = next(t for t in (await edit.opened(runtime, "pequeno")).tree["transitions"] if t["id"] == "t1")
    assert row == {"id": "t1", "from": "CONVERSA", "on": "timeout", "to": "NOVO"}


async def test_the_words_of_a_message_are_changed_where_its_arrow_is_shown(runtime, editor, flow):
    page = read((await editor.get(f"{BASE}?sel=t:t1")).text)
    form = page.form(ident="f-text-oi")
    assert form.fields["value"] == ["Oi!"]

    response = await editor.post(form.action, form.data(value="Oi, tudo bem?\r\nQuer saber o preço?"))

    assert response.headers["location"].endswith("sel=t%3At1")
    assert (await edit.opened(runtime, "pequeno")).tree["actions"]["oi"]["text"] == "Oi, tudo bem?\nQuer saber o preço?"


async def test_a_text_in_two_languages_changes_only_the_one_that_is_read(runtime, editor, flow):
    await _changed(runtime, {"op": "set_action", "id": "oi", "field": "text", "value": {"pt-BR": "Oi!", "en": "Hi!"}})

    await editor.post(f"{BASE}/actions/oi", {"field": "text", "value": "Olá!", "sel": "t:t1"})

    assert (await edit.opened(runtime, "pequeno")).tree["actions"]["oi"]["text"] == {"pt-BR": "Olá!", "en": "Hi!"}


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"list": {"button": "Ver opções", "rows": [{"id": "a", "title": "Combo", "description": "3 meses"}]}},
         ("Ver opções", "Combo", "3 meses")),
        ({"media": {"image": "https://x.test/a.jpg", "caption": "Veja"}}, ("imagem", "Veja", "https://x.test/a.jpg")),
        ({"text": None, "parts": [{"video": "https://x.test/a.mp4"}, {"text": "Quer?"}]},
         ("vídeo", "Quer?", "https://x.test/a.mp4")),
    ],
)  # fmt: skip
async def test_a_message_is_shown_with_all_that_it_says_and_keeps_it_when_its_text_changes(
    runtime, editor, flow, more, shown
):
    fields = {name: value for name, value in ({"kind": "send", "text": "Oi!"} | more).items() if value is not None}
    await _changed(runtime, {"op": "add_action", "id": "novo", "fields": fields})
    await _changed(runtime, {"op": "set_transition", "id": "t1", "field": "do", "value": ["novo"]})
    page = (await editor.get(f"{BASE}?sel=t:t1")).text
    assert [words for words in shown if words not in page] == []
    before = (await edit.opened(runtime, "pequeno")).tree["actions"]["novo"]
    if "parts" in more:
        assert "f-text-novo" not in page
        return
    form = read(page).form(ident="f-text-novo")
    await editor.post(form.action, form.data(value="Olá!"))
    assert (await edit.opened(runtime, "pequeno")).tree["actions"]["novo"] == {**before, "text": "Olá!"}


async def test_somebody_else_first_is_409_with_both_values_and_the_choice(runtime, editor, flow):
    form = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(ident="f-deadline")
    await _changed(runtime, {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "6h"})

    answer = await editor.patch(form.action, form.data(value="4 h"))

    assert answer.status_code == 409
    assert "agora é 6 h" in answer.text
    assert "Ficar com a minha: 4 h" in answer.text
    assert "Usar a outra: 6 h" in answer.text
    assert (await _state(runtime, "NOVO"))["deadline"] == "6h"

    card = next(one for one in read(answer.text).forms if one.fields.get("revision") == ["0"])
    kept = await editor.patch(card.action, card.data())

    assert kept.status_code == 200
    assert (await _state(runtime, "NOVO"))["deadline"] == "4h"


async def test_somebody_else_elsewhere_is_no_conflict(runtime, editor, flow):
    form = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(ident="f-deadline")
    await _changed(runtime, {"op": "set_state", "id": "CONVERSA", "field": "deadline", "value": "6h"})

    assert (await editor.patch(form.action, form.data(value="4 h"))).status_code == 200


async def test_without_scripts_the_conflict_is_a_page(runtime, editor, flow):
    form = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(ident="f-deadline")
    await _changed(runtime, {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "6h"})

    answer = await editor.post(form.action, form.data(value="4 h"))

    assert answer.status_code == 409
    assert "<html" in answer.text
    assert "Ficar com a minha: 4 h" in answer.text


async def test_a_state_and_an_arrow_are_added_with_plain_forms(runtime, editor, flow):
    page = read((await editor.get(f"{BASE}?sel=new:state")).text)
    form = page.form(f"{BASE}/states")
    first = await editor.post(form.action, form.data(name="AGUARDA", look="payment", deadline="30 min"))
    form = read((await editor.get(f"{BASE}?sel=new:transition&from=CONVERSA")).text).form(f"{BASE}/transitions")
    second = await editor.post(form.action, form.data(**{"from": "AGUARDA", "on": "timeout", "to": "FIM"}))

    tree = (await edit.opened(runtime, "pequeno")).tree
    assert first.headers["location"].endswith("sel=s%3AAGUARDA")
    assert second.headers["location"].endswith("sel=t%3At5")
    assert tree["states"]["AGUARDA"] == {"look": "payment", "deadline": "30m"}
    assert tree["transitions"][-1] == {"id": "t5", "from": "AGUARDA", "on": "timeout", "to": "FIM"}


async def test_an_arrow_from_any_state_is_a_global_one(runtime, editor, flow):
    await editor.post(f"{BASE}/transitions", {"from": "*", "on": "msg_recebida", "to": "FIM"})

    assert (await edit.opened(runtime, "pequeno")).tree["globals"] == [{"id": "g1", "on": "msg_recebida", "to": "FIM"}]


async def test_a_new_state_with_a_taken_name_keeps_the_form(editor, flow):
    answer = await editor.post(f"{BASE}/states", {"name": "NOVO", "deadline": "30 min"})

    assert answer.status_code == 422
    assert read(answer.text).form(f"{BASE}/states").fields["deadline"] == ["30 min"]
    assert "Já existe" in answer.text


@pytest.mark.parametrize("what", ["states/CONVERSA", "transitions/t1"])
async def test_a_deletion_offers_to_bring_everything_back(runtime, editor, flow, what):
    before = (await edit.opened(runtime, "pequeno")).tree

    gone = await editor.client.post(
        f"{BASE}/{what}/delete",
        data={"revision": "1", "decided": "1"},
        headers={"hx-request": "true", "x-csrf-token": editor.csrf},
    )
    undo = [form for form in read(gone.text).forms if "step" in form.fields][-1]
    assert "Desfazer" in gone.text
    assert (await edit.opened(runtime, "pequeno")).tree != before
    back = await editor.post(undo.action, undo.data())

    after = (await edit.opened(runtime, "pequeno")).tree
    assert back.status_code == 303
    assert after["states"] == before["states"]
    assert sorted(after["transitions"], key=str) == sorted(before["transitions"], key=str)


async def test_the_initial_state_is_not_deleted_and_the_panel_says_why(editor, flow):
    answer = await editor.post(f"{BASE}/states/NOVO/delete", {"decided": "1"})

    assert answer.status_code == 422
    assert "Escolha outro estado" in answer.text


async def _ambiguous(runtime):
    await _changed(runtime, {"op": "set_transition", "id": "t4", "field": "when", "value": "toques < 3"})
    more = {"from": "CONVERSA", "on": "timeout", "to": "NOVO", "when": "toques >= 2"}
    await _changed(runtime, {"op": "add_transition", "fields": more})


async def test_an_ambiguity_is_shown_with_its_value_its_arrows_and_repairs(runtime, editor, flow):
    await _ambiguous(runtime)

    page = read((await editor.get(BASE)).text)

    assert "Duas setas podem disparar ao mesmo tempo quando toques = 2" in page.text
    assert "toques = 2" in page.text
    assert f"{BASE}?view=diagram&sel=t:t4" in page.links
    assert "t4 · 2 dias de silêncio" in page.text, "an arrow is named by its event, not by its id alone"
    assert "1 erro" in page.text


async def test_a_repair_settles_the_ambiguity_with_one_click(runtime, editor, flow):
    await _ambiguous(runtime)
    repair = next(form for form in read((await editor.get(BASE)).text).forms if "fix" in form.fields)

    answer = await editor.post(repair.action, repair.data())

    assert answer.status_code == 303
    assert "Nenhum problema" in (await editor.get(BASE)).text or "1 erro" not in (await editor.get(BASE)).text
    assert (await publish.review(runtime, "pequeno")).blocked is False


@pytest.mark.parametrize("fix", ["", "nonsense", "{}", "[1]", json.dumps([{"op": "explode"}])])
async def test_a_repair_that_is_none_is_refused(runtime, editor, flow, fix):
    answer = await editor.post(f"{BASE}/fixes", {"fix": fix})

    assert answer.status_code == 422
    assert (await edit.opened(runtime, "pequeno")).revision == 1


async def test_the_table_shows_a_conflict_as_two_arrows_in_one_cell(runtime, editor, flow):
    await _ambiguous(runtime)

    page = (await editor.get(f"{BASE}?view=table")).text

    cell = page.split('class="bad chg">')[1].split("</td>")[0]
    assert cell.count('class="cell"') == 2, cell
    assert "conflito" in cell


async def test_the_table_says_otherwise_as_shortly_as_the_drawing(runtime, editor, flow):
    await _changed(runtime, {"op": "set_transition", "id": "t4", "field": "when", "value": "toques < 3"})
    rest = {"from": "CONVERSA", "on": "timeout", "to": "NOVO", "when": "otherwise"}
    await _changed(runtime, {"op": "add_transition", "fields": rest})

    assert '<span class="g">senão</span>' in (await editor.get(f"{BASE}?view=table")).text


async def test_the_table_marks_what_differs_from_the_live_version(runtime, editor, flow):
    await _changed(runtime, {"op": "set_transition", "id": "t1", "field": "to", "value": "FIM"})

    assert 'class="chg"' in (await editor.get(f"{BASE}?view=table")).text


async def test_the_drawing_links_to_every_state_and_arrow(editor, flow):
    page = (await editor.get(BASE)).text

    for state in ("NOVO", "CONVERSA", "FIM"):
        assert f'data-sel="s:{state}"' in page
    for arrow in ("t1", "t2", "t3", "t4"):
        assert f'hx-get="{BASE}/transitions/{arrow}"' in page


async def test_what_is_selected_and_gone_selects_nothing(editor, flow):
    response = await editor.get(f"{BASE}?sel=s:NEVER&view=sideways")

    assert response.status_code == 200
    assert "Nada escolhido" in response.text


async def test_a_flow_that_does_not_exist_is_404(editor):
    assert (await editor.get("/flows/nada/draft")).status_code == 404
    assert (await editor.patch("/flows/nada/draft/states/X", {"field": "deadline"})).status_code == 404


HOSTILE = "<img src=x onerror=alert(1)>\"'{{7*7}}"


async def test_sec_s15_words_of_a_flow_are_never_markup(runtime, editor):
    tree = small(slug="hostil", title=HOSTILE)
    tree["states"]["NOVO"]["waiting_for"] = HOSTILE
    tree["transitions"][0]["label"] = HOSTILE
    tree["actions"]["oi"] = {"kind": "send", "text": HOSTILE.replace("{{7*7}}", ""), "label": HOSTILE}
    tree["events"]["msg_recebida"]["label"] = HOSTILE
    await publish.add_draft(runtime, tree, ACTOR)

    for path in (
        "/flows",
        *(
            f"/flows/hostil/{rest}"
            for rest in ("draft?sel=s:NOVO", "draft?sel=t:t1", "draft?view=table", "publish", "versions", "diagram.svg")
        ),
    ):
        page = (await editor.get(path)).text
        assert "<img src=x" not in page, path
        assert "<title>49" not in page, path


async def test_in_english_the_editor_speaks_english(editor, flow):
    page = (await editor.get(f"{BASE}?sel=s:NOVO", headers={"accept-language": "en"})).text

    assert "Silence deadline" in page
    assert "Prazo de silêncio" not in page
    assert 'lang="en"' in page
