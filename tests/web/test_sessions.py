"""Signing in and out, the session's cookie and the token that ties forms to it (SEC-S10, SEC-S13)."""

import pytest

from engine.services import accounts, sign_in
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.pages_read import read


async def _with_account(runtime, email="ana@trilho.test", role="admin"):
    await accounts.use_link(runtime, await accounts.invite(runtime, email, role, ACTOR), PASSWORD)


async def test_signing_in_leads_to_the_page_that_was_wanted(runtime, stranger):
    await _with_account(runtime)

    response = await stranger.post("/login", {"email": "ana@trilho.test", "password": PASSWORD, "next": "/flows?x=1"})

    assert response.status_code == 303
    assert response.headers["location"] == "/flows?x=1"
    assert (await stranger.get("/flows")).status_code == 200


ELSEWHERE = ["//evil.test", "https://evil.test", "/\\evil.test", "/\t/evil.test", "/x\\..", "javascript:x", "", "\n//x"]


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
async def test_signing_in_never_leads_to_another_site(runtime, stranger, elsewhere):
    await _with_account(runtime)

    response = await stranger.post("/login", {"email": "ana@trilho.test", "password": PASSWORD, "next": elsewhere})

    assert response.headers["location"] == "/"


async def test_a_wrong_password_is_said_on_the_form_and_keeps_the_address(runtime, stranger):
    await _with_account(runtime)

    response = await stranger.post("/login", {"email": "ana@trilho.test", "password": "errada, com certeza"})

    assert response.status_code == 422
    assert "E-mail ou senha não conferem." in response.text
    assert read(response.text).form("/login").fields["email"] == ["ana@trilho.test"]
    assert "errada, com certeza" not in response.text


async def test_anybody_may_fetch_the_picture_of_the_door_in_their_language(stranger):
    for language, words in (("pt-BR", "pediu o preço"), ("en", "asked the price")):
        picture = await stranger.get("/door", headers={"accept-language": language})

        assert picture.status_code == 200
        assert picture.text.startswith("<svg") and words in picture.text


async def test_a_stranger_gets_no_empty_bar_of_places(stranger):
    page = await stranger.get("/nowhere")

    assert page.status_code == 404
    assert 'class="mtab"' not in page.text


async def test_sec_s8_too_many_attempts_are_429_and_say_how_long(runtime, stranger):
    await _with_account(runtime)
    for _ in range(8):
        response = await stranger.post("/login", {"email": "ana@trilho.test", "password": "errada, com certeza"})

    assert response.status_code == 429
    assert "Tentativas demais" in response.text


async def test_sec_s10_a_session_that_the_client_chose_is_never_taken(runtime, app, browser_of, stranger):
    """Session fixation: the cookie that came along is not the cookie that leaves."""
    await _with_account(runtime)
    stranger.client.cookies.set("trilho", "chosen-by-somebody", domain="trilho.test")
    thief = browser_of(app)
    thief.cookies.set("trilho", "chosen-by-somebody", domain="trilho.test")

    response = await stranger.post("/login", {"email": "ana@trilho.test", "password": PASSWORD})

    assert "chosen-by-somebody" not in response.headers["set-cookie"]
    assert (await thief.get("/flows")).status_code == 401


async def test_sec_s10_signing_in_again_ends_the_session_before(runtime, editor):
    await editor.post("/login", {"email": "publisher@trilho.test", "password": PASSWORD})

    assert await sign_in.session(runtime, editor.session) is None
    assert (await editor.get("/flows")).status_code == 200


