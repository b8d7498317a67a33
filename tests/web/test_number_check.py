"""A number is checked from its page: Meta says whether it works, how good it is and how much it may send."""

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.permissions import Role
from engine.services import channels
from tests.fakes.whatsapp import FakeWhatsApp
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR
from tests.web.pages_read import read


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
    values = {
        "phone_number_id": fake.phone_number_id, "base_url": fake.base_url, "access_token": fake.access_token,
        "app_secret": "x",
    }  # fmt: skip
    return await channels.add(runtime, "whatsapp_cloud", "Principal", ACTOR, flow=flow, values=values)


@pytest_asyncio.fixture
async def admin(signed_in, cloud):
    return await signed_in(Role.ADMIN)


async def checked(admin, channel):
    """The button of the page is pressed."""
    page = read((await admin.get(f"/settings/channels/{channel.id}")).text)
    form = next(form for form in page.forms if form.action.endswith("/check"))
    return await admin.post(form.action, form.data())


@pytest.mark.parametrize(
    ("quality", "limit", "said"),
    [
        ("GREEN", "TIER_10K", "Sua qualidade é alta. Pode escrever primeiro a 10.000 pessoas por dia."),
        ("YELLOW", "TIER_250", "Sua qualidade é média: clientes bloqueiam ou denunciam parte das mensagens. Pode escrever primeiro a 250"),
        ("RED", "TIER_UNLIMITED", "Sua qualidade é baixa: a Meta pode restringi-lo. Pode escrever primeiro a quantas pessoas quiser"),
        ("UNKNOWN", "SOMETHING_NEW", "A Meta responde por +55 41 3000-0000 · Loja."),
    ],
)  # fmt: skip
async def test_a_number_that_works_is_told_with_its_quality_and_its_limit(admin, cloud, fake, quality, limit, said):
    fake.about = {"quality_rating": quality, "messaging_limit_tier": limit}
    answer = await checked(admin, cloud)
    assert answer.status_code == 200
    assert said in read(answer.text).text
    assert ("alert warn" in answer.text) == (quality in ("YELLOW", "RED"))
    assert "A Meta responde por +55 41 3000-0000 · Loja." in answer.text
    assert fake.sent == []


async def test_what_is_wrong_is_told_in_the_platforms_words(admin, cloud, fake, runtime):
    await channels.change(runtime, cloud.id, ACTOR, values={"access_token": "outro"})
    refused = await checked(admin, cloud)
    assert refused.status_code == 422
    assert "A Meta recusou: (#190) Error validating access token" in refused.text
    await channels.change(runtime, cloud.id, ACTOR, values={"access_token": fake.access_token, "phone_number_id": "42"})
    assert "does not exist" in (await checked(admin, cloud)).text
    await channels.change(runtime, cloud.id, ACTOR, values={"phone_number_id": ""})
    assert "Falta o id do número na Meta" in (await checked(admin, cloud)).text


async def test_an_outage_page_and_a_silent_platform_are_no_fault_of_ours(admin, cloud, fake, runtime):
    for fault in ("html", "cut_after", "empty_after"):
        fake.fail_next(fault)
        assert "A Meta não respondeu" in (await checked(admin, cloud)).text, fault
    await channels.change(runtime, cloud.id, ACTOR, values={"base_url": "http://127.0.0.1:9"})
    answer = await checked(admin, cloud)
    assert answer.status_code == 422 and "A Meta não respondeu" in answer.text


async def test_only_who_administers_asks_and_only_about_numbers_of_the_platform(admin, cloud, signed_in, runtime, flow):
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow=flow)
    assert "/check" not in (await admin.get(f"/settings/channels/{phone.id}")).text
    assert (await admin.post(f"/settings/channels/{phone.id}/check")).status_code == 404
    assert (await admin.post("/settings/channels/999/check")).status_code == 404
    other = await signed_in(Role.PUBLISHER)
    assert (await other.post(f"/settings/channels/{cloud.id}/check")).status_code == 403
