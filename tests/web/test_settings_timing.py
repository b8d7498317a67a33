"""The page of waits and hours: each card an edit of the draft, said in words, with both values when two meet."""

import json

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import edit, publish
from engine.store import audit
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

PAGE = "/settings/timing"
BASE = f"{PAGE}/pequeno"


@pytest_asyncio.fixture
async def marketer(signed_in, flow):
    return await signed_in(Role.MARKETER)


async def tree(runtime):
    return (await edit.opened(runtime, "pequeno")).tree


async def form_of(person, field):
    page = read((await person.get(PAGE)).text)
    return next(form for form in page.forms if form.fields.get("field") == [field])


async def by_htmx(person, form, **changes):
    headers = {"hx-request": "true", "x-csrf-token": person.csrf}
    return await person.client.post(BASE, data=form.data(**changes), headers=headers)


async def test_every_wait_is_told_with_its_effect(marketer):
    page = read((await marketer.get(PAGE)).text)

    for words in (
        "5 s depois do último pedaço", "20 s depois do primeiro", "quieto por 30 min", "mais de 6 h",
        "De 21:00 a 08:00", "Os horários são de America/Sao Paulo", "Igual ao que está no ar (v1).",
    ):  # fmt: skip
        assert words in page.text
    for state in ("NOVO", "CONVERSA", "FIM"):
        assert f"/flows/pequeno/draft?sel=s:{state}" in page.links
    assert "2 dias" in page.text


@pytest.mark.parametrize(
    ("field", "typed", "section", "kept"),
    [
        ("debounce", {"quiet": "8 s", "ceiling": "1 min"}, "debounce", {"quiet": "8s", "ceiling": "1m"}),
        ("debounce", {"quiet": "0 s"}, "debounce", {"quiet": "0s", "ceiling": "20s"}),
        ("human_pause", {"human_pause": "2 horas"}, "settings", {"human_pause": "2h"}),
        ("max_age", {"max_age": "1 dia"}, "settings", {"max_age": "1d"}),
        ("quiet_hours", {"begin": "22:30", "end": "7:00"}, "settings", {"quiet_hours": "22:30-07:00"}),
        ("quiet_hours", {"always": "yes"}, "settings", {"quiet_hours": None}),
    ],
)
async def test_a_card_is_an_edit_of_the_draft(runtime, marketer, field, typed, section, kept):
    form = await form_of(marketer, field)

    response = await marketer.post(form.action, form.data(**typed))

    assert response.headers["location"] == f"{PAGE}?flow=pequeno"
    assert (await tree(runtime))[section] == kept
    assert "respondidos pela v1 até você publicar" in (await marketer.get(PAGE)).text
    [entry] = await runtime.store.read(lambda tx: audit.listed(tx, what="flow.edited"))
    assert entry.who == "marketer@trilho.test"


async def test_with_htmx_the_answer_is_the_card_and_whether_it_holds(runtime, marketer):
    response = await by_htmx(marketer, await form_of(marketer, "human_pause"), human_pause="1 h")

    assert response.status_code == 200
    assert response.text.lstrip().startswith('<section class="card" id="timing-human_pause">')
    assert "quieto por 1 h" in response.text
    assert "Salvo agora" in response.text
    assert 'id="holds" hx-swap-oob="true"' in response.text


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("debounce", {"quiet": "logo"}, "“logo” não é um tempo"),
        ("debounce", {"quiet": "1 min", "ceiling": "5 s"}, ""),
        ("human_pause", {"human_pause": "0 s"}, "maior que zero"),
        ("max_age", {"max_age": ""}, "não é um tempo"),
        ("quiet_hours", {"begin": "25:00"}, "“25:00” não é um horário"),
        ("quiet_hours", {"begin": "8:00", "end": "08:00"}, "iguais"),
    ],
)
async def test_what_cannot_be_read_is_422_in_its_card_and_stays_typed(runtime, marketer, field, typed, words):
    form, before = await form_of(marketer, field), await tree(runtime)

    for response in (await marketer.post(form.action, form.data(**typed)), await by_htmx(marketer, form, **typed)):
        assert response.status_code == 422
        told = response.text.split(f'id="e-{field}"')[1].split("</p>")[0]
        assert words in told
        again = next(one for one in read(response.text).forms if one.fields.get("field") == [field])
        for name, value in typed.items():
            assert again.fields[name] == [value]
    assert await tree(runtime) == before


async def test_somebody_else_first_is_409_with_both_and_the_choice(runtime, marketer):
    form = await form_of(marketer, "human_pause")
    theirs = {"op": "set_setting", "field": "human_pause", "value": "45m"}
    await edit.edit(runtime, "pequeno", theirs, actor=ACTOR)

    response = await by_htmx(marketer, form, human_pause="2 h")

    assert response.status_code == 409
    assert "agora é 45 min" in response.text
    keep = next(one for one in read(response.text).forms if one.fields.get("revision") == ["0"])
    assert keep.fields["human_pause"] == ["2 h"]
    kept = await marketer.post(keep.action, keep.data())
    assert kept.status_code == 303
    assert (await tree(runtime))["settings"]["human_pause"] == "2h"
    plain = await marketer.post(form.action, form.data(human_pause="3 h"))
    assert plain.status_code == 409
    assert "<html" in plain.text


async def test_somebody_else_at_another_card_is_no_conflict(runtime, marketer):
    form = await form_of(marketer, "human_pause")
    await edit.edit(runtime, "pequeno", {"op": "set_setting", "field": "max_age", "value": "1h"}, actor=ACTOR)

    assert (await marketer.post(form.action, form.data(human_pause="2 h"))).status_code == 303
    assert (await tree(runtime))["settings"] == {"human_pause": "2h", "max_age": "1h"}


async def test_a_field_that_was_not_touched_keeps_what_the_page_does_not_show(runtime, marketer):
    exact = {"op": "set_debounce", "value": {"quiet": "5s", "ceiling": "1h2m3s"}}
    await edit.edit(runtime, "pequeno", exact, actor=ACTOR)
    form = await form_of(marketer, "debounce")
    assert form.fields["ceiling"] == ["1 h e 2 min"]

    await marketer.post(form.action, form.data(quiet="9 s"))

    assert (await tree(runtime))["debounce"] == {"quiet": "9s", "ceiling": "1h2m3s"}


async def test_a_card_that_is_none_is_404_and_who_may_not_edit_is_offered_none(signed_in, marketer, flow):
    assert (await marketer.post(BASE, {"field": "loop"})).status_code == 404
    assert (await marketer.post(f"{PAGE}/nada", {"field": "max_age"})).status_code == 404
    reader = await signed_in(Role.READONLY)
    page = read((await reader.get(PAGE)).text)
    assert "Salvar" not in page.text
    assert "ver no editor" in page.text
    assert (await reader.post(BASE, {"field": "max_age"})).status_code == 403


async def test_quiet_hours_that_are_off_say_so(runtime, marketer):
    await publish.add_draft(runtime, small(slug="noite", settings={"quiet_hours": None}), ACTOR)

    page = (await marketer.get(f"{PAGE}?flow=noite")).text

    assert "sai a qualquer hora" in page
    assert 'name="always" value="yes" checked' in page
    assert json.loads(read(page).forms[-1].fields.get("seen", ["null"])[0]) is None
