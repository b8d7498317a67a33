"""A flow as a whole: renamed, duplicated, archived, brought back; nothing of it deleted."""

import pytest

from engine.core.permissions import Role
from engine.services import channels, edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PAGE = "/flows/pequeno/manage"


async def test_a_new_title_is_a_change_of_the_draft_and_the_address_stays(runtime, editor, flow):
    form = read((await editor.get(PAGE)).text).form("/flows/pequeno/title")

    answer = await editor.post("/flows/pequeno/title", form.data(title="  Outro   nome "))

    assert answer.headers["location"] == PAGE
    there = await edit.opened(runtime, flow)
    assert (there.draft.slug, there.draft.title) == ("pequeno", "Outro nome")
    assert "Outro nome" in (await editor.get("/flows")).text
    assert (await publish.review(runtime, flow)).changes[0].name == "title"


async def test_of_a_title_in_two_languages_the_reader_s_own_changes(runtime, editor):
    await publish.add_draft(runtime, small(slug="duas", title={"pt-BR": "Um", "en": "One"}), ACTOR)

    await editor.post("/flows/duas/title", {"title": "Dois"})

    assert (await edit.opened(runtime, "duas")).tree["title"] == {"pt-BR": "Dois", "en": "One"}


async def test_two_people_who_rename_are_told(runtime, editor, flow):
    form = read((await editor.get(PAGE)).text).form("/flows/pequeno/title")
    await edit.edit(runtime, flow, {"op": "set_title", "value": "De outra pessoa"}, actor=ACTOR)

    answer = await editor.post("/flows/pequeno/title", form.data(title="Meu"))

    assert answer.status_code == 303, "the page is read again with what is there now"


@pytest.mark.parametrize("where", ["title", "duplicate"])
async def test_an_empty_title_is_told_beside_its_field(editor, flow, where):
    answer = await editor.post(f"/flows/pequeno/{where}", {"title": " "})

    assert answer.status_code == 422
    assert "Um título tem de 1 a 120 caracteres visíveis" in answer.text
    assert answer.text.count('aria-invalid="true"') == 1


async def test_a_copy_is_made_and_opened(runtime, editor, flow):
    form = read((await editor.get(PAGE)).text).form("/flows/pequeno/duplicate")
    assert form.fields["title"] == ["Cópia de Pequeno"]

    answer = await editor.post("/flows/pequeno/duplicate", form.data())

    assert answer.headers["location"] == "/flows/copia-de-pequeno/draft"
    again = await editor.post("/flows/pequeno/duplicate", form.data())
    assert (again.status_code, "Já existe um fluxo" in again.text) == (422, True)


async def test_archiving_says_what_happens_and_bringing_back_undoes_it(runtime, editor, flow):
    person = await phone_for(runtime, flow)
    await person.greet()
    page = (await editor.get(PAGE)).text
    assert "1 conversa em andamento vai até o fim" in page
    assert "Antes, faça estes levarem a outro fluxo" in page
    refused = await editor.post("/flows/pequeno/archive")
    assert (refused.status_code, "Conversas novas ainda entram por" in refused.text) == (422, True)
    for channel in await channels.everything(runtime):
        await channels.remove(runtime, channel.id, ACTOR)

    answer = await editor.post("/flows/pequeno/archive")

    assert answer.headers["location"] == "/flows?tab=archived"
    assert 'id="flow-pequeno"' not in (await editor.get("/flows")).text
    assert (await editor.get("/live?flow=pequeno")).status_code == 200, "somebody is still inside"
    assert "Trazer o fluxo de volta" in (await editor.get(PAGE)).text
    await editor.post("/flows/pequeno/unarchive")
    assert 'id="flow-pequeno"' in (await editor.get("/flows")).text


async def test_an_archived_flow_is_not_published(runtime, editor, flow):
    await editor.post("/flows/pequeno/archive")
    await edit.edit(runtime, flow, {"op": "set_title", "value": "Novo"}, actor=ACTOR)
    form = read((await editor.get("/flows/pequeno/publish")).text).form("/flows/pequeno/publish")

    answer = await editor.post("/flows/pequeno/publish", form.data(note="x"))

    assert (answer.status_code, "O fluxo está arquivado" in answer.text) == (422, True)


async def test_a_marketer_renames_and_duplicates_and_does_not_archive(signed_in, flow):
    person = await signed_in(Role.MARKETER)

    assert "/flows/pequeno/archive" not in (await person.get(PAGE)).text
    assert (await person.post("/flows/pequeno/archive")).status_code == 403
    assert (await person.post("/flows/pequeno/unarchive")).status_code == 403
    assert (await person.post("/flows/pequeno/title", {"title": "Meu"})).status_code == 303
    assert (await (await signed_in(Role.SUPERVISOR)).get(PAGE)).status_code == 403
