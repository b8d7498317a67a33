"""The switch on an arrow's panel: its message waits for a person, or leaves by itself; with plain forms and with scripts."""

from engine.core.permissions import Role
from engine.services import edit
from tests.web.conftest import ACTOR
from tests.web.pages_read import read, taking_back

BASE = "/flows/pequeno/draft"
ARROW = f"{BASE}/transitions/t1"


async def tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


async def switch(client, name="t1"):
    page = (await client.get(f"{BASE}?sel=t:{name}")).text
    return read(page).form(action=f"{BASE}/transitions/{name}/approval")


async def test_without_scripts_it_is_switched_on_and_off_again(runtime, editor, flow):
    before, form = await tree(runtime), await switch(editor)
    assert form.fields["ask"] == ["on"]

    response = await editor.post(form.action, form.data())

    assert response.status_code == 303
    page = (await editor.get(response.headers["location"])).text
    assert 'aria-checked="true"' in page
    assert "APROVAR_T1" in page
    assert "uma pessoa aprova o que ela envia" in page
    off = await switch(editor)
    assert off.fields["ask"] == ["off"]

    await editor.post(off.action, off.data())

    assert await tree(runtime) == before


async def test_with_scripts_the_toast_says_where_it_waits_and_takes_it_back(runtime, editor, flow):
    before, form = await tree(runtime), await switch(editor)

    response = await editor.post(form.action, form.data(), headers={"HX-Request": "true"})

    assert "A mensagem espera em APROVAR_T1 até alguém aprovar." in response.text
    back = taking_back(response.text)
    await editor.post(back.action, back.data())
    assert await tree(runtime) == before


async def test_pressed_twice_it_is_switched_once(runtime, editor, flow):
    form = await switch(editor)

    answers = [await editor.post(form.action, form.data(), headers={"HX-Request": "true"}) for _ in range(2)]

    assert [one.status_code for one in answers] == [200, 200]
    assert [name for name in (await tree(runtime))["states"] if name.startswith("APROVAR")] == ["APROVAR_T1"]
    assert 'aria-checked="true"' in answers[1].text


async def test_what_cannot_wait_says_so_beside_the_switch(runtime, editor, flow):
    form = await switch(editor)
    await edit.edit(runtime, "pequeno", {"op": "split_transition", "id": "t1"}, actor=ACTOR)

    response = await editor.post(form.action, form.data())

    assert response.status_code == 422
    assert "Uma variação de teste A/B não pode esperar por uma pessoa" in response.text
    assert 'id="e-asking"' in response.text


async def test_an_arrow_that_sends_nothing_and_one_of_a_decision_have_no_switch(runtime, editor, flow):
    await edit.edit(runtime, "pequeno", {"op": "ask_approval", "id": "t1"}, actor=ACTOR)
    arrows = (await tree(runtime))["transitions"]
    given = next(row["id"] for row in arrows if row["on"] == "approved")

    for name in ("t2", given):
        assert 'role="switch"' not in (await editor.get(f"{BASE}?sel=t:{name}")).text


async def test_who_only_looks_sees_where_it_stands_and_cannot_turn_it(runtime, signed_in, flow):
    reader = await signed_in(Role.READONLY)
    page = (await reader.get(f"{BASE}?sel=t:t1")).text

    assert 'role="switch" aria-checked="false"' in page
    assert (await reader.post(f"{ARROW}/approval", {"ask": "on"})).status_code == 403


async def test_an_arrow_that_is_gone_is_not_found(editor, flow):
    form = await switch(editor)

    assert (await editor.post(form.action.replace("t1", "t99"), form.data())).status_code == 404
