"""The review before publishing, publishing itself, and the versions that it leaves."""

from engine.core.permissions import Role
from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PATH = "/flows/pequeno/publish"


async def _change(runtime, field="deadline", value="4h"):
    await edit.edit(runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": field, "value": value}, actor=ACTOR)


async def test_the_review_says_every_change_in_words_before_and_after(runtime, editor, flow):
    await _change(runtime)
    await edit.edit(runtime, flow, {"op": "set_action", "id": "oi", "field": "text", "value": "Olá!"}, actor=ACTOR)

    page = (await editor.get(PATH)).text

    assert "<del>1 dia</del>" in page
    assert "<ins>4 h</ins>" in page
    assert "<ins>Olá!</ins>" in page
    assert "Compare com a v1" in page


async def test_publishing_needs_a_sentence_and_keeps_what_was_chosen(runtime, editor, flow):
    await _change(runtime)
    form = read((await editor.get(PATH)).text).form(PATH)

    answer = await editor.post(PATH, form.data(note="  "))

    assert answer.status_code == 422
    assert "Diga em uma frase o que mudou." in answer.text
    assert len(await publish.publications(runtime, flow)) == 1


async def test_publishing_makes_the_next_version_with_its_author_and_note(runtime, editor, flow):
    await _change(runtime)
    form = read((await editor.get(PATH)).text).form(PATH)

    answer = await editor.post(PATH, form.data(note="Prazo menor em NOVO"))

    assert answer.headers["location"] == "/flows/pequeno/versions/2"
    page = (await editor.get(answer.headers["location"])).text
    assert "Prazo menor em NOVO" in page
    assert "publisher@trilho.test" in page
    newest = (await publish.publications(runtime, flow))[0]
    assert (newest.number, newest.author) == (2, "publisher@trilho.test")


async def test_errors_keep_it_from_being_published_and_nothing_is_stored(runtime, editor, flow):
    await _change(runtime, value=None)
    form = read((await editor.get(PATH)).text).form(PATH)

    answer = await editor.post(PATH, form.data(note="sem prazo"))

    assert answer.status_code == 422
    assert "fica parado para sempre" in answer.text
    assert "sem prazo" in answer.text
    assert [version.number for version in await publish.publications(runtime, flow)] == [1]


async def test_a_draft_that_moved_on_while_somebody_read_is_409(runtime, editor, flow):
    await _change(runtime)
    form = read((await editor.get(PATH)).text).form(PATH)
    await _change(runtime, value="5h")

    answer = await editor.post(PATH, form.data(note="quatro horas"))

    assert answer.status_code == 409
    assert "O rascunho mudou enquanto você olhava" in answer.text
    assert len(await publish.publications(runtime, flow)) == 1


async def test_what_is_live_already_is_not_published_again(editor, flow):
    answer = await editor.post(PATH, read((await editor.get(PATH)).text).form(PATH).data(note="de novo"))

    assert answer.status_code == 422
    assert "igual ao que está no ar" in answer.text


async def test_a_marketer_may_read_the_review_and_not_publish(runtime, signed_in, flow):
    person = await signed_in(Role.MARKETER)

    assert (await person.get(PATH)).status_code == 200
    assert (await person.post(PATH, {"note": "x"})).status_code == 403
    assert f'href="{PATH}">Publicar' not in (await person.get("/flows/pequeno/draft")).text


async def test_a_word_that_another_live_flow_claims_too_is_told_and_keeps_nothing_from_being_published(
    runtime, editor, flow
):
    """R71."""
    await publish.publish_tree(runtime, small(slug="outro", entry={"words": ["curso"], "ads": ["7"]}), "", ACTOR)
    await publish.publish_tree(runtime, small(entry={"words": ["Curso"], "ads": ["7"]}), "", ACTOR)
    await _change(runtime)

    page = read((await editor.get(PATH)).text)

    assert "“Curso” leva também a outro." in page.text
    assert "O anúncio 7 leva também a outro." in page.text
    assert (await editor.post(PATH, page.form(PATH).data(note="x"))).status_code == 303


async def test_the_review_says_whether_the_safety_rules_hold_and_how_they_changed(runtime, editor, flow):
    assert "As regras de segurança valem" not in (await editor.get(PATH)).text, "there are none"
    await edit.edit(runtime, flow, {"op": "add_rule", "rule": {"window": "24h"}}, actor=ACTOR)
    await edit.edit(runtime, flow, {"op": "add_rule", "rule": {"at_most": 0, "do": "oi"}}, actor=ACTOR)

    page = (await editor.get(PATH)).text

    assert ">Mensagem livre nunca sai depois de 24 h</td>" in page
    checks = page.split('class="checks"')[1].split("</ul>")[0]
    assert "As regras de segurança valem" in checks
    assert "A regra 2 não vale" in checks
    assert "NOVO, msg recebida → CONVERSA, faz oi" in page, "with the way there"


async def test_what_is_looked_at_is_one_line_however_much_was_found(runtime, editor, flow):
    for state in ("NOVO", "CONVERSA"):
        change = {"op": "set_state", "id": state, "field": "deadline", "value": None}
        await edit.edit(runtime, flow, change, actor=ACTOR)

    page = (await editor.get(PATH)).text

    checks = page.split('class="checks"')[1].split("</ul>")[0]
    assert checks.count("Ninguém espera para sempre") == 1
    assert "(e mais " in checks


async def test_the_review_says_what_will_happen_differently_and_to_how_many(runtime, editor, flow):
    await (await phone_for(runtime, flow)).greet()
    await edit.edit(runtime, flow, {"op": "set_transition", "id": "t3", "field": "to", "value": "NOVO"}, actor=ACTOR)
    await _change(runtime)

    html = (await editor.get(PATH)).text
    page = read(html).text

    rows = html[html.index('id="behaviour"') : html.index('id="people"')].split("<tr>")
    assert [">1</td>" in row for row in rows if "Em CONVERSA" in row] == [True]
    assert [">0</td>" in row for row in rows if "de NOVO era" in row] == [True]
    assert "O que vai acontecer diferente" in page
    assert "O prazo de silêncio de NOVO era 1 dia, agora é 4 h" in page
    assert "Em CONVERSA, msg_recebida: antes vai para FIM (t3); agora vai para NOVO (t3)" in page


async def test_what_is_only_written_otherwise_changes_nothing_that_happens(runtime, editor, flow):
    await edit.edit(
        runtime, flow, {"op": "set_transition", "id": "t3", "field": "when", "value": "toques >= 0"}, actor=ACTOR
    )

    page = read((await editor.get(PATH)).text).text

    assert "Em todo caso acontece o mesmo que em v1" in page


async def test_nothing_is_said_of_behaviour_while_nothing_changed(editor, flow):
    assert "O que vai acontecer diferente" not in (await editor.get(PATH)).text
