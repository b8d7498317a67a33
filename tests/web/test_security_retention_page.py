"""How long things are kept, on its page: days within bounds, what would go, and what a conversation says afterwards (SEC-S25)."""

import pytest

from engine.core.flow import DAY
from engine.core.permissions import Role
from engine.services import retention
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PATH = "/settings/retention"


async def test_the_days_are_changed_and_the_page_says_what_is_older(runtime, signed_in, flow):
    leads = await phone_for(runtime, flow)
    await leads.greet()
    leads.clock.advance(100 * DAY)
    admin = await signed_in(Role.ADMIN)
    page = (await admin.get(PATH)).text
    assert "de 30 a 3.650 dias" in page
    assert "ainda não rodou" in page
    form = read(page).form(action=PATH)
    assert form.fields["messages"] == ["180"]

    answer = await admin.post(PATH, form.data(messages=" 60 "))

    assert answer.status_code == 303
    assert (await retention.show(runtime)).days["messages"] == 60
    await retention.apply(runtime, ACTOR)
    assert "Última execução" in (await admin.get(PATH)).text


@pytest.mark.parametrize("typed", ["29", "0", "-1", "muitos", "", "99999", "60.5"])
async def test_days_out_of_bounds_are_told_and_kept_in_their_field(runtime, signed_in, flow, typed):
    admin = await signed_in(Role.ADMIN)
    form = read((await admin.get(PATH)).text).form(action=PATH)

    answer = await admin.post(PATH, form.data(messages=typed))

    assert answer.status_code == 422
    assert "Mensagens: entre 30 e 3650 dias." in answer.text
    assert read(answer.text).form(action=PATH).fields["messages"] == [typed]
    assert (await retention.show(runtime)).days["messages"] == 180


async def test_a_conversation_and_a_notice_say_that_their_words_are_gone(runtime, signed_in, flow):
    leads = await phone_for(runtime, flow)
    talk = await leads.greet(text="um segredo")
    leads.clock.advance(200 * DAY)
    await retention.apply(runtime, ACTOR)
    admin = await signed_in(Role.ADMIN)

    page = (await admin.get(f"/conversations/{talk}")).text

    assert page.count("as palavras já não estão guardadas") == 2
    assert "um segredo" not in page
    for tab in ("why&msg=in-1", "timeline", "sends", "data"):
        assert (await admin.get(f"/conversations/{talk}?tab={tab}")).status_code == 200
    body = await runtime.store.read(lambda tx: tx.value("SELECT id FROM webhook"))
    notice = await admin.get(f"/settings/webhooks/{body}")
    assert notice.status_code == 200
    assert "O conteúdo já não está guardado." in notice.text


async def test_only_administrators_see_it(signed_in, flow):
    publisher = await signed_in(Role.PUBLISHER)

    assert (await publisher.get(PATH)).status_code == 403
    assert (await publisher.post(PATH, {"messages": "60"})).status_code == 403
