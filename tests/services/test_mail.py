"""The mail server as a setting, and forgotten passwords: the same for people who are known and who are not (SEC-S8, SEC-S21)."""

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.flow import HOUR, MINUTE
from engine.core.permissions import Actor
from engine.services import accounts, forgotten, mail, sign_in
from engine.store import audit
from tests.fakes.smtp import mail_server

GOOD = "trem azul na serra"
ACTOR = Actor("livia@example.com", "10.0.0.1")
SERVER = {"host": "127.0.0.1", "port": "2525", "tls": "none", "sender": "trilho@example.com", "site": "https://t.test/"}
WITH_USER = {**SERVER, "tls": "tls", "user": "trilho", "password": "canario-secreto"}


async def refusal(awaited):
    with pytest.raises(Refused) as caught:
        await awaited
    return caught.value.code


async def test_the_password_is_kept_sealed_and_goes_to_no_other_server(runtime):
    await mail.set_server(runtime, ACTOR, WITH_USER)
    assert (await mail.show(runtime)).server.password == "canario-secreto"
    dump = await runtime.store.read(lambda tx: repr([tx.rows(f"SELECT * FROM {n}") for n in ("setting", "audit")]))
    assert "canario-secreto" not in dump

    await mail.set_server(runtime, ACTOR, {"sender": "outro@example.com", "password": ""})
    assert (await mail.show(runtime)).server.password == "canario-secreto"
    for change in ({"host": "evil.test"}, {"port": "26"}, {"user": "eva"}):
        assert await refusal(mail.set_server(runtime, ACTOR, change)) == "password_again"
    await mail.set_server(runtime, ACTOR, {"host": "smtp.example.com", "password": "outro"})
    assert (await mail.show(runtime)).server.host == "smtp.example.com"
    await mail.set_server(runtime, ACTOR, {"user": ""})
    assert (await mail.show(runtime)).server.password is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"host": ""}, "mail_host"), ({"host": "a b"}, "mail_host"), ({"port": "0"}, "mail_port"), ({"port": "x"}, "mail_port"),
        ({"tls": "some"}, "choice_unreadable"), ({"sender": "nobody"}, "email_unreadable"), ({"site": "ftp://x"}, "base_url_unreadable"),
        ({"user": "trilho"}, "password_in_clear"), ({"host": "x" * 300}, "value_too_long"), ({"host": "a\r\nb"}, "value_too_long"),
        ({"colour": "red"}, "key_unknown"),
    ],
)  # fmt: skip
async def test_what_cannot_be_a_server_is_refused_and_changes_nothing(runtime, change, code):
    assert await refusal(mail.set_server(runtime, ACTOR, {**SERVER, **change})) == code
    assert await mail.show(runtime) is None


async def test_a_message_leaves_by_the_server_that_is_set_or_says_why_not(runtime):
    assert await refusal(mail.send(runtime, "ana@x.test", "s", "t")) == "mail_unset"
    async with mail_server() as fake:
        await mail.set_server(runtime, ACTOR, {**SERVER, "port": str(fake.port)})
        await mail.send(runtime, "ana@x.test", "assunto", "texto")
    assert [message["subject"] for message in fake.taken] == ["assunto"]
    assert await refusal(mail.send(runtime, "ana@x.test", "s", "t")) == "mail_failed"
    await mail.remove(runtime, ACTOR)
    with pytest.raises(NotFound):
        await mail.remove(runtime, ACTOR)


async def member(runtime, email="caio@example.com"):
    return await accounts.use_link(runtime, await accounts.invite(runtime, email, "supervisor", ACTOR), GOOD)


async def test_only_somebody_who_has_a_password_gets_a_link_and_it_lasts_an_hour(runtime):
    await member(runtime)
    gone = await member(runtime, "gone@example.com")
    await member(runtime, "livia@example.com")
    await accounts.invite(runtime, "new@example.com", "supervisor", ACTOR)
    await accounts.disable(runtime, gone.id, ACTOR)

    for email in ("nobody@example.com", "gone@example.com", "new@example.com", "", "x" * 400):
        assert await forgotten.link(runtime, email, "10.0.0.9") is None
    found = await forgotten.link(runtime, " Caio@Example.com", "10.0.0.9")
    assert found.account.email == "caio@example.com"
    assert found.token not in repr(found)
    runtime.clock.advance(HOUR)
    assert await accounts.invitation(runtime, found.token) is None


async def test_a_link_by_mail_takes_nothing_from_the_person_until_it_is_used_and_then_ends_every_other_one(runtime):
    caio = await member(runtime)
    session = await sign_in.sign_in(runtime, "caio@example.com", GOOD, "10.0.0.2")
    by_admin = await accounts.reset_link(runtime, caio.id, ACTOR)
    found = await forgotten.link(runtime, "caio@example.com", "10.6.6.6")
    assert await accounts.invitation(runtime, by_admin) is not None
    assert await sign_in.session(runtime, session) is not None

    await accounts.use_link(runtime, found.token, "outra frase comprida")
    assert await accounts.invitation(runtime, by_admin) is None
    assert await sign_in.session(runtime, session) is None
    assert await refusal(accounts.use_link(runtime, found.token, GOOD)) == "link_unusable"
    entries = await runtime.store.read(audit.listed)
    assert ("account.reset_mailed", "?", "caio@example.com", "10.6.6.6") in [
        (entry.what, entry.who, entry.subject, entry.address) for entry in entries
    ]


async def test_one_message_in_five_minutes_and_a_wait_for_whoever_asks_again_and_again(runtime):
    await member(runtime)
    assert await forgotten.link(runtime, "caio@example.com", "10.0.0.9") is not None
    assert await forgotten.link(runtime, "caio@example.com", "10.0.0.9") is None
    runtime.clock.advance(5 * MINUTE)
    assert await forgotten.link(runtime, "caio@example.com", "10.0.0.9") is not None

    for email in ("caio@example.com", "nobody@example.com"):
        for _ in range(4):
            await forgotten.ask(runtime, email, "10.0.0.9")
        assert await refusal(forgotten.ask(runtime, email, "10.0.0.9")) == "sign_in_wait"
