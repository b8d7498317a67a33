"""A forgotten password by mail, and the page of the mail server: nothing tells who has an account (SEC-S8, SEC-S21)."""

import asyncio

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import accounts, mail
from tests.fakes.smtp import mail_server
from tests.web.conftest import ACTOR

FIELDS = {"host": "127.0.0.1", "tls": "none", "user": "", "sender": "trilho@x.test", "site": "https://trilho.exemplo"}


@pytest_asyncio.fixture
async def fake(runtime):
    async with mail_server() as running:
        await mail.set_server(runtime, ACTOR, {**FIELDS, "port": str(running.port)})
        yield running


async def test_a_link_comes_by_mail_to_the_address_that_was_set_and_not_to_that_of_the_request(
    runtime, signed_in, stranger, fake
):
    await signed_in(Role.SUPERVISOR)

    await stranger.post("/password/reset", {"email": "Supervisor@trilho.test"}, headers={"host": "evil.test"})
    async with asyncio.timeout(5):
        await fake.arrived.wait()

    [message] = fake.taken
    assert message["to"] == "supervisor@trilho.test"
    assert "evil" not in message.get_content()
    path = message.get_content().split("https://trilho.exemplo")[1].split()[0]
    assert (await stranger.post(path, {"password": "outra frase comprida", "name": "Caio"})).status_code == 303
    assert (await stranger.get(path)).status_code == 404


async def test_sec_s8_the_answer_is_the_same_for_known_and_unknown_addresses(runtime, signed_in, app, browser_of, fake):
    await signed_in(Role.SUPERVISOR)
    pages = []
    for email in ("supervisor@trilho.test", "xupervisor@trilho.test"):
        answer = await browser_of(app).post("/password/reset", data={"email": email})
        pages.append((answer.status_code, answer.text, sorted(answer.headers)))

    assert pages[0] == pages[1]
    assert "Se houver uma conta" in pages[0][1]


async def test_sec_s8_asking_again_and_again_is_429_for_known_and_unknown_alike(signed_in, stranger, fake):
    await signed_in(Role.SUPERVISOR)
    for email in ("supervisor@trilho.test", "nobody@x.test"):
        answers = [(await stranger.post("/password/reset", {"email": email})).status_code for _ in range(5)]
        assert answers == [200] * 4 + [429], email
    assert len(fake.taken) == 1


async def test_without_a_mail_server_the_page_says_whom_to_ask(stranger):
    assert "Nenhum servidor de e-mail" in (await stranger.get("/password/reset")).text
    assert (await stranger.post("/password/reset", {"email": "a@x.test"})).status_code == 422
    assert 'href="/password/reset"' in (await stranger.get("/login")).text


@pytest.mark.parametrize("odd", ["", "\x00", "a@b\r\nBcc: c@d.test", "é" * 400, "<script>@x.test"])
async def test_any_text_for_an_address_is_answered_alike(stranger, fake, odd):
    answer = await stranger.post("/password/reset", {"email": odd})

    assert answer.status_code == 200
    assert fake.taken == []


async def test_the_server_is_set_and_tried_on_its_page_and_the_password_is_never_on_it(runtime, signed_in):
    admin = await signed_in(Role.ADMIN)
    async with mail_server() as fake:
        saved = await admin.post("/settings/mail", {**FIELDS, "port": str(fake.port), "password": ""})
        tried = await admin.post("/settings/mail/test")
    failed = await admin.post("/settings/mail/test")

    assert (saved.status_code, tried.status_code, failed.status_code) == (303, 200, 422)
    assert [message["to"] for message in fake.taken] == ["admin@trilho.test"]
    assert "O servidor de e-mail não respondeu" in failed.text
    await admin.post(
        "/settings/mail", {**FIELDS, "port": "465", "tls": "tls", "user": "u", "password": "canario-secreto"}
    )
    page = (await admin.get("/settings/mail")).text
    assert "canario-secreto" not in page
    assert "Há uma guardada" in page
    assert (await admin.post("/settings/mail/remove")).status_code == 303
    assert await mail.show(runtime) is None


async def test_a_mistake_keeps_what_was_typed_but_the_password(signed_in):
    admin = await signed_in(Role.ADMIN)

    page = await admin.post(
        "/settings/mail", {**FIELDS, "host": "smtp.x.test", "port": "no", "password": "canario-secreto"}
    )

    assert page.status_code == 422
    assert 'value="smtp.x.test"' in page.text
    assert "canario-secreto" not in page.text


async def test_an_invitation_is_sent_too_and_told_when_it_could_not_be(runtime, signed_in, fake):
    admin = await signed_in(Role.ADMIN)
    sent = await admin.post("/settings/people", {"email": "nova@x.test", "role": "marketer"})
    fake.refuses = "ruim@x.test"
    lost = await admin.post("/settings/people", {"email": "ruim@x.test", "role": "marketer"})

    assert "a caminho de nova@x.test" in sent.text
    assert "O servidor de e-mail recusou a mensagem" in lost.text
    assert "/setup/" in lost.text
    assert {one.email for one in await accounts.everybody(runtime)} >= {"nova@x.test", "ruim@x.test"}
