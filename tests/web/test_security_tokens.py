"""Tokens of the API: scopes, an end, the last use, shown once, taken back; a problem document names what lacks (SEC-S11)."""

import pytest

from engine.core.flow import DAY, MINUTE
from engine.core.permissions import Actor, Role
from engine.services import tokens
from engine.services.install import FIRST_TOKEN

ACTOR = Actor("teste")
CALLS = [
    ("GET", "/api/v1/conversations?contact=1", "read"), ("GET", "/api/v1/flows/pequeno/versions/1", "read"),
    ("POST", "/api/v1/events", "events"),
]  # fmt: skip


async def called(person, method, path, token):
    return await person.client.request(
        method, path, headers={"authorization": f"Bearer {token}"}, content=b"{}" if method == "POST" else None
    )


@pytest.mark.parametrize(("method", "path", "scope"), CALLS)
async def test_sec_s11_a_token_without_the_scope_is_told_which_one_lacks(runtime, stranger, flow, method, path, scope):
    other = "events" if scope == "read" else "read"
    lacking = await called(stranger, method, path, await tokens.add(runtime, "a", ACTOR, scopes=[other, "metrics"]))
    having = await called(stranger, method, path, await tokens.add(runtime, "b", ACTOR, scopes=[scope]))

    assert lacking.status_code == 403
    assert lacking.headers["content-type"] == "application/problem+json"
    assert lacking.json()["scope"] == scope
    assert lacking.json()["detail"] == f"the token lacks the scope {scope}"
    assert having.status_code not in (401, 403)


async def test_a_token_of_before_and_the_one_of_the_environment_may_everything(runtime, stranger, flow):
    token = await tokens.add(runtime, FIRST_TOKEN, ACTOR, "t" * 40)

    for method, path, _ in CALLS:
        assert (await called(stranger, method, path, token)).status_code not in (401, 403)


async def test_the_figures_want_their_scope(runtime, stranger):
    stranger.client.headers["x-forwarded-for"] = "10.0.0.1"
    lacking, having = [await tokens.add(runtime, name, ACTOR, scopes=[name]) for name in ("read", "metrics")]

    refused = await called(stranger, "GET", "/metrics", lacking)
    assert (refused.status_code, refused.json()["scope"]) == (403, "metrics")
    assert (await called(stranger, "GET", "/metrics", having)).status_code == 200


async def test_a_token_ends_at_its_hour(runtime, stranger, flow):
    token = await tokens.add(runtime, "a", ACTOR, scopes=["read"], expires_at=runtime.clock.now() + DAY)
    runtime.clock.advance(DAY - 1)
    assert (await called(stranger, *CALLS[0][:2], token)).status_code == 200
    runtime.clock.advance(1)

    assert (await called(stranger, *CALLS[0][:2], token)).status_code == 401


async def test_the_last_use_is_kept_to_the_minute(runtime, stranger, flow):
    token = await tokens.add(runtime, "a", ACTOR, scopes=["read"])
    for _ in range(3):
        await called(stranger, *CALLS[0][:2], token)
        runtime.clock.advance(MINUTE // 2)

    [one] = await tokens.everything(runtime)
    assert runtime.clock.now() - one.used_at == MINUTE // 2


async def test_a_token_is_shown_once_and_taken_back_on_the_page(runtime, signed_in, stranger, flow):
    admin = await signed_in(Role.ADMIN)
    made = await admin.post("/settings/api", {"name": "Loja 🧵", "days": "30", "scope": "read"})
    token = made.text.split('id="once" readonly value="')[1].split('"')[0]
    assert (await called(stranger, *CALLS[0][:2], token)).status_code == 200

    page = (await admin.get("/settings/api")).text
    [one] = await tokens.everything(runtime)
    assert token not in page
    assert "Loja 🧵" in page
    assert (one.scopes, one.expires_at) == ({"read"}, runtime.clock.now() + 30 * DAY)
    await admin.post(f"/settings/api/{one.digest}/revoke")

    assert (await called(stranger, *CALLS[0][:2], token)).status_code == 401
    assert "revogado" in (await admin.get("/settings/api")).text


@pytest.mark.parametrize(
    ("form", "words"),
    [({"name": "x", "days": ""}, "Escolha o que o token pode"), ({"name": " ", "scope": "read"}, "De 1 a"), ({"name": "x", "scope": "all"}, "Escolha o que")],
)  # fmt: skip
async def test_a_token_that_cannot_be_made_is_told_why(runtime, signed_in, form, words):
    admin = await signed_in(Role.ADMIN)

    page = await admin.post("/settings/api", form)

    assert page.status_code == 422
    assert await tokens.everything(runtime) == []
    assert words in page.text or "name" in form
