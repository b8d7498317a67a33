"""A session that ends while somebody types: the text comes back, to its owner alone, and never from another site (SEC-S10, SEC-S13)."""

import json

import pytest
import pytest_asyncio

from engine.core.flow import HOUR
from engine.core.permissions import Role
from engine.services import channels, publish, receive, sign_in
from tests.services.small_flow import small
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.pages_read import read

OURS = {
    "sec-fetch-site": "same-origin",
    "origin": "http://trilho.test",
    "referer": "http://trilho.test/conversations/1?tab=why",
}
TEXT = 'Oi Ana! 🧵 <b>veja</b>\n"aspas" e سلام ' + "x" * 4_000


@pytest_asyncio.fixture
async def person(runtime, signed_in):
    """A supervisor in front of conversation 1, whose session is over."""
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow="pequeno")
    said = {"id": "m1", "contact": "5511900000142", "name": "Ana", "text": "oi", "at": runtime.clock.now()}
    await receive.webhook(runtime, phone.token, {}, json.dumps(said).encode())
    there = await signed_in(Role.SUPERVISOR)
    runtime.clock.advance(HOUR)
    return there


async def sent(person, text=TEXT, **headers):
    return await person.post("/conversations/1/messages", {"text": text, "form": "0" * 16}, headers={**OURS, **headers})


def sign_in_form(page):
    return read(page.text).form("/login")


async def entered(person, page, email="supervisor@trilho.test"):
    return await person.client.post("/login", data=sign_in_form(page).data(email=email, password=PASSWORD))


async def messages(runtime):
    return await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM outbox"))


async def test_what_was_typed_is_in_the_composer_after_signing_in_and_is_sent_once(runtime, person):
    page = await sent(person)
    assert page.status_code == 401
    assert "O que você digitou está guardado" in page.text
    assert "veja" not in page.text

    back = await entered(person, page)
    assert back.headers["location"] == "/conversations/1"
    form = read((await person.get("/conversations/1")).text).form("/conversations/1/messages")
    assert form.fields["text"][0].strip("\n") == TEXT
    before = await messages(runtime)
    for _ in range(2):  # a double click
        await person.client.post("/conversations/1/messages", data=form.fields)

    assert await messages(runtime) == before + 1
    again = read((await person.get("/conversations/1")).text).form("/conversations/1/messages")
    assert again.fields["text"][0].strip("\n") == ""


async def test_somebody_else_who_signs_in_there_never_sees_it(signed_in, person):
    await signed_in(Role.ADMIN)
    page = await sent(person)

    back = await entered(person, page, "admin@trilho.test")

    assert back.headers["location"] == "/"
    assert "veja" not in (await person.get("/conversations/1")).text
    assert (await person.get("/kept")).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"}, {"origin": "https://evil.test"}, {"sec-fetch-site": "", "origin": ""},
    ],
)  # fmt: skip
async def test_sec_s13_a_form_of_another_site_or_of_nobody_knows_where_is_not_kept(person, headers):
    asked = {name: value for name, value in {**OURS, **headers}.items() if value}
    page = await person.client.post("/conversations/1/messages", data={"text": "compre já"}, headers=asked)

    assert page.status_code == 401
    assert "kept" not in sign_in_form(page).fields


async def test_forms_with_secrets_and_files_are_not_kept(signed_in, person, runtime):
    admin = await signed_in(Role.ADMIN)
    runtime.clock.advance(HOUR)

    secret = await admin.post("/settings/mail", {"host": "smtp.x.test", "password": "canario"}, headers=OURS)
    password = await admin.post("/profile/password", {"old": PASSWORD, "new": "outra frase comprida"}, headers=OURS)
    file = await admin.client.post("/contacts/import", files={"file": ("a.csv", b"x")}, headers=OURS)

    for page in (secret, file):
        assert page.status_code == 401
        assert "kept" not in sign_in_form(page).fields
    assert "kept" not in sign_in_form(password).fields


@pytest.mark.parametrize("made_up", ["", "x", "v1.00000000.AAAA", "\x00", "é" * 300])
async def test_what_was_not_sealed_here_is_nothing(person, made_up):
    answer = await person.client.post(
        "/login", data={"email": "supervisor@trilho.test", "password": PASSWORD, "kept": made_up}
    )

    assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_it_waits_for_an_hour_and_no_longer(runtime, person):
    page = await sent(person)
    runtime.clock.advance(HOUR)

    assert (await entered(person, page)).headers["location"] == "/"


async def test_a_wrong_password_and_a_second_attempt_lose_nothing(person):
    page = await sent(person)
    wrong = await person.client.post(
        "/login", data=sign_in_form(page).data(email="supervisor@trilho.test", password="errada, com certeza")
    )

    assert (await entered(person, wrong)).headers["location"] == "/conversations/1"


async def test_any_other_form_comes_back_on_a_page_of_its_own_to_be_read_and_sent(
    runtime, app, browser_of, signed_in, person
):
    editor = await signed_in(Role.PUBLISHER)
    runtime.clock.advance(HOUR)
    page = await editor.post(
        "/flows/pequeno/title",
        {"title": "Um título pensado", "revision": "1"},
        headers={**OURS, "referer": "http://trilho.test/flows/pequeno/manage"},
    )

    back = await entered(editor, page, "publisher@trilho.test")
    assert back.headers["location"] == "/kept"
    kept = (await editor.get("/kept")).text
    form = read(kept).form("/flows/pequeno/title")
    assert form.fields["title"][0].strip() == "Um título pensado"
    assert 'href="/flows/pequeno/manage"' in kept
    done = await editor.client.post("/flows/pequeno/title", data=form.fields)
    assert done.status_code == 303
    assert (await editor.get("/kept")).status_code == 303


async def test_it_can_be_let_go(person):
    await entered(person, await sent(person))
    there = read((await person.get("/kept")).text).form("/kept")

    gone = await person.client.post("/kept", data=there.fields)

    assert gone.headers["location"] == "/conversations/1?tab=why"
    assert (await person.get("/kept")).status_code == 303


async def test_a_fragment_that_was_sent_asks_beside_the_page_and_leaves_the_field_alone(person):
    answer = await sent(person, **{"hx-request": "true"})

    assert (answer.status_code, answer.headers["hx-retarget"]) == (401, "#toasts")
    assert "hx-refresh" not in answer.headers
    assert 'href="/login?next=/session/back" target="_blank"' in answer.text
    assert "O que você digitou continua aí" in answer.text


async def test_the_page_that_was_open_gets_the_token_of_the_new_session_of_the_same_person(runtime, person):
    assert (await person.get("/session/mine")).status_code == 401
    token = await sign_in.sign_in(runtime, "supervisor@trilho.test", PASSWORD, "127.0.0.1")
    person.client.cookies.set("trilho", token, domain="trilho.test")
    there = await sign_in.session(runtime, token)

    assert (await person.get("/session/mine")).json() == {"account": there.account.id, "csrf": there.csrf}
    assert "Você entrou" in (await person.get("/session/back")).text
