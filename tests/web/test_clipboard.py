"""Copying a state and pasting it into another flow, with plain forms; what came along and what could not is said."""

from engine.core.permissions import Role
from engine.services import clipboard, edit, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

BASE, OTHER = "/flows/pequeno/draft", "/flows/outro/draft"


async def _other(runtime, **changes):
    tree = small(slug="outro", actions={"oi": {"kind": "send", "text": "Outro oi"}}, **changes)
    await publish.add_draft(runtime, tree, ACTOR)


async def test_without_scripts_a_state_is_copied_in_one_flow_and_pasted_in_another(runtime, editor, flow):
    await _other(runtime)
    copy = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(f"{BASE}/states/NOVO/copy")
    assert (await editor.post(copy.action, copy.data())).status_code == 303

    page = (await editor.get(OTHER)).text
    assert "Colar NOVO, copiado de pequeno" in page
    pasted = await editor.post(f"{OTHER}/paste", read(page).form(f"{OTHER}/paste").data())

    assert pasted.status_code == 200
    assert "Colado: NOVO_2" in pasted.text
    assert "a ação oi aqui se chama oi_2" in pasted.text
    opened = await edit.opened(runtime, "outro")
    assert {(t.on, t.to, t.do) for t in opened.flow.transitions if t.frm == "NOVO_2"} == {
        ("msg_recebida", "CONVERSA", ("oi_2",)),
        ("timeout", "FIM", ()),
    }
    undo = next(form for form in read((await editor.get(OTHER)).text).forms if form.action == f"{OTHER}/undo")
    await editor.post(undo.action, undo.data())
    assert "NOVO_2" not in (await edit.opened(runtime, "outro")).flow.states


async def test_arrows_to_states_that_are_not_there_are_listed(runtime, editor, flow):
    rest = [t for t in small()["transitions"] if t["from"] == "NOVO" and t["to"] == "FIM"]
    states = {name: entry for name, entry in small()["states"].items() if name != "CONVERSA"}
    await _other(runtime, states=states, transitions=rest)
    await editor.post(f"{BASE}/states/NOVO/copy")

    pasted = await editor.client.post(f"{OTHER}/paste", headers={"hx-request": "true", "x-csrf-token": editor.csrf})

    assert "em NOVO_2, quando msg recebida: para CONVERSA, que não existe aqui" in pasted.text
    assert "Desfazer" in pasted.text


async def test_several_states_are_chosen_by_their_boxes_and_pasted_as_one_change(runtime, editor, flow):
    await _other(runtime)
    page = read((await editor.get(f"{BASE}?sel=s:NOVO")).text)
    link = next(one for one in page.links if one.endswith("sel=copying:NOVO"))
    form = read((await editor.get(link)).text).form(ident="copying")
    assert form.fields["state"] == ["NOVO"], "the state that was shown is chosen already"

    answer = await editor.post(form.action, form.data(state=["NOVO", "CONVERSA", "NADA"]))

    assert answer.headers["location"].endswith("sel=copying%3ANOVO%2CCONVERSA")
    chosen = read((await editor.get(answer.headers["location"])).text)
    assert chosen.form(ident="copying").fields["state"] == ["NOVO", "CONVERSA"]
    assert "2 estados, 1 seta entre eles" in chosen.text
    before = (await edit.opened(runtime, "outro")).tree
    pasted = await editor.post(f"{OTHER}/paste")
    assert "Colado: CONVERSA_2, NOVO_2" in pasted.text
    arrows = {(t.frm, t.on, t.to) for t in (await edit.opened(runtime, "outro")).flow.transitions}
    assert {
        ("NOVO_2", "msg_recebida", "CONVERSA_2"), ("NOVO_2", "timeout", "FIM"), ("CONVERSA_2", "timeout", "FIM")
    } <= arrows  # fmt: skip
    page = (await editor.get(OTHER)).text
    assert "Desfazer: colar CONVERSA, NOVO" in page
    undo = next(form for form in read(page).forms if form.action == f"{OTHER}/undo")
    await editor.post(undo.action, undo.data())
    assert (await edit.opened(runtime, "outro")).tree == before


async def test_with_no_state_chosen_it_is_said_and_what_was_copied_stays(runtime, editor, flow):
    await editor.post(f"{BASE}/states/NOVO/copy")

    answer = await editor.post(f"{BASE}/copy", {"view": "table"})

    assert answer.status_code == 422
    assert "Escolha ao menos um estado" in answer.text
    assert (await clipboard.held(runtime, "publisher@trilho.test")).states == ("NOVO",)


async def test_what_would_be_no_flow_is_refused_with_the_reason_and_nothing_is_stored(runtime, editor, flow):
    await _other(runtime)
    await edit.edit(runtime, "pequeno", {"op": "rename_state", "id": "CONVERSA", "name": "X" * 64}, actor=ACTOR)
    await editor.post(f"{BASE}/states/{'X' * 64}/copy")
    await edit.edit(runtime, "outro", {"op": "add_state", "id": "X" * 64, "fields": {}}, actor=ACTOR)
    before = await edit.opened(runtime, "outro")

    answer = await editor.post(f"{OTHER}/paste")

    assert answer.status_code == 422
    assert "Nada foi colado" in answer.text
    assert (await edit.opened(runtime, "outro")).revision == before.revision


async def test_nothing_copied_is_said_and_each_has_a_clipboard_of_their_own(runtime, editor, signed_in, flow):
    assert "Nada foi copiado ainda" in (await editor.post(f"{BASE}/paste")).text
    await editor.post(f"{BASE}/states/NOVO/copy")

    other = await signed_in(Role.MARKETER)
    assert f"{BASE}/paste" not in (await other.get(BASE)).text
    assert (await clipboard.held(runtime, "publisher@trilho.test")).states == ("NOVO",)
    assert (await editor.post(f"{BASE}/states/LUA/copy")).status_code == 404
