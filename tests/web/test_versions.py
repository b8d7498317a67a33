"""Versions: listed, opened, compared, brought back as the draft."""

import pytest

from engine.core.permissions import Role
from engine.services import edit, publish
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PATH = "/flows/pequeno/versions"
RESTORE = f"{PATH}/1/restore"


async def _change(runtime, value="4h"):
    change = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}
    await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def _second(runtime, flow):
    await _change(runtime)
    await publish.publish(runtime, flow, "segunda", ACTOR)


async def test_the_versions_are_listed_with_the_newest_first_and_with_who_is_on_them(runtime, editor, flow):
    await (await phone_for(runtime, flow)).greet()
    await _second(runtime, flow)
    await _change(runtime, "6h")

    html = (await editor.get(PATH)).text
    page = read(html)

    assert page.text.index("segunda") < page.text.index("primeira")
    assert f"{PATH}/1" in page.links
    assert RESTORE in page.links
    assert "1 mudança que não está no ar" in page.text
    form = page.form("/flows/pequeno/compare")
    assert form.fields == {"to": ["draft"], "from": ["2"]}


async def test_an_old_version_shows_what_it_said_and_cannot_be_changed(runtime, editor, flow):
    await _second(runtime, flow)

    page = (await editor.get(f"{PATH}/1")).text

    assert "versão antiga" in page
    assert "quando 1 dia de silêncio" in page
    assert "&#34;deadline&#34;: &#34;1d&#34;" in page, "its document"
    assert "/draft/states" not in page
    assert (await editor.get(f"{PATH}/9")).status_code == 404


async def test_before_the_first_publication_the_page_says_what_to_do(runtime, editor, flow):
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET live = NULL"))
    await runtime.store.write("k", lambda tx: tx.run("DELETE FROM flow_version"))

    assert "Nada foi publicado ainda" in (await editor.get(PATH)).text


@pytest.mark.parametrize(
    ("query", "title", "before", "after"),
    [
        ("?from=1&to=draft", "de v1 para rascunho", "1 dia", "6 h"),
        ("?from=1&to=2", "de v1 para v2", "1 dia", "4 h"),
        ("?from=2&to=1", "de v2 para v1", "4 h", "1 dia"),
        ("?from=draft&to=1", "de rascunho para v1", "6 h", "1 dia"),
        ("", "de v2 para rascunho", "4 h", "6 h"),
    ],
)
async def test_any_two_are_compared_in_what_they_say_and_in_what_they_do(
    runtime, editor, flow, query, title, before, after
):
    await _second(runtime, flow)
    await _change(runtime, "6h")

    page = (await editor.get(f"/flows/pequeno/compare{query}")).text

    assert title in page
    assert f"<del>{before}</del>" in page
    assert f"<ins>{after}</ins>" in page
    assert f"O prazo de silêncio de NOVO era {before}, agora é {after}" in page


async def test_a_version_compared_with_itself_says_the_same(editor, flow):
    assert "As duas dizem o mesmo" in (await editor.get("/flows/pequeno/compare?from=1&to=1")).text


@pytest.mark.parametrize("query", ["from=9", "to=0", "to=abc", "from=-1", "to=99999999999999999999"])
async def test_a_version_that_there_is_not_is_404(editor, flow, query):
    assert (await editor.get(f"/flows/pequeno/compare?{query}")).status_code == 404


async def test_restoring_tells_first_what_is_lost_and_offers_to_keep_it(runtime, editor, flow):
    await _second(runtime, flow)
    await _change(runtime, "6h")

    html = (await editor.get(RESTORE)).text
    page = read(html)

    assert "<del>4 h</del>" in html
    assert "<ins>6 h</ins>" in html
    assert "/flows/pequeno/diagram.json?version=draft" in page.links
    answer = await editor.post(RESTORE, page.form(RESTORE).data())
    assert answer.headers["location"] == "/flows/pequeno/draft"
    there = await edit.opened(runtime, flow)
    assert (there.tree["states"]["NOVO"]["deadline"], there.draft.live) == ("1d", 2)


async def test_what_was_replaced_comes_back_from_its_file(runtime, editor, flow):
    await _second(runtime, flow)
    await _change(runtime, "6h")
    kept = (await editor.get("/flows/pequeno/diagram.json?version=draft")).text
    await editor.post(RESTORE, read((await editor.get(RESTORE)).text).form(RESTORE).data())

    answer = await editor.post("/flows/import", {"text": kept, "clash": "replace"})

    assert answer.headers["location"] == "/flows/pequeno/draft"
    assert (await edit.opened(runtime, flow)).tree["states"]["NOVO"]["deadline"] == "6h"


async def test_a_draft_that_moved_on_is_asked_about_again_and_not_lost(runtime, editor, flow):
    await _second(runtime, flow)
    form = read((await editor.get(RESTORE)).text).form(RESTORE)
    await _change(runtime, "6h")

    answer = await editor.post(RESTORE, form.data())

    assert answer.status_code == 409
    assert "O rascunho mudou enquanto você olhava" in answer.text
    assert "<ins>6 h</ins>" in answer.text
    assert (await edit.opened(runtime, flow)).tree["states"]["NOVO"]["deadline"] == "6h"
    assert (await editor.post(RESTORE, {})).status_code == 422


async def test_what_the_draft_says_already_is_not_restored(editor, flow):
    page = (await editor.get(RESTORE)).text

    assert "O rascunho já diz o mesmo que a v1" in page
    assert 'name="revision"' not in page


async def test_who_may_not_edit_may_look_and_compare(runtime, signed_in, flow):
    person = await signed_in(Role.READONLY)

    assert "restore" not in (await person.get(PATH)).text
    assert (await person.get("/flows/pequeno/compare")).status_code == 200
    assert (await person.get(RESTORE)).status_code == 403
    assert (await person.post(RESTORE, {"revision": "1"})).status_code == 403
