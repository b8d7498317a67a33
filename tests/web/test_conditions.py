"""The condition of an arrow: chosen as rows without a word of the language, and the table of which arrow fires."""

import pytest

from engine.core.permissions import Role
from engine.services import edit
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

BASE = "/flows/pequeno/draft"
RIVAL = {"id": "t5", "from": "NOVO", "on": "msg_recebida", "to": "FIM", "when": "toques >= 2"}
FIELDS = {
    "toques": {"type": "int", "default": 0, "min": 0, "max": 9, "label": {"pt-BR": "Mensagens sem resposta"}},
    "total": {"type": "money", "default": 0},
    "espera": {"type": "duration", "default": "0s"},
    "nota": {"type": "double", "default": 0.0},
    "vip": {"type": "bool", "default": False},
    "plano": {"type": "enum", "values": ["ouro", "prata"], "default": "ouro"},
}


async def rewritten(runtime, **changes):
    opened = await edit.opened(runtime, "pequeno")
    document = {**opened.tree, "context": FIELDS, **changes}
    await edit.edit(runtime, "pequeno", {"op": "replace", "document": document}, actor=ACTOR)


async def condition(runtime, name="t1"):
    rows = (await edit.opened(runtime, "pequeno")).tree["transitions"]
    return next(row for row in rows if row["id"] == name).get("when")


async def rows_form(client, name="t1"):
    return read((await client.get(f"{BASE}?sel=t:{name}")).text).form(ident="f-rows")


async def typed(client, *rows, name="t1", **more):
    """The form of rows sent as a page without scripts does, with these rows and the empty one."""
    form = await rows_form(client, name)
    left, sign, right = ([*column, ""] for column in zip(*rows, strict=True)) if rows else ([""], [""], [""])
    return await client.post(form.action, form.data(left=left, sign=sign, right=right), **more)


async def test_an_arrow_without_a_condition_has_one_empty_row(editor, flow):
    form = await rows_form(editor)
    assert (form.fields["left"], form.fields["sign"], form.fields["right"]) == ([""], [""], [""])


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        (("toques", ">=", "2"), "toques >= 2"),
        (("total", "<", "R$ 1.297,90"), "total < 129790"),
        (("total", "==", "297"), "total == 29700"),
        (("espera", ">", "2 horas"), "espera > 2h"),
        (("nota", "<=", "7,5"), "nota <= 7.5"),
        (("vip", "no", ""), "!vip"),
        (("plano", "!=", "prata"), "plano != 'prata'"),
        (("plano", "one_of", "ouro, prata"), "plano in ['ouro', 'prata']"),
        (("event.text", "contains", "d'água \\ ${x}"), "event.text.contains('d\\'água \\\\ ${x}')"),
        (("event.media", "unset", "deixado"), "!has(event.media)"),
        (("contact.tags", "excludes", "vip"), "!('vip' in contact.tags)"),
        (("state_age", ">=", "1 dia"), "state_age >= 1d"),
        (("otherwise", "", ""), "otherwise"),
    ],
)
async def test_a_row_becomes_the_condition_that_it_says(runtime, editor, flow, row, kept):
    await rewritten(runtime)

    response = await typed(editor, row)

    assert response.status_code == 303, response.text
    assert await condition(runtime) == kept


