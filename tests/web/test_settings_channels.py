"""The pages of channels: added, changed and removed with plain forms; secrets go in and never come out again.

SEC-S21.
"""

import json

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import channels
from engine.store import audit
from engine.store.channels import set_state
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PLACE = "/settings/channels"
SECRET = "canario-secreto-5d2e"


@pytest_asyncio.fixture
async def admin(signed_in, flow):
    return await signed_in(Role.ADMIN)


@pytest_asyncio.fixture
async def cloud(runtime, flow):
    values = {"app_secret": SECRET, "phone_number_id": "123", "number": "5511900000001"}
    return await channels.add(runtime, "whatsapp_cloud", "Principal", ACTOR, flow=flow, values=values)


async def stored(runtime, number):
    return await channels.CHANNELS.by_id(runtime, number)


async def test_settings_lead_everybody_to_the_first_page_of_their_role(admin, signed_in):
    assert (await admin.get("/settings")).headers["location"] == PLACE
    assert (await (await signed_in(Role.SUPERVISOR)).get("/settings")).headers["location"] == "/settings/understanding"


async def test_without_channels_the_page_offers_the_next_step(admin):
    page = read((await admin.get(PLACE)).text)

    assert "Nenhum número conectado ainda" in page.text
    assert f"{PLACE}/new" in page.links


async def test_a_channel_is_added_with_plain_forms_and_its_address_is_shown(runtime, admin):
    kinds = read((await admin.get(f"{PLACE}/new")).text)
    assert f"{PLACE}/new?kind=evolution" in kinds.links
    assert "denúncias e bloqueios" in kinds.text
    form = read((await admin.get(f"{PLACE}/new?kind=evolution")).text).form(ident="connection")
    assert set(form.fields) == {
        "_csrf", "kind", "name", "flow", "key.instance", "key.number", "key.api_key", "key.base_url", "key.max_body",
        "key.pacing", "key.gap_seconds", "key.jitter_seconds", "key.contact_gap_seconds", "key.contact_daily",
        "key.strangers_daily", "key.hours", "key.webhook_secret",
    }  # fmt: skip

    filled = form.data(**{"name": "Lançamentos", "key.instance": " loja ", "key.api_key": f" {SECRET}\n"})
    response = await admin.post(form.action, filled)

    [record] = await channels.everything(runtime)
    assert response.headers["location"] == f"{PLACE}/{record.id}?done=added"
    assert (record.config.name, record.flow, dict(record.config.settings)) == (
        "Lançamentos",
        "pequeno",
        {"instance": "loja"},
    )
    assert record.config.secrets == {"api_key": SECRET}
    page = (await admin.get(response.headers["location"])).text
    assert f'value="http://trilho.test/hooks/wa/{record.token}"' in page
    assert "Número conectado" in page


async def test_a_stored_secret_is_in_no_page_and_is_kept_replaced_or_removed(runtime, admin, cloud):
    place = f"{PLACE}/{cloud.id}"
    for path in (PLACE, place, f"{place}/remove"):
        assert SECRET not in (await admin.get(path)).text
    page = (await admin.get(place)).text
    assert page.count("guardado") >= 3  # the one that is there and the two that are not
    form = read(page).form(ident="connection")
    assert form.fields["key.app_secret"] == [""]

    await admin.post(form.action, form.data(**{"key.number": ""}))
    assert (await stored(runtime, cloud.id)).config.secrets == {"app_secret": SECRET}
    await admin.post(form.action, form.data(**{"key.app_secret": "outro", "key.access_token": "novo"}))
    assert (await stored(runtime, cloud.id)).config.secrets == {"app_secret": "outro", "access_token": "novo"}
    await admin.post(form.action, form.data(**{"drop.app_secret": "yes"}))

    assert (await stored(runtime, cloud.id)).config.secrets == {"access_token": "novo"}


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": "  "}, "name", "de 1 a 80 caracteres"),
        ({"name": "Principal"}, "name", "Já existe um com este nome"),
        ({"flow": "nada"}, "flow", "não existe mais"),
        ({"key.base_url": "ftp://x"}, "key.base_url", "não é um endereço"),
        ({"key.max_body": "muito"}, "key.max_body", "número inteiro"),
        ({"key.instance": "x" * 5_000}, "key.instance", "longo demais"),
    ],
)
async def test_a_mistake_is_told_at_its_field_and_nothing_typed_is_lost(runtime, admin, cloud, changes, field, words):
    form = read((await admin.get(f"{PLACE}/new?kind=evolution")).text).form(ident="connection")
    typed = form.data(**{"name": "Segundo", "key.number": "5511900000002", "key.api_key": SECRET, **changes})

    response = await admin.post(form.action, typed)

    assert response.status_code == 422
    again = read(response.text).form(ident="connection")
    error = response.text.split(f'id="e-{field}"')[1].split("</p>")[0]
    assert words in error
    assert again.fields["key.number"] == ["5511900000002"]
    for name, value in changes.items():
        assert again.fields.get(name) in ([value], ["pequeno"]), name
    assert SECRET not in response.text
    assert "Digite os segredos de novo" in response.text
    assert len(await channels.everything(runtime)) == 1


