"""Undo and redo on the page: buttons that say what they do, and the card about what somebody else changed since."""

from engine.core.permissions import Actor
from engine.services import edit
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"
BRUNO = Actor("bruno@example.com")


async def _deadline(runtime, value, actor=BRUNO):
    change = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}
    return await edit.edit(runtime, "pequeno", change, actor=actor)


async def _state(runtime):
    return (await edit.opened(runtime, "pequeno")).tree["states"]["NOVO"]


def _button(page, which):
    return next(form for form in page.forms if form.action == f"{BASE}/{which}")


async def test_without_scripts_a_change_is_undone_and_made_again_and_the_buttons_say_what(runtime, editor, flow):
    await editor.post(f"{BASE}/states/NOVO", {"field": "deadline", "value": "4 h"})
    page = (await editor.get(BASE)).text
    assert 'title="Desfazer: prazo de NOVO 1 dia → 4 h"' in page

    done = await editor.post(f"{BASE}/undo", _button(read(page), "undo").data())

    assert done.headers["location"].endswith("sel=s%3ANOVO"), "what was undone is shown"
    assert (await _state(runtime))["deadline"] == "1d"
    page = (await editor.get(BASE)).text
    assert 'title="Refazer: prazo de NOVO 1 dia → 4 h"' in page
    assert 'title="Nada seu para desfazer"' in page
    await editor.post(f"{BASE}/redo", _button(read(page), "redo").data())
    assert (await _state(runtime))["deadline"] == "4h"


async def test_with_htmx_every_answer_brings_the_buttons_along(editor, flow):
    form = read((await editor.get(f"{BASE}?sel=s:NOVO")).text).form(ident="f-deadline")

    answer = await editor.patch(form.action, form.data(value="4 h"))

    assert 'id="undo" role="group"' in answer.text
    assert "Desfazer: prazo de NOVO" in answer.text


async def test_what_somebody_else_changed_since_is_asked_about_with_both_values(runtime, editor, flow):
    await editor.post(f"{BASE}/states/NOVO", {"field": "deadline", "value": "4 h"})
    await _deadline(runtime, "6h")
    step = _button(read((await editor.get(BASE)).text), "undo").data()

    asked = await editor.post(f"{BASE}/undo", step)

    assert asked.status_code == 409
    assert "bruno mudou isto" in asked.text
    assert "agora: 6 h" in asked.text
    assert "o seu seria: 1 dia" in asked.text
    assert (await _state(runtime))["deadline"] == "6h"
    anyway, leave = [form for form in read(asked.text).forms if {"anyway", "leave"} & set(form.fields)]
    await editor.post(anyway.action, anyway.data())
    assert (await _state(runtime))["deadline"] == "1d"
    assert leave.fields["leave"] == ["1"]


async def test_leaving_it_changes_nothing_and_offers_the_change_before(runtime, editor, flow):
    await editor.post(f"{BASE}/states/NOVO", {"field": "waiting_for", "value": "a compra"})
    await editor.post(f"{BASE}/states/NOVO", {"field": "deadline", "value": "4 h"})
    await _deadline(runtime, "6h")
    asked = await editor.post(f"{BASE}/undo", _button(read((await editor.get(BASE)).text), "undo").data())
    leave = next(form for form in read(asked.text).forms if "leave" in form.fields)

    await editor.post(leave.action, leave.data())

    assert (await _state(runtime))["deadline"] == "6h"
    assert "Desfazer: o que se espera de NOVO" in (await editor.get(BASE)).text


async def test_a_second_click_on_the_same_step_says_that_it_is_done(runtime, editor, flow):
    await editor.post(f"{BASE}/states/NOVO", {"field": "deadline", "value": "4 h"})
    step = _button(read((await editor.get(BASE)).text), "undo").data()
    headers = {"hx-request": "true", "x-csrf-token": editor.csrf}
    await editor.client.post(f"{BASE}/undo", data=step, headers=headers)

    again = await editor.client.post(f"{BASE}/undo", data=step, headers=headers)

    assert again.status_code == 200
    assert "Não há nada seu para desfazer aqui." in again.text


async def test_who_may_not_edit_sees_no_buttons_and_cannot_use_them(signed_in, flow):
    reader = await signed_in("supervisor")

    assert f"{BASE}/undo" not in (await reader.get(BASE)).text
    assert (await reader.post(f"{BASE}/undo", {"step": "1"})).status_code == 403