async def test_rows_are_all_to_hold_and_come_back_as_they_were(runtime, editor, flow):
    await rewritten(runtime)
    await typed(editor, ("toques", "<", "3"), ("total", ">=", "10"), ("vip", "yes", ""))

    assert await condition(runtime) == "toques < 3 && total >= 1000 && vip"
    form = await rows_form(editor)
    assert form.fields["left"] == ["toques", "total", "vip", ""]
    assert form.fields["sign"] == ["<", ">=", "yes", ""]
    assert form.fields["right"] == ["3", "R$ 10,00", "", ""]

    await editor.post(form.action, form.data(left=["", "total", "", ""]))
    assert await condition(runtime) == "total >= 1000"
    await typed(editor)
    assert await condition(runtime) is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("toques", ">=", ""), "Nada mudou ainda: diga com o que comparar."),
        (("toques", ">=", "dois"), "Escreva um número inteiro"),
        (("total", ">=", "muito"), "Escreva um valor"),
        (("espera", ">=", "logo"), "não é um tempo"),
        (("nota", ">=", "sete"), "“sete” não é um número."),
        (("plano", "one_of", " , "), "Nada mudou ainda"),
        (("nada", "==", "1"), "Este campo não existe aqui."),
        (("event.text", "contains", "x" * 3000), "2000"),
    ],
)
async def test_a_row_that_cannot_be_taken_says_why_and_changes_nothing(runtime, editor, flow, row, said):
    await rewritten(runtime)
    await typed(editor, ("toques", "<", "3"))

    response = await typed(editor, ("toques", "<", "3"), row)

    assert response.status_code == 422
    assert said in response.text
    assert await condition(runtime) == "toques < 3"


async def test_what_was_typed_stays_in_its_row(runtime, editor, flow):
    await rewritten(runtime)
    response = await typed(editor, ("toques", ">=", "dois"), ("vip", "yes", ""))

    form = read(response.text).form(ident="f-rows")
    assert form.fields["left"] == ["toques", "vip", ""] and form.fields["right"] == ["dois", "", ""]


async def test_a_field_of_another_kind_gets_a_sign_that_fits(runtime, editor, flow):
    await rewritten(runtime)
    response = await typed(editor, ("vip", ">=", "2"))

    assert response.status_code == 303
    assert await condition(runtime) == "vip"


@pytest.mark.parametrize("text", ["toques > 2 || vip", "plano in ['a, b', 'c']", "toques + 1 > 2"])
async def test_a_condition_that_is_no_list_is_shown_as_text_and_loses_nothing(runtime, editor, flow, text):
    await rewritten(runtime)
    await edit.edit(
        runtime, "pequeno", {"op": "set_transition", "id": "t1", "field": "when", "value": text}, actor=ACTOR
    )

    page = read((await editor.get(f"{BASE}?sel=t:t1")).text)

    assert not [form for form in page.forms if form.id == "f-rows"]
    assert page.form(ident="f-when").fields["value"] == [text]


async def test_two_people_who_change_one_condition_see_both(runtime, editor, flow):
    await rewritten(runtime)
    form = await rows_form(editor)
    await edit.edit(
        runtime, "pequeno", {"op": "set_transition", "id": "t1", "field": "when", "value": "vip"}, actor=ACTOR
    )

    response = await editor.post(form.action, form.data(left=["toques", ""], sign=["<", ""], right=["3", ""]))

    assert response.status_code == 409
    assert "toques &lt; 3" in response.text and "vip" in response.text
    assert await condition(runtime) == "vip"


async def test_the_table_shows_where_two_arrows_fire_and_where_none_does(runtime, editor, flow):
    arrows = [*small()["transitions"], RIVAL]
    arrows[0] = {**arrows[0], "when": "toques < 3 && toques != 1"}
    await rewritten(runtime, transitions=arrows)

    page = (await editor.get(f"{BASE}?sel=t:t1")).text

    table = page.split('class="firing"')[1].split("</table>")[0]
    assert "Mensagens sem resposta" in table
    assert table.count('class="clash"') == 2, "both arrows, in the column of 2"
    assert 'class="gap">1<' in table, "nothing fires at 1"
    assert "(esta)" in table


async def test_without_rivals_there_is_no_table(editor, flow):
    assert 'class="firing"' not in (await editor.get(f"{BASE}?sel=t:t1")).text


async def test_who_may_not_edit_sees_the_rows_and_cannot_change_them(runtime, signed_in, flow):
    await rewritten(runtime)
    supervisor = await signed_in(Role.SUPERVISOR)
    page = (await supervisor.get(f"{BASE}?sel=t:t1")).text
    assert 'name="left"' in page and "f-rows" in page
    answer = await supervisor.post(
        f"{BASE}/transitions/t1", {"field": "when", "left": "toques", "sign": "<", "right": "3"}
    )
    assert answer.status_code == 403
