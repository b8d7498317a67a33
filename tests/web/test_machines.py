"""Addresses for machines: health, figures, the description of the interface, webhooks."""

import pytest_asyncio

from engine.core.errors import StoreUnavailable
from engine.services import channels, tokens
from tests.web.conftest import ACTOR


async def test_the_process_says_that_it_lives(stranger):
    response = await stranger.get("/healthz")

    assert (response.status_code, response.text) == (200, "ok")


async def test_ready_says_what_answers(stranger, runtime, monkeypatch):
    good = await stranger.get("/readyz")

    async def away(_unit):
        raise StoreUnavailable

    monkeypatch.setattr(type(runtime.store), "read", lambda _store, unit: away(unit))
    bad = await stranger.get("/readyz")

    assert good.status_code == 200
    assert good.json() == {"database": True, "queue": False}
    assert (bad.status_code, bad.json()["database"]) == (503, False)


async def test_figures_are_for_this_machine_alone_unless_the_token_is_shown(app, browser_of, runtime):
    local, token = browser_of(app), await tokens.add(runtime, "prometheus", ACTOR)

    assert (await local.get("/metrics")).status_code == 200
    away = {"x-forwarded-for": "203.0.113.9"}
    for shown in ("Bearer ", "Bearer nonsense", f"Basic {token}", ""):
        assert (await local.get("/metrics", headers={**away, "authorization": shown})).status_code == 401
    assert (await local.get("/metrics", headers={**away, "authorization": f"Bearer {token}"})).status_code == 200


async def test_the_description_names_the_machines_addresses_and_no_page(stranger):
    paths = (await stranger.get("/schema")).json()["paths"]

    assert "/hooks/wa/{token}" in paths
    assert not [path for path in paths if path.startswith(("/flows", "/login", "/static"))]


async def test_an_address_that_nobody_gave_is_404_without_a_page(stranger):
    response = await stranger.client.post("/hooks/wa/nobody", content=b"{}")

    assert response.status_code == 404
    assert "<html" not in response.text


async def test_errors_for_machines_are_problem_documents(stranger):
    response = await stranger.client.post("/hooks/pay/x", content=b"x" * 300_000)

    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["status"] == 413


@pytest_asyncio.fixture
async def phone(runtime, flow):
    record = await channels.add(runtime, "phone", "Telefone", ACTOR, flow=flow)
    return record.token


async def test_a_webhook_is_taken_by_its_address_with_or_without_the_gateways_suffix(stranger, phone):
    for path in (f"/hooks/wa/{phone}", f"/hooks/wa/{phone}/messages-upsert"):
        response = await stranger.client.post(path, content=b"{}")

        assert response.status_code < 300, response.text
        assert "set-cookie" not in response.headers


async def test_a_body_that_cannot_be_read_is_400(stranger, phone):
    assert (await stranger.client.post(f"/hooks/wa/{phone}", content=b"{ cut")).status_code == 400


async def test_a_webhook_needs_no_token_of_a_page_and_takes_no_session(editor, phone):
    response = await editor.client.post(
        f"/hooks/wa/{phone}", content=b"{}", headers={"origin": "https://elsewhere.test"}
    )

    assert response.status_code < 300