async def test_only_what_differs_is_written_and_audited(runtime, admin, cloud):
    form = read((await admin.get(f"{PLACE}/{cloud.id}")).text).form(ident="connection")
    await channels.change(runtime, cloud.id, ACTOR, values={"phone_number_id": "999"})  # a colleague, meanwhile
    fields = {name: value for name, value in form.fields.items() if name != "key.phone_number_id"}

    response = await admin.post(form.action, {**fields, "name": "Novo nome"})
    unchanged = await admin.post(form.action, {**fields, "name": "Novo nome"})

    assert (response.status_code, unchanged.status_code) == (303, 303)
    record = await stored(runtime, cloud.id)
    assert (record.config.name, record.config.settings["phone_number_id"]) == ("Novo nome", "999")
    [entry, *_] = entries = await runtime.store.read(lambda tx: audit.listed(tx, what="channel.changed"))
    assert len(entries) == 2
    assert (entry.who, json.loads(entry.facts)) == (
        "admin@trilho.test",
        {"flow": None, "keys": [], "name": "Novo nome"},
    )


async def test_a_change_that_cannot_be_taken_is_told_at_its_field(runtime, admin, cloud):
    await channels.add(runtime, "phone", "Teste", ACTOR, flow="pequeno")

    response = await admin.post(f"{PLACE}/{cloud.id}", {"name": "Teste", "key.number": "1"})

    assert response.status_code == 422
    assert "Já existe um com este nome" in response.text.split('id="e-name"')[1]
    assert (await stored(runtime, cloud.id)).config.settings["number"] == "5511900000001"


async def test_removing_asks_first_and_then_the_address_is_unknown(runtime, admin, stranger, cloud):
    page = read((await admin.get(f"{PLACE}/{cloud.id}/remove")).text)
    assert "para de funcionar na hora" in page.text

    response = await admin.post(f"{PLACE}/{cloud.id}/remove")

    assert response.headers["location"] == PLACE
    assert await channels.everything(runtime) == []
    assert (await stranger.client.post(f"/hooks/wa/{cloud.token}", content="{}")).status_code == 404
    assert (await admin.get(f"{PLACE}/{cloud.id}")).status_code == 404
    assert (await admin.post(f"{PLACE}/{cloud.id}/remove")).status_code == 404


@pytest.mark.parametrize(
    ("state", "chip", "words"),
    [
        ("connecting", "Conectando há 2 min", "ao WhatsApp"),
        ("closed", "Fora do ar há 2 min", "caiu"),
        ("logged_out", "Fora do ar há 2 min", "leia o QR"),
        ("strange", "Fora do ar há 2 min", "A plataforma informa: strange."),
    ],
)
async def test_trouble_is_said_in_words_with_its_age(runtime, admin, cloud, state, chip, words):
    await runtime.store.write("k", lambda tx: set_state(tx, cloud.id, state, runtime.clock.now()))
    runtime.clock.advance(130_000)

    page = read((await admin.get(PLACE)).text).text

    assert chip in page
    assert words in page


async def test_a_channel_says_when_something_last_came_and_left_and_who_was_refused(runtime, admin, stranger, cloud):
    assert "Nada recebido ainda" in (await admin.get(PLACE)).text
    leads = await phone_for(runtime, "pequeno")
    await leads.greet()
    runtime.clock.advance(120_000)
    for _ in range(13):
        await stranger.client.post(f"/hooks/wa/{cloud.token}", content="{}")

    page = read((await admin.get(PLACE)).text).text

    assert "há 2 min" in page
    assert "Recusados em 24 h, sem prova 10 avisos" in page  # a flood gets one row each for the first ten only


async def test_a_number_of_a_gateway_leads_to_the_page_that_connects_it(runtime, admin, cloud):
    made = await channels.add(runtime, "evolution", "Lançamentos", ACTOR, flow="pequeno")
    assert f"{PLACE}/{made.id}/pair" not in read((await admin.get(PLACE)).text).links
    await runtime.store.write("k", lambda tx: set_state(tx, made.id, "logged_out", runtime.clock.now()))

    assert f"{PLACE}/{made.id}/pair" in read((await admin.get(PLACE)).text).links
    assert f"{PLACE}/{made.id}/pair" in read((await admin.get(f"{PLACE}/{made.id}")).text).links
    assert f"{PLACE}/{cloud.id}/pair" not in read((await admin.get(f"{PLACE}/{cloud.id}")).text).links


async def test_the_rule_of_each_kind_is_explained(runtime, admin, cloud):
    await channels.add(runtime, "evolution", "Lançamentos", ACTOR, flow="pequeno")

    page = read((await admin.get(PLACE)).text).text

    assert "só modelo aprovado" in page
    assert "denúncia e bloqueio: banimento" in page
    assert "um a cada 8 a 15 s, para 50 desconhecidos por dia" in page
    assert "+55 11 90000-0001" in page


async def test_numbers_that_no_channel_has_are_404(admin):
    for number in ("0", "-1", "7", "9" * 30):
        for method, path in (("GET", ""), ("GET", "/remove"), ("POST", ""), ("POST", "/remove")):
            response = await admin.client.request(
                method, f"{PLACE}/{number}{path}", data={"_csrf": admin.csrf} if method == "POST" else None
            )
            assert response.status_code == 404, (method, number, path)
    assert (await admin.post(PLACE, {"kind": "telegraph"})).status_code == 404
