"""Two people decide on a publication, on its page: asking, approving, saying no, and nobody alone (SEC-S12)."""

import pytest

from engine.core.permissions import Role
from engine.services import edit, four_eyes, safeguards
from engine.services.safeguards import Safeguards
from tests.web.conftest import ACTOR
from tests.web.pages_read import read


@pytest.fixture
async def two(runtime, signed_in, editor):
    """Somebody with a changed draft, another one who may publish, and the rule that both are needed."""
    opened = await edit.opened(runtime, "pequeno")
    tree = {**opened.tree, "title": {"pt-BR": "Mudado", "en": "Changed"}}
    await edit.edit(runtime, "pequeno", {"op": "replace", "document": tree}, actor=ACTOR, revision=opened.revision)
    await safeguards.change(runtime, ACTOR, Safeguards(four_eyes=True))
    return editor, await signed_in(Role.ADMIN)


async def live(runtime):
    return await runtime.store.read(lambda tx: tx.value("SELECT live FROM flow WHERE slug = 'pequeno'"))


async def asked(person):
    form = read((await person.get("/flows/pequeno/publish")).text).form("/flows/pequeno/publish")
    return await person.client.post("/flows/pequeno/publish", data=form.data(note="mudei o título"))


async def test_sec_s12_asking_publishes_nothing_and_the_page_says_that_it_waits(runtime, two):
    ana, bia = two
    assert "Pedir a v2" in (await ana.get("/flows/pequeno/publish")).text

    answer = await asked(ana)

    assert (answer.status_code, answer.headers["location"], await live(runtime)) == (303, "/flows/pequeno/publish", 1)
    own, other = (await ana.get("/flows/pequeno/publish")).text, (await bia.get("/flows/pequeno/publish")).text
    assert "outra pessoa precisa aprovar" in own
    assert "/approve" not in own
    assert "mudei o título" in other
    assert "Aprovar e publicar" in other


async def test_sec_s12_another_person_approves_and_nobody_their_own(runtime, two):
    ana, bia = two
    await asked(ana)
    waits = await four_eyes.standing(runtime, "pequeno")
    place = f"/flows/pequeno/publish/requests/{waits.id}"

    own = await ana.post(f"{place}/approve")
    assert (own.status_code, await live(runtime)) == (422, 1)
    assert "Foi você quem pediu" in own.text
    done = await bia.post(f"{place}/approve")

    assert (done.status_code, done.headers["location"], await live(runtime)) == (303, "/flows/pequeno/versions/2", 2)
    again = await bia.post(f"{place}/approve")
    assert again.status_code == 422


async def test_sec_s11_who_may_not_publish_may_not_approve(runtime, signed_in, two):
    await asked(two[0])
    marketer = await signed_in(Role.MARKETER)
    waits = await four_eyes.standing(runtime, "pequeno")

    assert (await marketer.post(f"/flows/pequeno/publish/requests/{waits.id}/approve")).status_code == 403
    assert "/approve" not in (await marketer.get("/flows/pequeno/publish")).text


async def test_an_hour_waits_for_the_second_person_too(runtime, two):
    ana, bia = two
    form = read((await ana.get("/flows/pequeno/publish")).text).form("/flows/pequeno/publish")
    await ana.client.post("/flows/pequeno/publish/schedule", data=form.data(note="x", day="2099-01-02", hour="10:00"))
    waits = await four_eyes.standing(runtime, "pequeno")
    assert "2 jan. 2099" in (await bia.get("/flows/pequeno/publish")).text

    await bia.post(f"/flows/pequeno/publish/requests/{waits.id}/approve")

    assert await live(runtime) == 1
    assert "Vai ao ar" in (await ana.get("/flows/pequeno/publish")).text


async def test_no_is_said_with_a_reason_and_a_request_is_taken_back(runtime, two):
    ana, bia = two
    await asked(ana)
    first = await four_eyes.standing(runtime, "pequeno")
    refused = await bia.post(f"/flows/pequeno/publish/requests/{first.id}/refuse", {"reason": "falta teste"})
    assert (refused.status_code, await four_eyes.standing(runtime, "pequeno")) == (303, None)
    await asked(ana)
    second = await four_eyes.standing(runtime, "pequeno")
    await ana.post(f"/flows/pequeno/publish/requests/{second.id}/withdraw")

    assert await four_eyes.standing(runtime, "pequeno") is None
    assert await live(runtime) == 1


async def test_a_version_that_is_to_come_back_is_asked_for_on_its_own_page(runtime, two):
    ana, bia = two
    await asked(ana)
    await bia.post(f"/flows/pequeno/publish/requests/{(await four_eyes.standing(runtime, 'pequeno')).id}/approve")
    place = "/flows/pequeno/versions/1/rollback"
    form = read((await ana.get(place)).text).form(place)

    answer = await ana.client.post(place, data=form.data(note="volta"))

    assert (answer.headers["location"], await live(runtime)) == (place, 2)
    assert f'href="{place}"' in (await bia.get("/flows/pequeno/publish")).text
    await bia.post(f"/flows/pequeno/publish/requests/{(await four_eyes.standing(runtime, 'pequeno')).id}/approve")
    assert await live(runtime) == 3
