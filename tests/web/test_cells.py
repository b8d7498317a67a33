"""Whole squares of the table: emptied, and copied into others, with plain forms and a way back."""

import re

from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.pages_read import read, taking_back

BASE = "/flows/pequeno/draft"
SQUARE = f"{BASE}/cells/NOVO/msg_recebida"


async def _group(runtime, state, event):
    return (await edit.opened(runtime, "pequeno")).flow.own_group(state, event)


async def test_without_scripts_a_square_is_copied_by_its_panel(runtime, editor, flow):
    page = read((await editor.get(f"{BASE}?view=table&sel=c:CONVERSA:timeout")).text)
    form = page.form(f"{BASE}/cells/CONVERSA/timeout/paste")

    answer = await editor.post(form.action, form.data(copied="NOVO:msg_recebida"))

    assert answer.status_code == 303 and "sel=c%3ACONVERSA%3Atimeout" in answer.headers["location"]
    (made,) = await _group(runtime, "CONVERSA", "timeout")
    assert (made.to, made.do) == ("CONVERSA", ("oi",))


async def test_what_stays_there_stays_here(runtime, editor, flow):
    stays = {"op": "set_transition", "id": "t1", "field": "to", "value": "NOVO"}
    await edit.edit(runtime, "pequeno", stays, actor=ACTOR)

    await editor.post(f"{BASE}/cells/CONVERSA/msg_recebida/paste", {"copied": "c:NOVO:msg_recebida"})

    (made,) = await _group(runtime, "CONVERSA", "msg_recebida")
    assert made.to == "CONVERSA"


async def test_a_cleared_square_comes_back_with_the_toast(runtime, editor, flow):
    headers = {"hx-request": "true", "x-csrf-token": editor.csrf}
    before = (await edit.opened(runtime, "pequeno")).tree

    answer = await editor.client.post(f"{SQUARE}/clear", data={"view": "table"}, headers=headers)

    assert "Célula limpa." in answer.text and await _group(runtime, "NOVO", "msg_recebida") == ()
    await editor.post(f"{BASE}/undo", taking_back(answer.text).data())
    after = (await edit.opened(runtime, "pequeno")).tree
    assert sorted(after["transitions"], key=lambda t: t["id"]) == before["transitions"]


async def test_a_paste_is_taken_back_whole(runtime, editor, flow):
    headers = {"hx-request": "true", "x-csrf-token": editor.csrf}
    before = (await edit.opened(runtime, "pequeno")).tree
    copied = {"view": "table", "copied": "NOVO:msg_recebida"}

    answer = await editor.client.post(f"{BASE}/cells/CONVERSA/timeout/paste", data=copied, headers=headers)

    await editor.post(f"{BASE}/undo", taking_back(answer.text).data())
    after = (await edit.opened(runtime, "pequeno")).tree
    assert sorted(after["transitions"], key=lambda t: t["id"]) == before["transitions"]


async def test_an_empty_square_gives_nothing_to_copy(runtime, editor, flow):
    before = await edit.opened(runtime, "pequeno")

    for copied in ("FIM:msg_recebida", "NADA:nada", "", ":", "x" * 500):
        answer = await editor.post(f"{SQUARE}/paste", {"copied": copied, "view": "table"})
        assert answer.status_code == 422, copied
        assert "Não há o que copiar" in answer.text

    assert (await edit.opened(runtime, "pequeno")).revision == before.revision


async def test_a_square_of_a_state_that_is_gone_is_404(editor, flow):
    assert (await editor.post(f"{BASE}/cells/NADA/msg_recebida/clear")).status_code == 404


async def test_the_table_says_of_every_square_which_it_is(editor, flow):
    page = (await editor.get(f"{BASE}?view=table")).text
    assert {"c:NOVO:msg_recebida", "c:FIM:timeout"} <= set(re.findall(r'data-cell="([^"]+)"', page))


async def test_the_table_shows_only_what_differs_from_the_live_version(runtime, editor, flow):
    page = (await editor.get(f"{BASE}?view=changed")).text
    assert "Nenhuma célula difere da versão no ar" in page

    for change in (
        {"op": "set_transition", "id": "t3", "field": "to", "value": "NOVO"},
        {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "4h"},
    ):
        await edit.edit(runtime, flow, change, actor=ACTOR)

    table = (await editor.get(f"{BASE}?view=changed")).text.split('class="mx"')[1].split("</table>")[0]
    rows = table.split("<tbody>")[1]
    assert rows.count('<th scope="row"') == 2, "NOVO and CONVERSA, not FIM"
    assert "FIM" not in rows.split("CONVERSA")[0].split("NOVO")[0]
    assert rows.count("chg") == 1, "the arrow; a state is marked in its row"
