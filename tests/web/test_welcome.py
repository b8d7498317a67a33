"""The first steps: shown once unasked, true to what was done, in the menu for ever."""

from engine.core.permissions import Role
from engine.services import channels
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for


async def _done(person):
    return (await person.get("/welcome")).text.count('class="steps-n done"')


async def test_the_first_visit_goes_there_and_the_next_does_not(editor):
    assert (await editor.get("/")).headers["location"] == "/welcome"
    assert (await editor.get("/welcome")).status_code == 200
    assert (await editor.get("/")).headers["location"] == "/flows"
    assert 'href="/welcome"' in (await editor.get("/flows")).text, "it stays in the menu"


async def test_waved_away_it_does_not_come_back_by_itself(editor):
    assert (await editor.post("/welcome/dismiss")).headers["location"] == "/flows"
    assert (await editor.get("/")).headers["location"] == "/flows"


async def test_each_step_is_marked_when_it_was_done_and_the_first_open_one_is_shown(runtime, editor, flow):
    first = (await editor.get("/welcome")).text
    assert 'aria-current="step"' in first.split("Ver um fluxo por dentro")[0]
    before = await _done(editor)
    await editor.get("/flows/pequeno/draft")
    assert await _done(editor) == before + 1
    await (await phone_for(runtime, flow)).greet()
    await channels.add(runtime, "whatsapp_cloud", "Loja", ACTOR, flow=flow)
    assert await _done(editor) == before + 3


async def test_any_step_can_be_opened_by_its_address(editor, flow):
    for number, title in enumerate(
        ("Ver um fluxo por dentro", "Conversar com o robô", "Conect", "Ligar os avisos", "Publicar"), 1
    ):
        page = (await editor.get(f"/welcome?step={number}")).text
        assert title in page.split('id="step"')[1][:80]
    assert (await editor.get("/welcome?step=99")).status_code == 200


async def test_who_does_not_administer_is_told_who_does(signed_in, flow):
    marketer, admin = await signed_in(Role.MARKETER), await signed_in(Role.ADMIN)

    theirs, own = (await marketer.get("/welcome?step=3")).text, (await admin.get("/welcome?step=3")).text

    assert "Quem administra o Trilho na sua empresa faz isto." in theirs
    assert "/settings/channels/new" not in theirs
    assert "/settings/channels/new" in own


async def test_whoever_does_not_edit_has_no_first_steps(signed_in):
    supervisor = await signed_in(Role.SUPERVISOR)

    assert (await supervisor.get("/")).headers["location"] == "/live"
    assert (await supervisor.get("/welcome")).status_code == 403
    assert 'href="/welcome"' not in (await supervisor.get("/live")).text
