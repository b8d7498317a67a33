"""The pages of templates: what Meta says of each in words, brought up to date and handed in with plain forms."""

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.permissions import Role
from engine.core.platform_templates import Template
from engine.services import channels, publish
from engine.services.scenarios.reference import document
from engine.store import templates
from tests.fakes.graph_templates import template
from tests.fakes.whatsapp import FakeWhatsApp
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR
from tests.web.pages_read import read

PLACE = "/settings/templates"


@pytest_asyncio.fixture
async def runtime(sqlite_url):
    made = a_runtime(sqlite_url, http=Http())
    yield made
    await made.close()


@pytest_asyncio.fixture
async def fake():
    async with FakeWhatsApp() as made:
        yield made


@pytest_asyncio.fixture
async def cloud(runtime, flow, fake):
    values = {"waba_id": fake.account.account, "base_url": fake.base_url, "access_token": fake.access_token}
    return await channels.add(runtime, "whatsapp_cloud", "Principal", ACTOR, flow=flow, values=values)


@pytest_asyncio.fixture
async def marketer(signed_in, cloud):
    return await signed_in(Role.MARKETER)


async def test_what_meta_has_is_fetched_and_said_in_words(marketer, fake, cloud):
    fake.account.kept = [
        template("oferta_maio"),
        template("pausado", status="PAUSED"),
        template("negado", status="REJECTED", rejected_reason="ABUSIVE_CONTENT"),
    ]
    empty = read((await marketer.get(PLACE)).text)
    assert "Nenhum modelo conhecido ainda" in empty.text

    answer = await marketer.post(f"{PLACE}/sync", {"channel": cloud.id})

    assert answer.headers["location"] == f"{PLACE}?done=synced"
    page = read((await marketer.get(PLACE)).text)
    for said in ("Aprovado", "Pausado pela Meta", "Rejeitado", "O conteúdo foi considerado abusivo."):
        assert said in page.text
    assert page.text.index("negado") < page.text.index("pausado") < page.text.index("maio")


async def test_a_meta_that_does_not_answer_is_said_and_changes_nothing(marketer, fake, cloud):
    fake.fail_next("html", times=2)

    answer = await marketer.post(f"{PLACE}/sync", {"channel": cloud.id})

    assert answer.status_code == 422
    assert "A Meta não respondeu" in answer.text


async def test_a_template_is_handed_in_and_shown_as_a_customer_reads_it(marketer, fake, cloud):
    form = read((await marketer.get(f"{PLACE}/new")).text).form(ident="proposal")
    filled = form.data(
        **{"name": "volta_logo", "body": "Oi {{1}}, a <b>turma</b> abriu.", "example.1": "Ana", "button.1": "Quero"}
    )

    answer = await marketer.post(form.action, filled)

    where = f"{PLACE}/{cloud.id}/volta_logo/pt_BR"
    assert answer.headers["location"] == f"{where}?done=proposed"
    assert fake.account.kept[0]["category"] == "MARKETING"
    page = await marketer.get(where)
    assert "Oi Ana, a &lt;b&gt;turma&lt;/b&gt; abriu." in page.text
    assert "Aguardando a Meta" in page.text and "Quero" in page.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": "Oferta Maio"}, "Use só letras minúsculas"),
        ({"body": ""}, "Um texto tem de 1 a 1.024"),
        ({"body": "Oi {{2}} tudo bem?", "example.1": "Ana"}, "Numere os valores"),
        ({"body": "{{1}} oi.", "example.1": "Ana"}, "Ponha palavras antes"),
        ({"body": "Oi {{1}}, tudo bem?"}, "Cada valor precisa de um exemplo"),
        ({"footer": "{{1}}"}, "No máximo 60"),
        ({"button.1": "Sim", "button.2": "Sim"}, "No máximo 3 títulos"),
        ({"category": "AUTHENTICATION"}, "Escolha Marketing ou Utilidade"),
    ],
)
async def test_what_meta_would_refuse_is_said_beside_the_field_and_stays_typed(marketer, fake, typed, said):
    form = read((await marketer.get(f"{PLACE}/new")).text).form(ident="proposal")
    filled = form.data(name="volta_logo", body="A turma abriu.", footer="Até já") | typed

    answer = await marketer.post(form.action, filled)

    assert answer.status_code == 422
    page = read(answer.text)
    assert said in page.text
    assert not fake.account.kept
    assert page.form(ident="proposal").fields["footer"][0] == typed.get("footer", "Até já")


async def test_templates_that_flows_need_and_meta_lacks_are_listed(runtime, marketer, cloud):
    known = Template(name="outro", language="pt_BR", status="APPROVED")
    await runtime.store.write("x", lambda tx: templates.put(tx, cloud.id, known, 1))
    await publish.publish_tree(runtime, document("venda", {}), "venda", ACTOR)

    page = read((await marketer.get(PLACE)).text)

    assert "Pedidos pelos fluxos e que não existem na Meta" in page.text
    review = read((await marketer.get("/flows/venda/publish")).text)
    assert "que o WhatsApp não tem" in review.text


async def test_who_only_looks_can_neither_fetch_nor_hand_in(signed_in, cloud):
    looker = await signed_in(Role.SUPERVISOR)
    page = await looker.get(PLACE)
    assert page.status_code == 200
    assert "Sincronizar agora" not in page.text
    assert (await looker.post(f"{PLACE}/sync", {"channel": cloud.id})).status_code == 403
    assert (await looker.post(PLACE, {})).status_code == 403
    assert (await looker.get(f"{PLACE}/{cloud.id}/nada/pt_BR")).status_code == 404
