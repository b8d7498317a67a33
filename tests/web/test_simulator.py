"""The simulator through its pages: forms without scripts, fragments with them, saved tests, and who may not."""

import json

import pytest

from engine import samples
from engine.core.permissions import Actor, Role
from engine.services import edit, publish, saved_tests
from engine.services.scenarios.run import play
from engine.services.simulator import runs
from engine.store import due, observing
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web.findings import key_of

START, PUBLISH = "/flows/pequeno/simulator", "/flows/pequeno/publish"
HTMX = {"hx-request": "true"}
EDITOR = Actor("publisher@trilho.test")


async def _begun(person, **form):
    answer = await person.post(START, form)
    assert answer.status_code == 303
    return answer.headers["location"]


async def _said(person, place, text="bom dia", **more):
    return await person.post(f"{place}/message", {"text": text, **more})


async def test_a_message_is_answered_by_the_engine_and_told_with_its_reason(editor, flow):
    place = await _begun(editor)

    answer = await _said(editor, place)

    assert (answer.status_code, answer.headers["location"]) == (303, place)
    page = (await editor.get(place)).text
    assert "O cliente escreveu “bom dia”" in page
    assert "Oi!" in page
    assert "Nenhuma regra conhece essas palavras" in page
    assert "passou por 2 de 3 estados e 1 de 4 setas" in page


async def test_with_scripts_every_form_answers_with_the_simulator_alone(editor, flow):
    place = await _begun(editor)

    answer = await editor.post(f"{place}/message", {"text": "bom dia"}, headers=HTMX)

    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div class="sim" id="sim">')
    assert answer.headers["hx-push-url"] == place


async def test_every_form_of_the_page_works_as_it_is_written(editor, flow):
    place = await _begun(editor)
    await _said(editor, place)
    forms = [form for form in read((await editor.get(place)).text).forms if form.action.startswith(place)]

    for form in forms:
        answer = await editor.post(form.action, {**form.data(), "seen": ""})
        assert answer.status_code in (303, 422), form.action


async def test_nothing_of_the_installation_is_touched(runtime, editor, flow):
    place = await _begun(editor)
    await _said(editor, place)
    await editor.post(f"{place}/clock", {"by": "26h"})

    assert await runtime.store.read(observing.standings) == []
    assert await runtime.store.read(observing.logged) == []
    assert await runtime.store.read(lambda tx: due.next_due(tx, 0)) is None


async def test_the_clock_moves_by_its_buttons_alone(editor, flow):
    place = await _begun(editor)
    await _said(editor, place)

    for by in ("5min", "30min", "2h", "26h", "9d", "deadline"):
        answer = await editor.post(f"{place}/clock", {"by": by}, headers=HTMX)
        assert answer.status_code == (422 if by == "deadline" else 200)

    assert "Nada vence" in answer.text
    assert (await editor.post(f"{place}/clock", {"by": "100y"}, headers=HTMX)).status_code == 422


async def test_one_step_back_is_as_if_it_had_not_been_made(editor, flow):
    place = await _begun(editor)
    await _said(editor, place)
    before = (await editor.get(place)).text
    await _said(editor, place, "e agora?")

    await editor.post(f"{place}/back")

    after = (await editor.get(place)).text
    assert _without_revision(after) == _without_revision(before)


def _without_revision(page):
    return [line for line in page.splitlines() if 'name="seen"' not in line]


async def test_an_earlier_moment_is_shown_and_gone_on_from(editor, flow):
    place = await _begun(editor)
    for text in ("um", "dois", "três"):
        await _said(editor, place, text)

    page = (await editor.get(f"{place}?at=1")).text
    assert "Você vê o passo 1 de 3" in page
    assert "“dois”" not in page
    await _said(editor, place, "outra coisa", at="1")

    page = (await editor.get(place)).text
    assert "“um”" in page
    assert "“outra coisa”" in page
    assert "“dois”" not in page


async def test_a_window_that_is_behind_is_told_so_and_changes_nothing(editor, flow):
    place = await _begun(editor)
    form = next(f for f in read((await editor.get(place)).text).forms if f.action == f"{place}/message")
    await _said(editor, place)

    late = await editor.post(f"{place}/message", {**form.data(), "text": "dois"}, headers=HTMX)

    assert late.status_code == 409
    assert "em outra janela" in late.text
    assert "“dois”" not in (await editor.get(place)).text


async def test_a_run_is_its_makers_own(editor, signed_in, flow):
    place = await _begun(editor)
    other = await signed_in(Role.ADMIN)

    for answer in (await other.get(place), await _said(other, place), await other.post(f"{place}/reset")):
        assert answer.status_code == 404


