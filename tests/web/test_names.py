"""Names on the page: renaming a state, an event, an action or a field; where it is used; taking it away."""

import pytest

from engine.services import edit
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"


async def _tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


@pytest.mark.parametrize(
    ("kind", "name", "section"),
    [("event", "msg_recebida", "events"), ("action", "oi", "actions"), ("field", "toques", "context")],
)
async def test_without_scripts_a_name_is_found_changed_and_selected_by_its_new_one(
    runtime, editor, flow, kind, name, section
):
    listed = (await editor.get(f"{BASE}?sel=names")).text
    assert f"n%3A{kind}%3A{name}" in listed
    form = read((await editor.get(f"{BASE}?sel=n:{kind}:{name}")).text).form(ident="f-name")

    done = await editor.post(form.action, form.data(value="outro"))

    assert done.headers["location"].endswith(f"sel=n%3A{kind}%3Aoutro")
    assert (await editor.get(done.headers["location"])).status_code == 200
    assert "outro" in (await _tree(runtime))[section]
    assert f"'{name}'" not in str(await _tree(runtime))


async def test_where_an_action_is_used_is_listed_and_it_is_not_deleted(runtime, editor, flow):
    page = (await editor.get(f"{BASE}?sel=n:action:oi")).text
    assert f"{BASE}?sel=t:t1" in read(page).links

    answer = await editor.post(f"{BASE}/names/action/oi/delete")

    assert answer.status_code == 422
    assert "Setas ainda usam: t1" in answer.text
    assert "oi" in (await _tree(runtime))["actions"]


async def test_what_nothing_uses_is_deleted_and_comes_back_from_the_toast(runtime, editor, flow):
    answer = await editor.client.post(
        f"{BASE}/names/field/toques/delete", headers={"hx-request": "true", "x-csrf-token": editor.csrf}
    )
    assert "toques" not in (await _tree(runtime)).get("context", {})
    undo = [form for form in read(answer.text).forms if form.action == f"{BASE}/undo"][-1]
    await editor.post(undo.action, undo.data())
    assert "toques" in (await _tree(runtime))["context"]


@pytest.mark.parametrize(("name", "words"), [("NOVO", "Já existe"), ("", "precisa de um nome")])
async def test_a_name_that_cannot_be_is_refused_beside_the_open_field(editor, flow, name, words):
    answer = await editor.patch(f"{BASE}/states/CONVERSA", {"field": "name", "value": name})

    assert answer.status_code == 422
    assert words in answer.text
    assert '<details class="rename" open>' in answer.text


@pytest.mark.parametrize("path", ["names/planet/x", "names/action/nada"])
async def test_what_has_no_name_is_not_renamed(editor, flow, path):
    assert (await editor.post(f"{BASE}/{path}", {"value": "x"})).status_code == 404
    assert (await editor.post(f"{BASE}/{path}/delete")).status_code == 404
    assert (await editor.get(f"{BASE}/{path}")).status_code == 200, "a selection that is gone selects nothing"
