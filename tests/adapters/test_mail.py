"""Handing a message to a mail server that speaks the protocol: safe connections, signing in, and every way to fail."""

import ssl

import pytest

from engine.adapters.mail import MailFailed, MailServer, post
from tests.browser.serving import free_port
from tests.fakes.smtp import certificate, mail_server


def server(port, tls="none", user="", password=None):
    return MailServer("127.0.0.1", port, tls, user, password, "trilho@example.com")


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("mail"))


@pytest.fixture
def safe(pem):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(pem)
    return made


@pytest.fixture
def trust(pem):
    return ssl.create_default_context(cafile=str(pem))


async def reason(awaited):
    with pytest.raises(MailFailed) as caught:
        await awaited
    return caught.value.reason


async def test_a_message_arrives_with_its_words(safe, trust):
    async with mail_server(tls=safe, users={"trilho": "segredo"}) as fake:
        await post(server(fake.port, "starttls", "trilho", "segredo"), "ana@x.test", "Olá ✓", "ação\n", trust=trust)

    [message] = fake.taken
    assert fake.envelopes == [("trilho@example.com", "ana@x.test", True)]
    assert (message["subject"], message["to"]) == ("Olá ✓", "ana@x.test")
    assert message.get_content().strip() == "ação"


async def test_without_a_safe_connection_no_password_and_no_message_leaves(trust):
    async with mail_server(users={"trilho": "segredo"}) as fake:
        assert (
            await reason(post(server(fake.port, "starttls", "trilho", "segredo"), "a@x.test", "s", "t", trust=trust))
            == "tls"
        )
    assert fake.taken == []


async def test_a_certificate_that_nobody_vouches_for_is_not_taken(safe):
    async with mail_server(tls=safe, users={"trilho": "segredo"}) as fake:
        assert await reason(post(server(fake.port, "starttls", "trilho", "segredo"), "a@x.test", "s", "t")) == "tls"
    assert fake.taken == []


async def test_why_a_message_did_not_leave_is_told_apart(safe, trust):
    async with mail_server(tls=safe, users={"trilho": "segredo"}, refuses="nobody@x.test") as fake:
        right = server(fake.port, "starttls", "trilho", "segredo")
        assert (
            await reason(post(server(fake.port, "starttls", "trilho", "x"), "a@x.test", "s", "t", trust=trust))
            == "auth"
        )
        assert await reason(post(right, "nobody@x.test", "s", "t", trust=trust)) == "refused"
        assert await reason(post(right, "a@x.test", "s\r\nBcc: b@x.test", "t", trust=trust)) == "unusable"
    assert await reason(post(server(free_port()), "a@x.test", "s", "t")) == "unreachable"
    assert fake.taken == []


def test_the_password_is_in_no_representation():
    assert "segredo" not in repr(server(25, "tls", "trilho", "segredo"))