@pytest.mark.parametrize("role", [Role.READONLY, Role.SUPERVISOR])
async def test_who_may_not_edit_may_not_simulate(signed_in, flow, role):
    person = await signed_in(role)

    assert (await person.get(START)).status_code == 403
    assert (await person.post(START)).status_code == 403
    assert "simulator" not in (await person.get("/flows/pequeno/draft")).text


@pytest.mark.parametrize(
    "path", ["/flows/nada/simulator", f"{START}/999", f"{START}/{2**53}", f"{START}/1/message", "/flows/pequeno/tests/9/scenario.json"]
)  # fmt: skip
async def test_what_is_not_there_is_not_found(editor, flow, path):
    answer = await (editor.post(path, {"text": "a"}) if path.endswith("message") else editor.get(path))

    assert answer.status_code == 404


@pytest.mark.parametrize(
    "form",
    [
        {}, {"kind": "nada"}, {"kind": "payment", "event": "nada"}, {"kind": "event", "event": "nada"}, {"kind": "given"},
        {"kind": "late", "event": "x" * 9000}, {"kind": "person", "name": "\x00\u202e" * 500},
    ],
)  # fmt: skip
async def test_hostile_events_are_refused_with_a_sentence(editor, flow, form):
    place = await _begun(editor)

    answer = await editor.post(f"{place}/event", form, headers=HTMX)

    assert answer.status_code in (200, 422)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("text", ["", "   ", "<script>alert(1)</script>{{ 7*7 }}", "\u202e" * 4000, "a" * 5000])
async def test_odd_messages_are_shown_or_refused(editor, flow, text):
    place = await _begun(editor)

    answer = await editor.post(f"{place}/message", {"text": text}, headers=HTMX)

    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.text


async def test_a_run_of_a_version_stays_what_it_was(runtime, editor, flow):
    place = await _begun(editor, version="1")
    await edit.edit(runtime, flow, {"op": "set_action", "id": "oi", "field": "text", "value": "Olá!"}, actor=ACTOR)

    await _said(editor, place)

    page = (await editor.get(place)).text
    assert "Oi!" in page
    assert "O rascunho mudou" not in page


async def test_beginning_again_takes_the_draft_as_it_is_now(runtime, editor, flow):
    place = await _begun(editor)
    await edit.edit(runtime, flow, {"op": "set_action", "id": "oi", "field": "text", "value": "Olá!"}, actor=ACTOR)
    assert "O rascunho mudou" in (await editor.get(place)).text

    await editor.post(f"{place}/reset")
    await _said(editor, place)

    page = (await editor.get(place)).text
    assert "Olá!" in page
    assert "O rascunho mudou" not in page


async def test_a_problem_is_seen_to_happen(runtime, editor):
    await publish.add_draft(runtime, samples.tree("venda-literal"), ACTOR)
    page = read((await editor.get("/flows/venda-literal/draft?view=rules")).text)
    forms = [
        form for form in page.forms if form.action == "/flows/venda-literal/simulator" and "finding" in form.fields
    ]
    review = await publish.review(runtime, "venda-literal")
    assert len(forms) >= 5

    form = forms[0]
    finding = next(one for one in review.findings if key_of(one) == form.fields["finding"][0])
    answer = await editor.post(form.action, form.data())

    shown = (await editor.get(answer.headers["location"])).text
    assert "O caminho até o problema" in shown
    run = await runs.opened(runtime, "venda-literal", int(answer.headers["location"].rsplit("/")[-1]), EDITOR)
    came = await runs.played(run)
    walked = [one.entry.facts.get("transition") for one in came.log if one.entry.frm]
    assert walked == [told["transition"] for told in finding.path]
    await editor.post(f"{answer.headers['location']}/reset")
    assert (await editor.get(answer.headers["location"])).text.count("O caminho até o problema") == len(run.steps)


async def test_a_problem_that_is_gone_is_not_found(editor, flow):
    assert (await editor.post(START, {"finding": "nada"})).status_code == 404


async def _kept(person, name="responde ao primeiro oi"):
    place = await _begun(person)
    await _said(person, place)
    answer = await person.post(f"{place}/save-as-test", {"name": name})
    assert answer.status_code == 303
    return place


