"""Campaigns on pages: counted first, confirmed, watched, paused by the desk and resumed by who publishes."""

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.core.platform_templates import Template
from engine.services import channels, contact_files
from engine.store import templates
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

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
