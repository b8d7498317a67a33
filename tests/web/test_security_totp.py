"""The second step of a sign-in on its pages: no session before it, safe against fixation, asked of whom it is required."""

from base64 import b32decode

import pytest

from engine.core import totp
from engine.core.permissions import Role
from engine.services import accounts, safeguards, sign_in
from engine.services.safeguards import Safeguards
from tests.web.conftest import ACTOR, PASSWORD

CREDENTIALS = {"email": "admin@trilho.test", "password": PASSWORD}


async def turned_on(runtime, person):
    """The seed in the person's app, and the recovery codes that were shown once."""
    await person.post("/profile/second-factor/begin")
    page = (await person.get("/profile/second-factor")).text
    seed = b32decode(page.split('pp-key">')[1].split("<")[0].replace(" ", ""))
    shown = await person.post("/profile/second-factor", {"code": code_of(runtime, seed)})
    assert shown.status_code == 200, shown.text
    codes = [part.split("<")[0] for part in shown.text.split('pp-codes mono">')[1].split("</ul>")[0].split("<li>")[1:]]
    runtime.clock.advance(2 * totp.STEP)
    return seed, codes


def code_of(runtime, seed):
    return totp.code(seed, runtime.clock.now() // totp.STEP)


@pytest.fixture
async def admin(signed_in):
    return await signed_in(Role.ADMIN)


async def test_sec_s9_it_is_set_up_with_a_picture_and_the_first_code(runtime, admin):
    assert "pp-qr" not in (await admin.get("/profile/second-factor")).text  # looking makes nothing
    await admin.post("/profile/second-factor/begin")
    page = (await admin.get("/profile/second-factor")).text
    assert 'class="pp-qr"' in page
    assert "<script" not in page.split('class="pp-qr"')[1].split("</svg>")[0]

    wrong = await admin.post("/profile/second-factor", {"code": "000000"})
    _, codes = await turned_on(runtime, admin)

    assert (wrong.status_code, len(set(codes))) == (422, 10)
    after = (await admin.get("/profile/second-factor")).text
    assert "pp-qr" not in after
    assert codes[0] not in after


async def test_sec_s10_turning_it_on_changes_the_secret_of_the_session_and_ends_the_others(
    runtime, app, browser_of, admin
):
    other = await sign_in.sign_in(runtime, "admin@trilho.test", PASSWORD, "10.0.0.9")
    thief = browser_of(app)
    thief.cookies.set("trilho", admin.session, domain="trilho.test")

    await turned_on(runtime, admin)

    assert await sign_in.session(runtime, other) is None
    assert (await thief.get("/profile")).status_code == 401
    assert (await admin.get("/profile")).status_code == 200


async def test_sec_s9_after_the_password_comes_the_code_and_only_then_a_session(runtime, admin, stranger):
    seed, codes = await turned_on(runtime, admin)

    asked = await stranger.post("/login", {**CREDENTIALS, "next": "/flows?x=1"})
    assert asked.status_code == 200
    assert "trilho=" not in asked.headers["set-cookie"]
    assert (await stranger.get("/flows")).status_code == 401
    wrong = await stranger.post("/login/code", {"code": "000000", "next": "/flows?x=1"})
    right = await stranger.post("/login/code", {"code": code_of(runtime, seed), "next": "/flows?x=1"})

    assert (wrong.status_code, right.status_code, right.headers["location"]) == (422, 303, "/flows?x=1")
    assert (await stranger.get("/flows")).status_code == 200
    assert "HttpOnly" in asked.headers["set-cookie"]
    assert codes


async def test_sec_s9_the_code_without_the_password_before_it_is_worth_nothing(
    runtime, app, browser_of, admin, stranger
):
    seed, _ = await turned_on(runtime, admin)
    await stranger.post("/login", CREDENTIALS)
    thief = browser_of(app)
    thief.cookies.set("trilho_step", "chosen-by-somebody", domain="trilho.test")

    answer = await thief.post("/login/code", data={"code": code_of(runtime, seed)})

    assert answer.status_code == 422
    assert "Passou tempo demais" in answer.text
    assert (await thief.get("/flows")).status_code == 401


async def test_sec_s10_what_owes_a_code_is_never_a_session_and_leaves_with_it(
    runtime, app, browser_of, admin, stranger
):
    seed, _ = await turned_on(runtime, admin)
    stranger.client.cookies.set("trilho_step", "chosen-by-somebody", domain="trilho.test")
    asked = await stranger.post("/login", CREDENTIALS)
    owed = asked.headers["set-cookie"].split("trilho_step=")[1].split(";")[0]
    assert owed != "chosen-by-somebody"
    thief = browser_of(app)
    thief.cookies.set("trilho", owed, domain="trilho.test")
    assert (await thief.get("/flows")).status_code == 401

    entered = await stranger.client.post(
        "/login/code", data={"code": code_of(runtime, seed)}, headers={"cookie": f"trilho_step={owed}"}
    )

    assert entered.status_code == 303
    assert owed not in [
        part.split(";")[0].split("=")[1]
        for part in entered.headers.get_list("set-cookie")
        if part.startswith("trilho=")
    ]


async def test_sec_s9_guesses_are_429_and_a_recovery_code_lets_in_after_the_wait(runtime, admin, stranger):
    _, codes = await turned_on(runtime, admin)
    await stranger.post("/login", CREDENTIALS)
    answers = [(await stranger.post("/login/code", {"code": "000000"})).status_code for _ in range(8)]
    assert answers == [422] * 6 + [429] * 2
    runtime.clock.advance(1_000)

    assert (await stranger.post("/login/code", {"code": codes[3]})).status_code == 303


async def test_sec_s9_whoever_it_is_required_of_sets_it_up_before_anything_else(runtime, signed_in, admin, flow):
    marketer = await signed_in(Role.MARKETER)
    await safeguards.change(runtime, ACTOR, Safeguards("admins"))

    page, post = await admin.get("/flows"), await admin.post("/profile", {"name": "x"})
    fragment = await admin.get("/flows", headers={"hx-request": "true"})

    assert (page.status_code, page.headers["location"]) == (303, "/profile/second-factor")
    assert post.status_code == 403
    assert fragment.headers["hx-redirect"] == "/profile/second-factor"
    assert (await marketer.get("/flows")).status_code == 200
    assert "É exigido do seu papel" in (await admin.get("/profile/second-factor")).text
    await turned_on(runtime, admin)
    assert (await admin.get("/flows")).status_code == 200


async def test_sec_s9_somebody_of_whom_it_is_required_can_always_leave(runtime, admin):
    await safeguards.change(runtime, ACTOR, Safeguards("everybody"))

    assert (await admin.post("/logout")).status_code == 303


async def test_an_administrator_turns_it_off_for_somebody_who_lost_everything(runtime, signed_in, admin, stranger):
    caio = await signed_in(Role.SUPERVISOR)
    await turned_on(runtime, caio)
    one = await accounts.by_address(runtime, "supervisor@trilho.test")

    await admin.post(f"/settings/people/{one.id}/second-factor")

    entered = await stranger.post("/login", {"email": "supervisor@trilho.test", "password": PASSWORD})
    assert entered.status_code == 303


async def test_the_rules_are_set_on_the_page_of_people(runtime, admin):
    hint = "Recomendado: ao menos para quem administra"
    assert hint in (await admin.get("/settings/people")).text

    saved = await admin.post("/settings/safeguards", {"second_factor": "everybody", "four_eyes": "yes"})

    assert saved.status_code == 303
    assert await safeguards.show(runtime) == Safeguards("everybody", four_eyes=True)
    await safeguards.change(runtime, ACTOR, Safeguards("off"))
    wrong = await admin.post("/settings/safeguards", {"second_factor": "some"})
    assert wrong.status_code == 422
