"""One's own sessions: seen, ended one by one or all others; an administrator ends anybody's (SEC-S10)."""

import pytest

from engine.core.flow import MINUTE
from engine.core.permissions import Role
from engine.services import accounts, sign_in
from tests.web.conftest import PASSWORD

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1"


@pytest.fixture
async def away(runtime, signed_in):
    """Somebody here, and the token of the same person on a telephone."""
    here = await signed_in(Role.SUPERVISOR)
    token = await sign_in.sign_in(runtime, "supervisor@trilho.test", PASSWORD, "10.0.0.9", agent=PHONE)
    return here, token


async def test_sec_s10_devices_are_listed_with_address_and_the_one_in_use_is_marked(away):
    here, token = away

    page = (await here.get("/profile")).text

    assert "Safari no iPhone" in page
    assert "10.0.0.9" in page
    assert page.count("este aparelho</span>") == 1
    assert token not in page
    assert here.session not in page


async def test_sec_s10_one_session_is_ended_and_the_others_go_on(runtime, away):
    here, token = away
    digest = (await sign_in.session(runtime, token)).digest

    await here.post("/profile/sessions", {"session": digest})

    assert await sign_in.session(runtime, token) is None
    assert (await here.get("/profile")).status_code == 200


async def test_sec_s10_all_others_are_ended_and_this_one_goes_on(runtime, away):
    here, token = away

    await here.post("/profile/sessions")

    assert await sign_in.session(runtime, token) is None
    assert (await here.get("/profile")).status_code == 200


async def test_sec_s11_nobody_ends_the_session_of_somebody_else_but_an_administrator(runtime, signed_in, away):
    _, token = away
    digest = (await sign_in.session(runtime, token)).digest
    stranger, admin = await signed_in(Role.PUBLISHER), await signed_in(Role.ADMIN)
    one = await accounts.by_address(runtime, "supervisor@trilho.test")

    await stranger.post("/profile/sessions", {"session": digest})
    assert (await stranger.post(f"/settings/people/{one.id}/sessions")).status_code == 403
    assert await sign_in.session(runtime, token) is not None
    assert "Safari no iPhone" in (await admin.get(f"/settings/people/{one.id}")).text
    await admin.post(f"/settings/people/{one.id}/sessions")

    assert await sign_in.session(runtime, token) is None
    assert await sign_in.list_sessions(runtime, one.id) == []


async def test_sec_s10_a_new_password_ends_other_sessions_and_changes_the_secret_of_this_one(
    app, browser_of, runtime, away
):
    here, token = away
    thief = browser_of(app)
    thief.cookies.set("trilho", here.session, domain="trilho.test")

    wrong = await here.post("/profile/password", {"old": "errada, com certeza", "new": "outra frase comprida"})
    changed = await here.post("/profile/password", {"old": PASSWORD, "new": "outra frase comprida"})

    assert (wrong.status_code, changed.status_code) == (422, 303)
    assert await sign_in.session(runtime, token) is None
    assert (await thief.get("/profile")).status_code == 401
    assert (await here.get("/profile")).status_code == 200


async def test_last_seen_is_kept_with_the_person(runtime, away):
    here, _ = away
    runtime.clock.advance(2 * MINUTE)
    await here.get("/profile")

    one = await accounts.by_address(runtime, "supervisor@trilho.test")

    assert one.seen_at == runtime.clock.now()


async def test_sec_s8_guessing_the_password_from_an_open_session_is_slowed_down(away):
    here, _ = away
    form = {"old": "errada, com certeza", "new": "outra frase comprida"}

    answers = [(await here.post("/profile/password", form)).text for _ in range(8)]

    assert "A senha não confere" in answers[0]
    assert "Tentativas demais" in answers[-1]