async def test_sec_s10_the_cookie_is_out_of_reach_of_scripts_and_other_sites(runtime, stranger):
    await _with_account(runtime)

    cookie = (await stranger.post("/login", {"email": "ana@trilho.test", "password": PASSWORD})).headers["set-cookie"]

    assert cookie.startswith("trilho=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}


async def test_sec_s10_over_tls_the_cookie_is_secure_and_tied_to_the_host(secure_app, browser_of):
    await _with_account(secure_app.state.runtime)
    client = browser_of(secure_app, "https://trilho.test")

    response = await client.post("/login", data={"email": "ana@trilho.test", "password": PASSWORD})

    cookie = response.headers["set-cookie"]
    assert cookie.startswith("__Host-trilho=")
    assert "Secure" in cookie
    assert "Domain" not in cookie


async def test_sec_s10_after_signing_out_the_old_cookie_is_worth_nothing(app, browser_of, editor):
    thief = browser_of(app)
    thief.cookies.set("trilho", editor.session, domain="trilho.test")
    assert (await thief.get("/flows")).status_code == 200

    response = await editor.post("/logout")

    assert response.status_code == 303
    assert (await thief.get("/flows")).status_code == 401


async def test_sec_s10_somebody_shut_out_is_out_at_once(runtime, editor, flow):
    there = await sign_in.session(runtime, editor.session)
    await accounts.invite(runtime, "other@trilho.test", "admin", ACTOR)
    await accounts.disable(runtime, there.account.id, ACTOR)

    assert (await editor.get("/flows")).status_code == 401


async def test_sec_s13_a_form_without_its_token_is_refused_and_changes_nothing(editor, flow):
    bare = await editor.client.post("/flows/pequeno/draft/states", data={"name": "NOVO2"})
    wrong = await editor.client.post("/flows/pequeno/draft/states", data={"name": "NOVO2", "_csrf": "0" * 64})

    assert (bare.status_code, wrong.status_code) == (403, 403)
    assert "NOVO2" not in (await editor.get("/flows/pequeno/draft")).text


async def test_sec_s13_the_token_of_one_session_is_worth_nothing_in_another(signed_in, flow):
    ana, bia = await signed_in("admin", "ana@x.test"), await signed_in("admin", "bia@x.test")

    response = await bia.client.post("/flows/pequeno/draft/states", data={"name": "NOVO2", "_csrf": ana.csrf})

    assert response.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.test"},
        {"origin": "null"},
        {"origin": "http://trilho.test.evil.test"},
    ],
)
async def test_sec_s13_another_site_is_refused_even_with_the_right_token(editor, flow, headers):
    response = await editor.post("/flows/pequeno/draft/states", {"name": "NOVO2"}, headers=headers)

    assert response.status_code == 403


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "same-origin", "origin": "http://trilho.test"}, {"sec-fetch-site": "none"}, {}]
)
async def test_sec_s13_our_own_page_is_let_through(editor, flow, headers):
    response = await editor.post("/flows/pequeno/draft/states", {"name": "OUTRO", "deadline": "1 h"}, headers=headers)

    assert response.status_code == 303


async def test_sec_s13_signing_in_cannot_be_asked_for_by_another_site(runtime, stranger):
    await _with_account(runtime)

    response = await stranger.post(
        "/login", {"email": "ana@trilho.test", "password": PASSWORD}, headers={"origin": "https://evil.test"}
    )

    assert response.status_code == 403


async def test_the_secret_of_a_session_is_on_no_page(editor, flow):
    page = (await editor.get("/flows/pequeno/draft")).text

    assert editor.session not in page
    assert editor.csrf in page


async def test_the_first_admin_comes_in_by_the_one_time_link(runtime, stranger):
    token = await accounts.first_admin_link(runtime)

    form = read((await stranger.get(f"/setup/{token}")).text).form(f"/setup/{token}")
    response = await stranger.post(f"/setup/{token}", form.data(name="Ana", email="ana@trilho.test", password=PASSWORD))

    assert response.status_code == 303
    assert "Ana" in (await stranger.get("/flows")).text
    assert (await stranger.get(f"/setup/{token}")).status_code == 404


async def test_a_weak_password_is_said_on_the_form_and_leaves_the_link_usable(runtime, stranger):
    token = await accounts.invite(runtime, "bia@trilho.test", "marketer", ACTOR)

    weak = await stranger.post(f"/setup/{token}", {"name": "Bia", "password": "curta"})
    again = await stranger.post(f"/setup/{token}", {"name": "Bia", "password": PASSWORD})

    assert weak.status_code == 422
    assert "12 caracteres" in weak.text
    assert 'value="Bia"' in weak.text
    assert again.status_code == 303


async def test_theme_and_language_are_kept_with_the_account_and_for_strangers_in_cookies(runtime, stranger, editor):
    await stranger.post("/preferences", {"theme": "dark", "language": "en", "back": "/login"})
    await editor.post("/preferences", {"theme": "dark", "back": "/flows"})
    await editor.post("/preferences", {"language": "en", "back": "/flows"})

    outside = (await stranger.get("/login")).text
    inside = await sign_in.session(runtime, editor.session)

    assert '<html lang="en" data-theme="dark">' in outside
    assert "Sign in" in outside
    assert (inside.account.theme, inside.account.language) == ("dark", "en")
    assert '<html lang="en" data-theme="dark">' in (await editor.get("/flows")).text


async def test_a_theme_that_does_not_exist_is_not_kept(stranger):
    await stranger.post("/preferences", {"theme": '"><script>', "language": "xx", "back": "/login"})

    assert "data-theme" not in (await stranger.get("/login")).text


async def test_everybody_lands_where_their_work_is(editor, stranger):
    assert (await editor.get("/")).headers["location"] == "/welcome"
    await editor.get("/welcome")
    assert (await editor.get("/")).headers["location"] == "/flows"
    assert (await stranger.get("/")).status_code == 401
