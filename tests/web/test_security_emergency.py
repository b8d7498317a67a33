"""SEC-S12: the page of the switch, who may turn it, and the bar that everybody sees while it is on."""

import pytest

from engine.core.permissions import Role
from engine.services import emergency
from tests.web.pages_read import read


async def test_a_supervisor_stops_everything_and_every_page_says_so(runtime, signed_in, flow):
    supervisor = await signed_in(Role.SUPERVISOR)
    form = read((await supervisor.get("/emergency")).text).form("/emergency/stop")

    answer = await supervisor.post(form.action, form.data(reason="<b>oferta</b> errada"))

    assert answer.status_code == 303
    assert await emergency.standing(runtime) is not None
    for path in ("/live", "/flows", "/emergency", "/profile"):
        page = (await supervisor.get(path)).text
        assert "Nenhuma mensagem sai." in page, path
        assert "&lt;b&gt;oferta&lt;/b&gt; errada" in page
        assert "/emergency/resume" not in page, "a supervisor cannot let it go on"


async def test_whoever_may_publish_lets_it_go_on_from_any_page(runtime, signed_in, flow):
    publisher = await signed_in(Role.PUBLISHER)
    await publisher.post("/emergency/stop", {"reason": ""})
    form = read((await publisher.get("/flows")).text).form("/emergency/resume")

    answer = await publisher.post(form.action, form.data())

    assert (answer.status_code, answer.headers["location"]) == (303, "/flows")
    assert await emergency.standing(runtime) is None
    assert "Nenhuma mensagem sai." not in (await publisher.get("/flows")).text


@pytest.mark.parametrize(
    ("role", "stops", "resumes"),
    [(Role.READONLY, 403, 403), (Role.MARKETER, 403, 403), (Role.SUPERVISOR, 303, 403), (Role.ADMIN, 303, 303)],
)
async def test_each_role_may_what_it_may(signed_in, flow, role, stops, resumes):
    person = await signed_in(role)
    assert (await person.post("/emergency/stop")).status_code == stops
    assert (await person.post("/emergency/resume")).status_code == resumes
