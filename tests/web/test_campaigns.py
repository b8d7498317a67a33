"""Campaigns on pages: counted first, confirmed, watched, paused by the desk and resumed by who publishes."""

from dataclasses import replace

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.core.platform_templates import Template
from engine.services import channels, contact_files
from engine.store import campaigns as stored
from engine.store import templates
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web.campaign_pages import plan_of

PLACE = "/campaigns"
MAY = Template(
    name="volta_maio", language="pt_BR", status="APPROVED",
    components=[{"type": "BODY", "text": "Oi {{1}}, <b>voltou</b>."}],
)  # fmt: skip


@pytest_asyncio.fixture
async def ready(runtime, flow):
    made = await channels.add(runtime, "whatsapp_cloud", "Principal", ACTOR, flow=flow, values={"waba_id": "1"})
    await runtime.store.write("x", lambda tx: templates.put(tx, made.id, MAY, 1))
    text = "phone;tags;optin_proof\n11912345678;maio;site\n11912345679;maio;\n11912345670;;site\n"
    number = await contact_files.upload(runtime, "l.csv", text.encode(), ACTOR)
    await contact_files.take(runtime, number, "", ACTOR)
    return made


@pytest_asyncio.fixture
async def publisher(signed_in, ready):
    return await signed_in(Role.PUBLISHER)


async def counted(person, **more):
    form = read((await person.get(f"{PLACE}/new")).text).form(ident="plan")
    given = {"name": "Maio", "tag": "maio", "value.1": "Ana", **more}
    return await person.post(form.action, form.data(**given))


async def begun(person):
    start = read((await counted(person)).text).form(ident="start")
    return start, await person.post(start.action, start.data(sure="yes"))


async def test_nothing_starts_before_the_number_of_people_was_seen_and_confirmed(publisher, runtime):
    answer = await counted(publisher)
    page = read(answer.text)
    assert "Alcança uma pessoa" in page.text and "sem prova de consentimento" in page.text
    assert "Oi Ana, &lt;b&gt;voltou&lt;/b&gt;." in answer.text
    start = page.form(ident="start")

    unsure = await publisher.post(start.action, start.data())
    assert unsure.status_code == 422 and "Confirme que pode ser enviado" in unsure.text
    changed = await publisher.post(start.action, start.data(sure="yes", seen="7"))
    assert changed.status_code == 409 and "Agora alcança outro número" in changed.text
    assert await runtime.store.read(lambda tx: tx.value("SELECT COUNT(*) FROM campaign")) == 0

    done = await publisher.post(start.action, start.data(sure="yes"))
    again = await publisher.post(start.action, start.data(sure="yes"))

    assert done.headers["location"] == again.headers["location"] == f"{PLACE}/1", "a double click starts it once"
    shown = read((await publisher.get(f"{PLACE}/1")).text)
    assert "Enviando" in shown.text and "uma ainda espera" in shown.text
    assert "Maio" in (await publisher.get(PLACE)).text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"value.1": ""}, "Este modelo pede um valor"),
        ({"value.1": "{{senha}}"}, "Não existe um campo chamado senha"),
        ({"template": "9/../nada"}, "Escolha um modelo aprovado"),
        ({"flow": "<script>"}, "Escolha um fluxo que esteja no ar"),
        ({"per_minute": "muitas"}, "De 1 a 600 pessoas"),
        ({"name": ""}, "Um nome tem"),
    ],
)
async def test_a_plan_that_cannot_be_comes_back_as_it_was_typed(publisher, typed, said):
    answer = await counted(publisher, **typed)
    page = read(answer.text)
    assert answer.status_code == 422 and said in page.text
    assert page.form(ident="plan").fields["tag"] == ["maio"]


async def test_the_form_asks_for_the_values_that_the_chosen_template_has_and_keeps_what_was_typed(
    publisher, ready, runtime
):
    two = replace(MAY, name="dois", components=[{"type": "BODY", "text": "{{1}} e {{2}}, oi."}])
    none = replace(MAY, name="nenhum", components=[{"type": "BODY", "text": "Oi."}])
    for one in (two, none):
        await runtime.store.write("x", lambda tx, one=one: templates.put(tx, ready.id, one, 1))
    for name, wanted in (("dois", ["value.1", "value.2"]), ("nenhum", []), ("volta_maio", ["value.1"])):
        query = {"template": f"{ready.id}/{name}/pt_BR", "name": "Maio", "value.1": "Ana"}
        form = read((await publisher.get(f"{PLACE}/new", params=query)).text).form(ident="plan")
        assert [field for field in form.fields if field.startswith("value.")] == wanted
        assert form.fields["name"] == ["Maio"]


async def test_a_value_stays_in_its_place(publisher, ready, runtime):
    """The second of two is never said where the first belongs."""
    two = replace(MAY, name="dois", components=[{"type": "BODY", "text": "{{1}} e {{2}}, oi."}])
    await runtime.store.write("x", lambda tx: templates.put(tx, ready.id, two, 1))
    typed = {"template": f"{ready.id}/dois/pt_BR", "name": "Maio", "tag": "maio", "per_minute": "30", "per_day": "250"}
    form = read((await publisher.get(f"{PLACE}/new", params=typed)).text).form(ident="plan")
    answer = await publisher.post(form.action, form.data(**{"value.2": "Bia"}))
    assert answer.status_code == 422 and "Este modelo pede 2 valores" in answer.text
    assert plan_of({"value.1": "", "value.2": "Bia"}).params == ("", "Bia")


@pytest.mark.parametrize(
    ("reason", "said"),
    [("quiet_hours", "É horário de silêncio: continua em"), ("day_full", "Já saiu o máximo de um dia")],
)
async def test_a_campaign_that_waits_says_for_what_and_until_when(publisher, runtime, reason, said):
    await begun(publisher)
    assert "continua em" not in (await publisher.get(f"{PLACE}/1")).text
    await runtime.store.write("x", lambda tx: stored.wait(tx, 1, 1_800_000_000_000, reason))
    page = read((await publisher.get(f"{PLACE}/1")).text)
    assert said in page.text and "15 jan. 2027, 05:00" in page.text and "parou sozinho" not in page.text


async def test_the_desk_pauses_and_stops_and_only_who_publishes_goes_on(publisher, signed_in):
    await begun(publisher)
    desk = await signed_in(Role.SUPERVISOR)
    seen = await desk.get(f"{PLACE}/1")
    assert "Pausar" in seen.text and "11912345678" not in seen.text
    assert (await desk.post(f"{PLACE}/1/pause")).status_code == 303
    assert (await desk.post(f"{PLACE}/1/resume")).status_code == 403
    assert "Parado" in (await desk.get(f"{PLACE}/1")).text

    assert (await publisher.post(f"{PLACE}/1/resume")).status_code == 303
    assert (await desk.post(f"{PLACE}/1/stop")).status_code == 303
    over = await publisher.post(f"{PLACE}/1/resume")
    assert over.status_code == 422 and "Este disparo já acabou" in over.text


@pytest.mark.parametrize("role", [Role.READONLY, Role.SUPERVISOR, Role.MARKETER])
async def test_only_who_publishes_plans_and_starts(signed_in, ready, role):
    person = await signed_in(role)
    assert (await person.get(PLACE)).status_code == 200
    for path in (f"{PLACE}/new", PLACE):
        assert (await person.post(path)).status_code == 403
    assert (await person.get(f"{PLACE}/new")).status_code == 403
    assert (await person.get(f"{PLACE}/99")).status_code == 404
