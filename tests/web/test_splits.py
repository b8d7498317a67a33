"""An A/B test in the editor, with plain forms: begun, shared out anew, decided, undone; and what each variant sold."""

import pytest

from engine.core.permissions import Role
from engine.services import edit, publish
from tests.web.conftest import ACTOR
from tests.web.pages_read import read, taking_back

BASE = "/flows/pequeno/draft"
ARROW = f"{BASE}/transitions/t1"


async def tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


async def shares(runtime) -> dict[str, int | None]:
    rows = (await tree(runtime))["transitions"]
    return {row["id"]: row.get("share") for row in rows if row["id"].startswith("t1")}


async def begun(runtime, *more):
    for change in ({"op": "split_transition", "id": "t1"}, *more):
        await edit.edit(runtime, "pequeno", change, actor=ACTOR)


async def panel(client, name="t1", **query):
    return (await client.get(f"{BASE}?sel=t:{name}", **query)).text


async def test_without_scripts_an_arrow_is_split_and_its_twin_is_shown(runtime, editor, flow):
    form = read(await panel(editor)).form(action=f"{ARROW}/split")

    response = await editor.post(form.action, form.data())

    assert response.status_code == 303
    assert "sel=t%3At1_b" in response.headers["location"]
    assert await shares(runtime) == {"t1": 50, "t1_b": 50}
    page = (await editor.get(response.headers["location"])).text
    for words in ("Teste A/B", "A 50 %", "B 50 %", "para 50 % dos clientes (variação B)", "Escolher A"):
        assert words in page
    assert "contado a partir da publicação" in page
    assert "conflito" not in (await editor.get(f"{BASE}?view=table")).text
    assert "B 50 %" in (await editor.get(f"{BASE}?view=table")).text
    assert "B 50 %" in (await editor.get(BASE)).text, "in the drawing"


async def test_one_share_is_typed_and_the_other_is_the_rest(runtime, editor, flow):
    await begun(runtime)
    form = read(await panel(editor)).form(ident="f-shares")
    assert form.fields["value"] == ["50"]

    response = await editor.post(form.action, form.data(value=" 60 % "))

    assert response.status_code == 303
    assert await shares(runtime) == {"t1": 60, "t1_b": 40}


async def test_of_three_variants_the_last_is_the_rest(runtime, editor, flow):
    await begun(runtime, {"op": "split_transition", "id": "t1"})
    form = read(await panel(editor)).form(ident="f-shares")
    assert form.fields["value"] == ["50", "25"]

    await editor.post(form.action, form.data(value=["10", "20"]))

    assert await shares(runtime) == {"t1": 10, "t1_b": 20, "t1_c": 70}


@pytest.mark.parametrize("typed", ["101", "-1", "muito", "", ["50", "50"], "5.5"])
async def test_shares_that_cannot_be_are_refused_beside_their_field_and_kept(runtime, editor, flow, typed):
    await begun(runtime)
    form = read(await panel(editor)).form(ident="f-shares")

    response = await editor.post(form.action, form.data(value=typed))

    assert response.status_code == 422
    assert "As partes precisam ser números inteiros" in response.text
    assert 'aria-invalid="true"' in response.text
    assert await shares(runtime) == {"t1": 50, "t1_b": 50}
    if isinstance(typed, str):
        assert read(response.text).form(ident="f-shares").fields["value"] == [typed]


async def test_whoever_comes_second_sees_both_shares(runtime, editor, flow):
    await begun(runtime)
    form = read(await panel(editor)).form(ident="f-shares")
    await begun_shares(runtime, 70)

    response = await editor.post(form.action, form.data(value="20"))

    assert response.status_code == 409
    assert "70 % / 30 %" in response.text
    assert "20 % / 80 %" in response.text
    again = read(response.text).form(action=f"{ARROW}/shares")
    assert (await editor.post(again.action, again.data())).status_code == 303
    assert await shares(runtime) == {"t1": 20, "t1_b": 80}


async def begun_shares(runtime, first):
    value = {"t1": first, "t1_b": 100 - first}
    await edit.edit(runtime, "pequeno", {"op": "set_shares", "id": "t1", "value": value}, actor=ACTOR)


async def test_the_winner_stays_alone_and_a_click_brings_the_test_back(runtime, editor, flow):
    await begun(runtime, {"op": "set_transition", "id": "t1_b", "field": "to", "value": "FIM"})
    before = await tree(runtime)

    response = await editor.post(f"{ARROW}_b/winner", {"view": "diagram"}, headers={"hx-request": "true"})

    assert response.status_code == 200
    assert await shares(runtime) == {"t1_b": None}
    undo = taking_back(response.text)
    await editor.post(undo.action, undo.data())
    assert by_id(await tree(runtime)) == by_id(before)
    assert (await editor.post(f"{BASE}/transitions/t2/winner")).status_code == 422


def by_id(document):
    return sorted(document["transitions"], key=lambda row: row["id"])


@pytest.mark.parametrize("times", [0, 1])
async def test_a_new_variant_can_be_taken_back_with_the_shares_as_they_were(runtime, editor, flow, times):
    await edit.edit(runtime, "pequeno", {"op": "add_rule", "rule": {"at_most": 1, "do": "oi"}}, actor=ACTOR)
    for _ in range(times):
        await begun(runtime)
    before = await tree(runtime)

    response = await editor.post(f"{ARROW}/split", {"view": "diagram"}, headers={"hx-request": "true"})
    undo = taking_back(response.text)
    await editor.post(undo.action, undo.data())

    assert by_id(await tree(runtime)) == by_id(before)
    assert {**(await tree(runtime)), "transitions": []} == {**before, "transitions": []}


async def test_a_variant_that_is_deleted_leaves_its_share_to_the_others(runtime, editor, flow):
    await begun(runtime)
    form = read(await panel(editor, "t1_b")).form(action=f"{ARROW}_b/delete")

    await editor.post(form.action, form.data())

    assert await shares(runtime) == {"t1": None}


async def test_too_many_variants_are_refused_with_a_sentence(runtime, editor, flow):
    await begun(runtime, {"op": "set_shares", "id": "t1", "value": {"t1": 100, "t1_b": 0}})

    response = await editor.post(f"{ARROW}/split", {"view": "diagram"})

    assert response.status_code == 422
    assert "pequena demais" in response.text


async def test_who_may_only_look_sees_the_test_and_no_button(runtime, signed_in, flow):
    await begun(runtime)
    viewer = await signed_in(Role.READONLY)

    page = await panel(viewer)

    assert "Teste A/B" in page
    assert "Escolher A" not in page
    assert (await viewer.post(f"{ARROW}/split")).status_code == 403
    assert (await viewer.post(f"{ARROW}/winner")).status_code == 403
    assert (await viewer.post(f"{ARROW}/shares", {"value": "10"})).status_code == 403


async def test_a_live_test_says_what_each_variant_sold_and_that_it_is_early(runtime, editor, flow):
    await begun(runtime)
    await publish.publish_tree(runtime, await tree(runtime), "teste", ACTOR)

    page = await panel(editor)

    assert "0 clientes, 0 compraram" in page
    assert "Ainda é cedo para dizer qual é melhor: cada variação precisa de 100 clientes" in page
    assert "v2" in page


async def test_an_arrow_that_is_gone_has_no_test(editor, flow):
    for act in ("split", "shares", "winner"):
        assert (await editor.post(f"{BASE}/transitions/nada/{act}", {"value": "10"})).status_code == 404
