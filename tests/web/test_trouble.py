"""The desk's banner: what holds the messages of a channel back, and the button of whoever has mended it."""

import pytest

from engine.core.permissions import Role
from engine.store import holds
from tests.web.pages_read import read

SAYS = "Nada sai por Telefone: a conta está com problema."


async def in_trouble(leads, what=holds.ACCOUNT, subject=""):
    """A letter is held back by a hold of its channel."""
    await leads.greet()
    now, channel = leads.clock.now(), leads.channel.id

    def unit(tx):
        holds.begin(tx, channel, what, subject, now, now + 600_000, code=190, detail="Session has expired")
        tx.run("UPDATE outbox SET status = 'held', reason = :reason", reason=f"{what}_held")

    await leads.runtime.store.write("x", unit)


async def test_trouble_with_an_account_is_told_with_its_reason_and_what_waits(leads, signed_in):
    await in_trouble(leads)
    supervisor = await signed_in(Role.SUPERVISOR)

    words = read((await supervisor.get("/live")).text).text

    assert SAYS in words
    assert "A plataforma diz: Session has expired (190). 1 mensagem espera. Uma mensagem tenta de novo às" in words


async def test_without_trouble_there_is_no_banner(leads, signed_in):
    await leads.greet()
    assert "com problema" not in (await (await signed_in(Role.SUPERVISOR)).get("/live")).text


async def test_a_supervisor_lets_the_messages_go(leads, signed_in):
    await in_trouble(leads)
    supervisor = await signed_in(Role.SUPERVISOR)
    form = read((await supervisor.get("/live")).text).form("/live/holds")

    response = await supervisor.post("/live/holds", form.data())

    assert (response.status_code, response.headers["location"].split("?")[0]) == (303, "/live")
    assert SAYS not in (await supervisor.get("/live")).text
    await leads.work(100)
    assert await leads.value("SELECT status FROM outbox") == "sent"
    assert await leads.value("SELECT COUNT(*) FROM audit WHERE what = 'channel.let_go'") == 1
    again = await supervisor.post("/live/holds", form.data())
    assert again.status_code == 303, "twice is as good as once"


async def test_a_template_that_is_switched_off_is_told_by_its_name(leads, signed_in):
    await leads.runtime.store.write(
        "x",
        lambda tx: holds.begin(
            tx, leads.channel.id, holds.TEMPLATE, "oferta/pt_BR", leads.clock.now(), None, code=None, detail=None
        ),
    )
    words = read((await (await signed_in(Role.SUPERVISOR)).get("/live")).text).text
    assert "O modelo oferta está desativado em Telefone." in words
    assert "A próxima mensagem tenta de novo." in words


@pytest.mark.parametrize("role", [Role.READONLY, Role.MARKETER])
async def test_who_may_not_converse_sees_it_and_does_nothing_about_it(leads, signed_in, role):
    await in_trouble(leads)
    person = await signed_in(role)
    page = (await person.get("/live")).text
    assert SAYS in page
    assert "/live/holds" not in page
    data = {"channel": str(leads.channel.id), "what": "account", "subject": ""}
    assert (await person.post("/live/holds", data)).status_code == 403


@pytest.mark.parametrize("channel", ["", "x", "-1", "9" * 30])
async def test_an_odd_channel_is_not_found(leads, signed_in, channel):
    supervisor = await signed_in(Role.SUPERVISOR)
    assert (await supervisor.post("/live/holds", {"channel": channel})).status_code == 404
