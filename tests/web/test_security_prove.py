"""The password once more: one guard, declared by routes, for secrets, people, tokens, and publishing where it is set (SEC-S10)."""

import json

import pytest

from engine.core.flow import MINUTE
from engine.core.permissions import Role
from engine.services import accounts, channels, publish, safeguards, tokens
from engine.services.safeguards import Safeguards
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.pages_read import read
from tests.web.test_headers import filled
from web.permissions import FRESH, Fresh, handlers

TEN = 10 * MINUTE


@pytest.fixture
async def admin(runtime, signed_in):
    """An administrator who gave the password more than ten minutes ago."""
    person = await signed_in(Role.ADMIN)
    runtime.clock.advance(TEN)
    return person


def waiting(page, path):
    return read(page.text).form(path)


async def test_sec_s10_every_route_that_declares_it_asks_and_changes_nothing(app, runtime, admin, flow):
    await safeguards.change(runtime, ACTOR, Safeguards(ask_to_publish=True))
    before = await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM audit"))
    declared = [(path, handler) for path, handler in handlers(app) if isinstance(handler.opt.get(FRESH), Fresh)]
    for path, _ in declared:
        page = await admin.post(filled(path))
        assert page.status_code == 422, path
        assert 'name="_password"' in page.text, path

    assert await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM audit")) == before
    assert {path for path, _ in declared} >= {
        "/settings/people", "/settings/people/{number:int}/role", "/settings/people/{number:int}/link", "/settings/api",
        "/settings/mail", "/settings/safeguards", "/settings/channels", "/settings/payments", "/profile/second-factor/off",
        "/flows/{slug:str}/publish", "/flows/{slug:str}/publish/schedule",
        "/flows/{slug:str}/versions/{number:int}/rollback",
    }  # fmt: skip


async def test_sec_s10_with_the_password_the_form_goes_on_and_nothing_of_it_was_on_the_page(runtime, admin, flow):
    values = {
        "kind": "whatsapp_cloud",
        "name": "Loja",
        "flow": "pequeno",
        "key.app_secret": "canario-secreto",
        "number": "5511900000001",
    }
    page = await admin.post("/settings/channels", values)
    form = waiting(page, "/settings/channels")
    assert "canario-secreto" not in page.text

    wrong = await admin.client.post("/settings/channels", data=form.data(_password="errada, com certeza"))
    assert (wrong.status_code, await channels.CHANNELS.everything(runtime)) == (422, [])
    assert "A senha não confere" in wrong.text
    right = await admin.client.post(
        "/settings/channels", data=waiting(wrong, "/settings/channels").data(_password=PASSWORD)
    )

    assert right.status_code == 303
    [made] = await channels.CHANNELS.everything(runtime)
    assert made.config.secrets["app_secret"] == "canario-secreto"


async def test_sec_s10_several_values_of_one_field_wait_too(runtime, admin):
    page = await admin.post("/settings/api", {"name": "loja", "days": "90", "scope": ["read", "events"]})

    await admin.client.post("/settings/api", data=waiting(page, "/settings/api").data(_password=PASSWORD))

    [token] = await tokens.everything(runtime)
    assert token.scopes == {"read", "events"}


async def test_sec_s10_for_ten_minutes_it_is_not_asked_again(runtime, admin):
    page = await admin.post("/settings/people", {"email": "a@x.test", "role": "marketer"})
    await admin.client.post("/settings/people", data=waiting(page, "/settings/people").data(_password=PASSWORD))
    runtime.clock.advance(TEN - 1)

    assert "one-time" not in (await admin.post("/settings/people", {"email": "b@x.test", "role": "marketer"})).text
    assert {one.email for one in await accounts.everybody(runtime)} >= {"a@x.test", "b@x.test"}
    runtime.clock.advance(1)
    assert 'name="_password"' in (await admin.post("/settings/people", {"email": "c@x.test", "role": "marketer"})).text


async def test_sec_s10_what_waits_for_one_session_or_address_is_worth_nothing_for_another(runtime, signed_in, admin):
    other = await signed_in(Role.ADMIN, "outra@trilho.test")
    runtime.clock.advance(TEN)
    held = waiting(
        await other.post("/settings/people", {"email": "evil@x.test", "role": "admin"}), "/settings/people"
    ).fields["_held"]

    for path in ("/settings/people", "/settings/api"):
        answer = await admin.post(path, {"_held": held, "_password": PASSWORD})
        assert answer.status_code == 400
    assert "evil@x.test" not in {one.email for one in await accounts.everybody(runtime)}


async def test_sec_s8_guessing_it_is_slowed_down(admin):
    answers = [await admin.post("/settings/people", {"_password": f"errada {n}"}) for n in range(8)]

    assert "Tentativas demais" in answers[-1].text
    assert 'name="_password"' in (await admin.post("/settings/people", {"_password": PASSWORD})).text


async def test_sec_s13_the_password_does_not_replace_the_token_of_the_form(runtime, admin):
    answer = await admin.client.post(
        "/settings/people", data={"email": "a@x.test", "role": "admin", "_password": PASSWORD}
    )

    assert answer.status_code == 403


async def test_a_form_of_htmx_has_the_question_in_the_place_of_the_page(admin):
    answer = await admin.post("/settings/people", {"email": "a@x.test"}, headers={"hx-request": "true"})

    assert (answer.status_code, answer.headers["hx-retarget"]) == (422, "body")


async def test_publishing_asks_only_where_the_installation_says_so(runtime, editor, flow):
    await publish.publish_tree(runtime, {**json.loads(await publish.shown(runtime, flow)), "title": "Novo"}, "x", ACTOR)
    runtime.clock.advance(TEN)
    assert 'name="_password"' not in (await editor.post("/flows/pequeno/publish", {"note": "x"})).text
    await safeguards.change(runtime, ACTOR, Safeguards(ask_to_publish=True))

    assert 'name="_password"' in (await editor.post("/flows/pequeno/publish", {"note": "x"})).text