async def test_a_saved_test_runs_as_a_scenario_file(editor, flow, runtime, tmp_path):
    await _kept(editor)
    test = (await saved_tests.listed(runtime, flow))[0]

    answer = await editor.get(f"/flows/pequeno/tests/{test.id}/scenario.json")

    path = tmp_path / "teste.json"
    path.write_text(answer.text)
    assert (await play(path)).differences == ()
    told = json.loads(answer.text)
    assert told["expect"]["texts"] == ["Oi!"]
    told["expect"]["texts"] = ["Olá!"]
    path.write_text(json.dumps(told))
    assert (await play(path)).differences == ("texts: ['Olá!'] expected, ['Oi!'] left",)


async def test_a_test_that_differs_keeps_it_from_being_published_unless_somebody_says_so(runtime, editor, flow):
    await _kept(editor)
    await edit.edit(runtime, flow, {"op": "set_action", "id": "oi", "field": "text", "value": "Olá!"}, actor=ACTOR)

    page = (await editor.get(PUBLISH)).text
    assert "responde ao primeiro oi" in page
    assert "<td>Oi!</td><td>Olá!</td>" in page
    form = read(page).form(PUBLISH)
    refused = await editor.post(PUBLISH, form.data(note="outra saudação"))

    assert refused.status_code == 422
    assert "Estes testes salvos saíram diferentes: responde ao primeiro oi." in refused.text
    assert len(await publish.publications(runtime, flow)) == 1
    done = await editor.post(PUBLISH, {**form.data(note="outra saudação"), "tests": "anyway"})
    assert done.headers["location"] == "/flows/pequeno/versions/2"


async def test_a_test_that_passes_stands_in_nobodys_way(runtime, editor, flow):
    await _kept(editor)
    await edit.edit(
        runtime, flow, {"op": "set_state", "id": "CONVERSA", "field": "deadline", "value": "3d"}, actor=ACTOR
    )

    form = read((await editor.get(PUBLISH)).text).form(PUBLISH)
    done = await editor.post(PUBLISH, form.data(note="prazo maior"))

    assert done.headers["location"] == "/flows/pequeno/versions/2"


async def test_tests_are_played_renamed_and_deleted(runtime, editor, flow):
    await _kept(editor)
    await _kept(editor, "outro")
    first, second = await saved_tests.listed(runtime, flow)

    assert (await editor.get(f"{START}?test=all")).text.count("como esperado") == 2
    taken = await editor.post(f"/flows/pequeno/tests/{second.id}/rename", {"name": first.name})
    assert taken.status_code == 422
    assert "Já existe um teste chamado" in taken.text
    await editor.post(f"/flows/pequeno/tests/{second.id}/rename", {"name": "  novo   nome "})
    await editor.post(f"/flows/pequeno/tests/{first.id}/delete")

    assert [one.name for one in await saved_tests.listed(runtime, flow)] == ["novo nome"]


@pytest.mark.parametrize("name", ["", "   ", "a" * 81, "a\x07b"])
async def test_a_test_needs_a_name_that_can_be_read(editor, flow, name):
    place = await _begun(editor)
    await _said(editor, place)

    assert (await editor.post(f"{place}/save-as-test", {"name": name})).status_code == 422


async def test_nothing_done_is_no_test(editor, flow):
    place = await _begun(editor)

    answer = await editor.post(f"{place}/save-as-test", {"name": "nada"})

    assert answer.status_code == 422
    assert "Faça alguma coisa antes" in answer.text


async def test_files_are_sent_and_a_person_takes_over_and_gives_back_with_plain_forms(editor, flow):
    place = await _begun(editor)
    assert 'value="take"' not in (await editor.get(place)).text, "nobody wrote yet"
    early = await editor.post(f"{place}/event", {"kind": "take"})
    assert (early.status_code, "Ninguém escreveu ainda" in early.text) == (422, True)
    await editor.post(f"{place}/message", {"medium": "audio", "text": "bom dia"})
    await editor.post(f"{place}/message", {"medium": "document", "text": ""})
    empty = await editor.post(f"{place}/message", {"medium": "audio", "text": " "})
    assert empty.status_code == 422

    await editor.post(f"{place}/event", {"kind": "take"})

    page = read((await editor.get(place)).text).text
    assert "O cliente mandou: áudio “bom dia”" in page
    assert "O cliente mandou: documento" in page
    assert "Uma pessoa assumiu por 30 min" in page
    assert "uma pessoa responde até" in page
    await editor.post(f"{place}/event", {"kind": "give_back", "held": "yes"})
    page = read((await editor.get(place)).text).text
    assert "Uma pessoa devolveu a conversa ao robô, e o que ficou retido sai" in page
    assert "uma pessoa responde até" not in page
    saved = await editor.post(f"{place}/save-as-test", {"name": "com áudio"})
    assert saved.status_code == 303
