"""A person's data on its page: what is held, the file with all of it, and erasing, for administrators alone (SEC-S24)."""

import io
import json
import zipfile

import pytest

from engine.core.permissions import Role
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read


@pytest.fixture
async def person(runtime, flow):
    """Somebody who talked, and the conversation."""
    leads = await phone_for(runtime, flow)
    talk = await leads.greet(name="Bruna <b>Azeredo</b>")
    return int(str(await leads.value("SELECT contact_id FROM conversation WHERE id = :id", id=talk))), talk


async def value(runtime, sql):
    return await runtime.store.read(lambda tx: tx.value(sql))


async def test_the_conversation_leads_an_administrator_there_and_nobody_else(runtime, signed_in, person):
    number, talk = person
    admin, supervisor = await signed_in(Role.ADMIN), await signed_in(Role.SUPERVISOR)

    assert f"/contacts/{number}/data" in read((await admin.get(f"/conversations/{talk}?tab=data")).text).links
    page = (await admin.get(f"/contacts/{number}/data")).text
    assert "Bruna &lt;b&gt;Azeredo" in page
    assert "Mensagens recebidas" in page
    assert f"/contacts/{number}/data" not in (await supervisor.get(f"/conversations/{talk}?tab=data")).text
    for path in ("data", "export", "erase"):
        answer = await (supervisor.get if path == "data" else supervisor.post)(f"/contacts/{number}/{path}")
        assert answer.status_code == 403


async def test_everything_comes_as_one_file(runtime, signed_in, person):
    number, _ = person
    admin = await signed_in(Role.ADMIN)

    answer = await admin.post(f"/contacts/{number}/export")

    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    kept = zipfile.ZipFile(io.BytesIO(answer.content))
    assert json.loads(kept.read("dados.json"))["data"]["inbound"][0]["text"] == "oi"
    assert "<h1>Dados de uma pessoa</h1>" in kept.read("dados.html").decode()


async def test_erasing_asks_for_the_number_and_then_the_person_is_gone(runtime, signed_in, person):
    number, talk = person
    admin = await signed_in(Role.ADMIN)
    form = read((await admin.get(f"/contacts/{number}/data")).text).form(action=f"/contacts/{number}/erase")

    unsure = await admin.post(form.action, form.data(sure="sim"))

    assert unsure.status_code == 422
    assert f"Escreva {number} para apagar esta pessoa." in unsure.text
    assert await value(runtime, "SELECT count(*) FROM contact WHERE erased_at IS NOT NULL") == 0
    done = await admin.post(form.action, form.data(sure=f" #{number} "))
    assert done.status_code == 200
    assert "A pessoa foi apagada" in done.text
    assert await value(runtime, "SELECT name FROM contact") is None
    assert (await admin.get(f"/contacts/{number}/data")).status_code == 404
    again = await admin.post(form.action, form.data(sure=str(number)))
    assert again.status_code == 404
    talked = await admin.get(f"/conversations/{talk}")
    assert talked.status_code == 200
    assert "Bruna" not in talked.text
    assert "A pessoa foi apagada: nada continua aqui" in talked.text
    for place in (
        "/live",
        "/conversations?q=bruna",
        "/analytics",
        f"/conversations/{talk}?tab=timeline",
        "/settings/audit",
    ):
        answer = await admin.get(place)
        assert answer.status_code in (200, 303), place
        assert "Bruna" not in answer.text, place


@pytest.mark.parametrize("number", ["0", "999999", "99999999999999999999"])
async def test_a_number_of_nobody_is_not_found(signed_in, flow, number):
    admin = await signed_in(Role.ADMIN)

    assert (await admin.get(f"/contacts/{number}/data")).status_code == 404
    assert (await admin.post(f"/contacts/{number}/export")).status_code == 404
    assert (await admin.post(f"/contacts/{number}/erase", {"sure": number})).status_code == 404
    assert ACTOR.who
