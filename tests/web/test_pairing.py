"""The page that connects a number: the QR code as an image of ours, the state as it changes, who may."""

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.permissions import Role
from engine.services import channel_health, channels
from tests.fakes.evolution import FakeEvolution
from tests.fakes.evolution_instance import PNG
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR


@pytest_asyncio.fixture
async def runtime(sqlite_url):
    async with Http() as http:
        made = a_runtime(sqlite_url, http=http)
        yield made
        await made.close()


@pytest_asyncio.fixture
async def fake(runtime):
    async with FakeEvolution(clock=runtime.clock.now) as server:
        server.state = "close"
        yield server


@pytest_asyncio.fixture
async def number(runtime, flow, fake):
    values = {"instance": fake.instance, "base_url": fake.base_url, "api_key": fake.api_key}
    return (await channels.add(runtime, "evolution", "Loja <b>", ACTOR, flow=flow, values=values)).id


async def test_a_supervisor_begins_reads_the_code_and_sees_the_number_connected(fake, number, supervisor):
    page = await supervisor.get(f"/settings/channels/{number}/pair")
    assert "Não conectado" in page.text
    assert "A conexão com o WhatsApp caiu." in page.text
    assert fake.codes == 0, "looking begins nothing"

    begun = await supervisor.post(f"/settings/channels/{number}/pair")
    assert (begun.status_code, begun.headers["location"]) == (303, f"/settings/channels/{number}/pair")
    page = (await supervisor.get(f"/settings/channels/{number}/pair")).text
    assert "Espera a leitura do QR code." in page
    assert f'src="/settings/channels/{number}/pair/qr?n=connecting-1"' in page
    image = await supervisor.get(f"/settings/channels/{number}/pair/qr")
    assert (image.content, image.headers["content-type"]) == (PNG, "image/png")
    assert image.headers["cache-control"] == "no-store"

    state = f"/settings/channels/{number}/pair/state"
    assert (await supervisor.get(f"{state}?seen=connecting-1")).status_code == 204
    fake.codes += 1
    renewed = await supervisor.get(f"{state}?seen=connecting-1")
    assert 'hx-trigger="every 3s"' in renewed.text
    assert "connecting-2" in renewed.text
    fake.scan()
    done = (await supervisor.get(f"{state}?seen=connecting-2")).text
    assert "Conectado" in done
    assert "hx-get" not in done, "nothing more to wait for"
    assert (await supervisor.get(f"/settings/channels/{number}/pair/qr")).status_code == 404


async def test_with_a_number_the_code_to_type_is_shown(fake, number, supervisor):
    page = await supervisor.post(f"/settings/channels/{number}/pair", {"number": "+55 41 90000-0009"})
    assert page.status_code == 200
    assert "ABCD1234" in page.text
    wrong = await supervisor.post(f"/settings/channels/{number}/pair", {"number": "abc"})
    assert wrong.status_code == 422
    assert "Isso não é um número de telefone." in wrong.text
    assert 'value="abc"' in wrong.text


async def test_a_name_is_text_and_no_secret_is_on_the_page(fake, number, supervisor):
    await supervisor.post(f"/settings/channels/{number}/pair")
    page = (await supervisor.get(f"/settings/channels/{number}/pair")).text
    assert "Loja &lt;b&gt;" in page
    assert fake.api_key not in page
    assert "2@INVENTADO" not in page
    assert "data:image" not in page, "the policy of the pages takes images of ours alone"


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.ADMIN, True),
        (Role.SUPERVISOR, True),
        (Role.PUBLISHER, True),
        (Role.MARKETER, False),
        (Role.READONLY, False),
    ],
)
async def test_only_who_speaks_with_customers_connects_numbers(fake, number, signed_in, role, allowed):
    person = await signed_in(role)
    place = f"/settings/channels/{number}/pair"
    answers = [
        await person.get(place), await person.get(f"{place}/state"), await person.post(place), await person.get(f"{place}/qr"),
    ]  # fmt: skip
    assert all((answer.status_code != 403) is allowed for answer in answers)
    assert fake.codes == (1 if allowed else 0)


async def test_who_manages_channels_comes_back_to_all_of_them(fake, number, signed_in):
    for role, back in ((Role.ADMIN, True), (Role.SUPERVISOR, False)):
        page = await (await signed_in(role)).get(f"/settings/channels/{number}/pair")
        assert ('href="/settings/channels"' in page.text) is back


async def test_a_form_without_its_token_begins_nothing(fake, number, supervisor):
    """SEC-S13."""
    answer = await supervisor.client.post(f"/settings/channels/{number}/pair", data={})
    assert answer.status_code == 403
    assert fake.codes == 0


async def test_what_cannot_be_connected_says_why(runtime, flow, number, supervisor):
    phone = await channels.add(runtime, "phone", "teste", ACTOR, flow=flow)
    page = await supervisor.get(f"/settings/channels/{phone.id}/pair")
    assert page.status_code == 422
    assert "não tem sessão para conectar" in page.text
    assert (await supervisor.get("/settings/channels/999/pair")).status_code == 404
    await channels.change(runtime, number, ACTOR, values={"base_url": "http://127.0.0.1:1"})
    assert "O gateway não responde." in (await supervisor.get(f"/settings/channels/{number}/pair")).text


async def test_the_desk_says_which_number_cannot_send_and_leads_to_its_page(runtime, fake, number, signed_in):
    def down(tx):
        channel_health.heard(tx, runtime.clock.now(), number, "close", 401)

    await runtime.store.write("x", down)
    page = (await (await signed_in(Role.SUPERVISOR)).get("/live")).text
    assert "O aparelho foi desconectado: leia o QR code de novo." in page
    assert f'href="/settings/channels/{number}/pair"' in page
    other = (await (await signed_in(Role.READONLY)).get("/live")).text
    assert "leia o QR code de novo" in other
    assert "/pair" not in other
    await runtime.store.write("x", lambda tx: channel_health.heard(tx, runtime.clock.now(), number, "open"))
    assert "QR code" not in (await (await signed_in(Role.ADMIN)).get("/live")).text


@pytest.mark.parametrize(("number", "status"), [("9" * 40, 404), ("0", 404), ("-1", 404), ("x", 404)])
async def test_a_number_of_a_channel_that_cannot_be_is_no_fault_of_ours(supervisor, number, status):
    assert (await supervisor.get(f"/settings/channels/{number}/pair")).status_code == status
